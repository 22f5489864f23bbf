# The parts of the library: each a static library footfall_<part> of some folders of src/, with its own
# dependencies. A part is built when everything it needs is there; the core always is.
#
#   FOOTFALL_PARTS         what parts other than the core do: AUTO builds those whose libraries are found,
#                          ON stops where a library is missing, OFF builds the core alone
#   FOOTFALL_WITH_<PART>   the same for one part
#
# A part that is not built leaves in footfall_<part>_lacks what was missing.
set(FOOTFALL_PARTS AUTO CACHE STRING "Parts besides the core: AUTO (where their libraries are found), ON, OFF")
set_property(CACHE FOOTFALL_PARTS PROPERTY STRINGS AUTO ON OFF)

set(footfall_name_Eigen3 "Eigen")
set(footfall_name_Matio "matio")
set(footfall_name_MuJoCo "MuJoCo 4.0.0")
set(footfall_name_PNG "libpng")
set(footfall_name_SQLite3 "SQLite")
set(footfall_name_Httplib "cpp-httplib")
set(footfall_name_ZLIB "zlib")
set(footfall_name_nlohmann_json "nlohmann-json")
set(footfall_name_tomlplusplus "toml++")

# footfall_find_lacks(<part> [PARTS <parts>] [PACKAGES <packages>]): sets footfall_<part>_lacks to what keeps
# the part from being built, empty where nothing does.
function(footfall_find_lacks part)
  cmake_parse_arguments(arg "" "" "PARTS;PACKAGES" ${ARGN})
  string(TOUPPER "${part}" upper)
  set(FOOTFALL_WITH_${upper} "" CACHE STRING "Build the part ${part}: AUTO, ON, OFF; empty: as FOOTFALL_PARTS")
  set(wanted "${FOOTFALL_WITH_${upper}}")
  if(wanted STREQUAL "")
    set(wanted "${FOOTFALL_PARTS}")
  endif()
  set(lacks "")
  foreach(package IN LISTS arg_PACKAGES)
    if(NOT ${package}_FOUND)
      if(DEFINED footfall_name_${package})
        list(APPEND lacks "${footfall_name_${package}}")
      else()
        list(APPEND lacks "${package}")
      endif()
    endif()
  endforeach()
  foreach(other IN LISTS arg_PARTS)
    list(APPEND lacks ${footfall_${other}_lacks})
  endforeach()
  list(REMOVE_DUPLICATES lacks)
  if(wanted STREQUAL "AUTO")
  elseif(wanted)
    if(lacks)
      list(JOIN lacks ", " text)
      message(FATAL_ERROR "The part ${part} was asked for (FOOTFALL_WITH_${upper} or FOOTFALL_PARTS) but "
              "lacks: ${text}.\n`make setup` installs what is needed; FOOTFALL_PARTS=AUTO leaves out "
              "what cannot be built.\n${MuJoCo_NOT_FOUND_MESSAGE}")
    endif()
  else()
    set(lacks "the option FOOTFALL_WITH_${upper}")
  endif()
  set(footfall_${part}_lacks "${lacks}" PARENT_SCOPE)
endfunction()

# footfall_add_part(<part> FOLDERS <folders of src/> [PARTS <parts it uses>] [PACKAGES <packages>]
#                   [PUBLIC <targets>] [PRIVATE <targets>])
#
# Folders may include from folders that are listed before them, here and in earlier calls: scripts/folders.py
# reads that order from the calls and checks it.
macro(footfall_add_part part)
  cmake_parse_arguments(footfall_part "" "" "FOLDERS;PARTS;PACKAGES;PUBLIC;PRIVATE" ${ARGN})
  foreach(folder IN LISTS footfall_part_FOLDERS)
    set(footfall_part_of_${folder} ${part})
    list(APPEND footfall_folders ${folder})
  endforeach()
  if("${part}" STREQUAL "core")
    set(footfall_core_lacks "")
  else()
    footfall_find_lacks(${part} PARTS ${footfall_part_PARTS} PACKAGES ${footfall_part_PACKAGES})
  endif()
  if(footfall_${part}_lacks)
    list(JOIN footfall_${part}_lacks ", " footfall_text)
    message(STATUS "Part ${part}: left out, lacks ${footfall_text}")
  else()
    footfall_make_part(${part})
    list(APPEND footfall_parts ${part})
    set(footfall_${part}_parts ${footfall_part_PARTS})
    set(footfall_${part}_packages ${footfall_part_PACKAGES})
  endif()
endmacro()

# Half of the time of a build goes into reading headers: the usual ones are read once, for the core without
# and for all other parts with Eigen.
set(footfall_usual_headers
    <algorithm> <array> <cmath> <filesystem> <functional> <map> <memory> <optional> <span> <string> <vector>
    <fmt/format.h>)
function(footfall_reuse_headers target)
  if(NOT TARGET footfall_part_headers)
    file(WRITE "${PROJECT_BINARY_DIR}/generated/read_headers.cpp" "// headers only\n")
    add_library(footfall_part_headers OBJECT "${PROJECT_BINARY_DIR}/generated/read_headers.cpp")
    footfall_configure_target(footfall_part_headers)
    footfall_make_shareable(footfall_part_headers)
    target_compile_definitions(footfall_part_headers PRIVATE EIGEN_MAX_ALIGN_BYTES=16)
    target_link_libraries(footfall_part_headers PRIVATE fmt::fmt)
    if(TARGET Eigen3::Eigen)
      target_link_libraries(footfall_part_headers PRIVATE Eigen3::Eigen)
      list(APPEND footfall_usual_headers <Eigen/Core>)
    endif()
    target_precompile_headers(footfall_part_headers PRIVATE ${footfall_usual_headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM footfall_part_headers)
endfunction()

function(footfall_make_part part)
  set(sources "")
  foreach(folder IN LISTS footfall_part_FOLDERS)
    # Sources are globbed: a new file of a folder is built without editing any list.
    file(GLOB found CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${folder}/*.cpp")
    list(APPEND sources ${found})
  endforeach()
  if("${part}" STREQUAL "core")
    list(REMOVE_ITEM sources ${footfall_step_sources})  # in footfall_add_kernels
    foreach(name IN ITEMS error kernels version)
      list(APPEND sources "${PROJECT_SOURCE_DIR}/src/${name}.cpp")
    endforeach()
  endif()
  set(target footfall_${part})
  add_library(${target} ${sources})
  add_library(footfall::${part} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${part})
  footfall_configure_target(${target})
  footfall_make_shareable(${target})
  footfall_silence_false_warnings(${target})
  footfall_compile_together(${target} ${sources})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(${target}
    PUBLIC
      "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
      "$<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>"
      "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>"
    PRIVATE
      "${PROJECT_SOURCE_DIR}/src")
  set(below ${footfall_part_PARTS})
  list(TRANSFORM below PREPEND footfall_)
  if("${part}" STREQUAL "core")
    footfall_add_kernels(${target} NAME kernels SOURCES ${footfall_step_sources}
      ENTRIES footfall_step_one footfall_step_lanes)
    target_precompile_headers(${target} PRIVATE ${footfall_usual_headers})
  else()
    # Eigen's alignment follows the processor flags. Fixing it lets programs choose theirs.
    target_compile_definitions(${target} PUBLIC EIGEN_MAX_ALIGN_BYTES=16)
    target_link_libraries(${target} PRIVATE fmt::fmt)
    footfall_reuse_headers(${target})
  endif()
  target_link_libraries(${target} PUBLIC ${below} ${footfall_part_PUBLIC} PRIVATE ${footfall_part_PRIVATE})
  if(NOT "${part}" STREQUAL "serve")
    install(TARGETS ${target} EXPORT footfall_${part}Targets)
    install(EXPORT footfall_${part}Targets NAMESPACE footfall::
            DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/footfall")
  endif()
endfunction()
