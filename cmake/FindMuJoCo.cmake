# FindMuJoCo: MuJoCo 4.0.0, as the Python wheel `mujoco-core` or the release archive ships it
# (headers and a versioned library, no CMake files). Offers the target MuJoCo::MuJoCo.
#
# Looks in MUJOCO_ROOT (variable, then environment), in the project's .venv, in the active virtual
# environment and in MuJoCo_HINTS. Each may be a virtual environment, a folder that holds the
# package `mujoco/`, or the package itself.
#
# Sets MuJoCo_FOUND, MuJoCo_VERSION, MuJoCo_ROOT_DIR, MuJoCo_INCLUDE_DIR, MuJoCo_LIBRARY.

set(_mujoco_wanted 4.0.0)  # exactly this one: structs change between versions

set(_mujoco_places "")
if(MUJOCO_ROOT)
  list(APPEND _mujoco_places "${MUJOCO_ROOT}")
elseif(DEFINED ENV{MUJOCO_ROOT})
  list(APPEND _mujoco_places "$ENV{MUJOCO_ROOT}")
else()
  list(APPEND _mujoco_places "${PROJECT_SOURCE_DIR}/.venv" "${CMAKE_SOURCE_DIR}/.venv")
  if(DEFINED ENV{VIRTUAL_ENV})
    list(APPEND _mujoco_places "$ENV{VIRTUAL_ENV}")
  endif()
  list(APPEND _mujoco_places ${MuJoCo_HINTS})
endif()

set(_mujoco_rejected "")
foreach(_mujoco_place IN LISTS _mujoco_places)
  file(GLOB _mujoco_packages "${_mujoco_place}/lib/python3*/site-packages/mujoco")
  foreach(_mujoco_package IN ITEMS "${_mujoco_place}" "${_mujoco_place}/mujoco" LISTS _mujoco_packages)
    if(MuJoCo_FOUND_HERE OR NOT EXISTS "${_mujoco_package}/include/mujoco/mujoco.h")
      continue()
    endif()
    # 4.0.0 is written as 4000000.
    file(STRINGS "${_mujoco_package}/include/mujoco/mujoco.h" _mujoco_line
         REGEX "^#define mjVERSION_HEADER [0-9]+" LIMIT_COUNT 1)
    string(REGEX MATCH "[0-9]+$" _mujoco_number "${_mujoco_line}")
    if(_mujoco_number GREATER_EQUAL 1000000)
      math(EXPR _mujoco_major "${_mujoco_number} / 1000000")
      math(EXPR _mujoco_minor "${_mujoco_number} / 1000 % 1000")
      math(EXPR _mujoco_patch "${_mujoco_number} % 1000")
      set(_mujoco_version "${_mujoco_major}.${_mujoco_minor}.${_mujoco_patch}")
    else()
      set(_mujoco_version "version number ${_mujoco_number}")
    endif()
    if(NOT _mujoco_version STREQUAL _mujoco_wanted)
      string(APPEND _mujoco_rejected " Found ${_mujoco_version} in ${_mujoco_package}.")
      continue()
    endif()
    foreach(_mujoco_file IN ITEMS
            "${_mujoco_package}/libmujoco.so.${_mujoco_wanted}"
            "${_mujoco_package}/lib/libmujoco.so.${_mujoco_wanted}")
      if(EXISTS "${_mujoco_file}")
        set(MuJoCo_FOUND_HERE TRUE)
        set(MuJoCo_VERSION "${_mujoco_version}")
        set(MuJoCo_ROOT_DIR "${_mujoco_package}")
        set(MuJoCo_INCLUDE_DIR "${_mujoco_package}/include")
        set(MuJoCo_LIBRARY "${_mujoco_file}")
        break()
      endif()
    endforeach()
    if(NOT MuJoCo_FOUND_HERE)
      string(APPEND _mujoco_rejected
             " ${_mujoco_package} has headers but no libmujoco.so.${_mujoco_wanted}.")
    endif()
  endforeach()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MuJoCo
  REQUIRED_VARS MuJoCo_LIBRARY MuJoCo_INCLUDE_DIR
  VERSION_VAR MuJoCo_VERSION
  FAIL_MESSAGE "MuJoCo ${_mujoco_wanted} not found: run `make setup`, or \
`pip install mujoco-core==${_mujoco_wanted}` and pass -DMUJOCO_ROOT=<the environment or the \
package's folder>.${_mujoco_rejected}")

if(MuJoCo_FOUND AND NOT TARGET MuJoCo::MuJoCo)
  add_library(MuJoCo::MuJoCo SHARED IMPORTED)
  set_target_properties(MuJoCo::MuJoCo PROPERTIES
    IMPORTED_LOCATION "${MuJoCo_LIBRARY}"
    IMPORTED_SONAME "libmujoco.so.${_mujoco_wanted}"
    INTERFACE_INCLUDE_DIRECTORIES "${MuJoCo_INCLUDE_DIR}")
endif()
unset(MuJoCo_FOUND_HERE)
