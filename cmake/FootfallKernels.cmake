# The kernels of a step, compiled for several instruction sets into one library.
#
#   FOOTFALL_KERNEL_SETS   "v2;v3;v4" of x86-64, "generic" (what the compiler does without being asked) elsewhere
#
# Each set is compiled on its own, linked into one object, and all its symbols but its entries are made local
# (objcopy). So no function of a wide set, also none of the standard library's templates, can be taken by the
# linker for code that runs on any processor: docs/decisions/0012-kernels-chosen-at-start.md.
set(footfall_kernel_sets_default generic)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$" AND NOT FOOTFALL_SANITIZE AND CMAKE_OBJCOPY)
  set(footfall_kernel_sets_default v2 v3 v4)
endif()
set(FOOTFALL_KERNEL_SETS "${footfall_kernel_sets_default}" CACHE STRING
    "Instruction sets that kernels are compiled for: v2, v3, v4 of x86-64, or generic")
if(FOOTFALL_SANITIZE)
  set(FOOTFALL_KERNEL_SETS generic)
endif()
foreach(set IN LISTS FOOTFALL_KERNEL_SETS)
  if(NOT set MATCHES "^(v2|v3|v4|generic)$")
    message(FATAL_ERROR "FOOTFALL_KERNEL_SETS has '${set}', expected some of v2;v3;v4, or generic")
  endif()
endforeach()

# What a step runs through, besides what its headers hold.
file(GLOB footfall_kernel_sources CONFIGURE_DEPENDS
     "${PROJECT_SOURCE_DIR}/src/robot/link_response.cpp" "${PROJECT_SOURCE_DIR}/src/terrain/distance.cpp"
     "${PROJECT_SOURCE_DIR}/src/solver/*.cpp" "${PROJECT_SOURCE_DIR}/src/soft/*.cpp"
     "${PROJECT_SOURCE_DIR}/src/ground/*.cpp")
list(FILTER footfall_kernel_sources EXCLUDE REGEX "/(describe_feet|ground|world|wrench_file)\\.cpp$")
set(footfall_step_sources "${PROJECT_SOURCE_DIR}/src/step/step.cpp" "${PROJECT_SOURCE_DIR}/src/step/step_lanes.cpp")

# footfall_add_kernel_objects(<name> <set> <sources>...): an object library of kernels for one set.
function(footfall_add_kernel_objects kernels set)
  add_library(${kernels} OBJECT ${ARGN})
  footfall_configure_target(${kernels})
  footfall_make_shareable(${kernels})
  footfall_silence_false_warnings(${kernels})
  target_compile_definitions(${kernels} PRIVATE FOOTFALL_KERNEL_SET=${set})
  target_include_directories(${kernels} PRIVATE
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src" "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(${kernels} PRIVATE fmt::fmt-header-only)
  set_target_properties(${kernels} PROPERTIES UNITY_BUILD_MODE GROUP)  # as in footfall_compile_together
  if(NOT set STREQUAL "generic")
    target_compile_options(${kernels} PRIVATE -march=x86-64-${set})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # Constants of templates would be "unique" in the program, which objcopy does not make local.
      target_compile_options(${kernels} PRIVATE -fno-gnu-unique)
    endif()
  endif()
endfunction()

# footfall_add_kernels(<target> NAME <name> SOURCES <sources> ENTRIES <functions>): gives the target these sources and
# the ground's kernels for all sets. Of a set's symbols only <function>_<set> can be called. The ground's kernels are
# compiled once, for all targets.
function(footfall_add_kernels target)
  cmake_parse_arguments(arg "" "NAME" "SOURCES;ENTRIES" ${ARGN})
  list(JOIN FOOTFALL_KERNEL_SETS ") F(" sets)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/private/kernel_sets.hpp" @ONLY
       CONTENT "#pragma once\n#define FOOTFALL_FOR_EACH_KERNEL_SET(F) F(@sets@)\n")
  target_include_directories(${target} PRIVATE "${PROJECT_BINARY_DIR}/private")
  foreach(set IN LISTS FOOTFALL_KERNEL_SETS)
    set(kernels footfall_${arg_NAME}_${set})
    footfall_add_kernel_objects(${kernels} ${set} ${arg_SOURCES})
    if(set STREQUAL "generic")  # the core itself has the ground's
      target_sources(${target} PRIVATE $<TARGET_OBJECTS:${kernels}>)
      continue()
    endif()
    set(ground footfall_ground_kernels_${set})
    if(NOT TARGET ${ground})
      footfall_add_kernel_objects(${ground} ${set} ${footfall_kernel_sources})
    endif()
    set(object "${PROJECT_BINARY_DIR}/private/${arg_NAME}_${set}.o")
    list(TRANSFORM arg_ENTRIES REPLACE "(.+)" "--keep-global-symbol=\\1_${set}" OUTPUT_VARIABLE kept)
    add_custom_command(OUTPUT "${object}"
      COMMAND "${CMAKE_LINKER}" -r --force-group-allocation -o "${object}.all"
              $<TARGET_OBJECTS:${kernels}> $<TARGET_OBJECTS:${ground}>
      COMMAND "${CMAKE_OBJCOPY}" ${kept} "${object}.all" "${object}"
      DEPENDS ${kernels} ${ground} $<TARGET_OBJECTS:${kernels}> $<TARGET_OBJECTS:${ground}>
      COMMENT "Kernels of ${arg_NAME} for x86-64-${set}" COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE "${object}")
  endforeach()
endfunction()
