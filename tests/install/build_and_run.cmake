# Installs BUILD_DIR into an empty folder, moves that folder, and uses it from where nothing else is: the
# program runs a scenario, a project builds against all of the library and one against the core alone.
# Arguments: BUILD_DIR, GENERATOR, C_COMPILER, CXX_COMPILER, VERSION.
set(work "${BUILD_DIR}/install_test")
set(prefix "${work}/moved/here")
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}/moved" "${work}/empty")

function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY "${work}/empty" COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${work}/prefix")
file(RENAME "${work}/prefix" "${prefix}")

foreach(project IN ITEMS all core)
  if(project STREQUAL "all" AND NOT EXISTS "${prefix}/lib/footfall/mujoco")
    continue()  # a build of the core
  endif()
  run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/${project}" -B "${work}/${project}"
      -G "${GENERATOR}" "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
      "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Release
      "-DFOOTFALL_EXPECTED_DATA_DIR=${prefix}/share/footfall")
  run("${CMAKE_COMMAND}" --build "${work}/${project}")
  run("${work}/${project}/footfall_user")
endforeach()

# Nothing that was installed may name the folders in which it was built.
file(GLOB_RECURSE files "${prefix}/lib/cmake/footfall/*.cmake")
foreach(file IN LISTS files)
  file(STRINGS "${file}" lines REGEX "${BUILD_DIR}|${work}/prefix|/\\.venv/")
  if(lines)
    message(FATAL_ERROR "${file} names a folder of the build: ${lines}")
  endif()
endforeach()

# The installed program, where there is one, knows its version and finds MuJoCo, robots and soils.
if(EXISTS "${prefix}/bin/footfall")
  execute_process(COMMAND "${prefix}/bin/footfall" --version OUTPUT_VARIABLE said
                  WORKING_DIRECTORY "${work}/empty" COMMAND_ERROR_IS_FATAL ANY)
  if(NOT said MATCHES "${VERSION}")
    message(FATAL_ERROR "footfall --version says '${said}', expected ${VERSION}")
  endif()
  file(GET_RUNTIME_DEPENDENCIES EXECUTABLES "${prefix}/bin/footfall"
       RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing)
  if(missing)
    message(FATAL_ERROR "the installed program does not find ${missing}")
  endif()
  list(FILTER libraries INCLUDE REGEX "mujoco")
  foreach(library IN LISTS libraries)
    if(NOT library MATCHES "^${prefix}/")
      message(FATAL_ERROR "the installed program takes ${library}, expected the one under ${prefix}")
    endif()
  endforeach()
  run("${prefix}/bin/footfall" run "${prefix}/share/footfall/scenarios/quadruped_sand.toml"
      --set step.duration_s=0.02 --output "${work}/result")
  if(NOT EXISTS "${work}/result/run.h5")
    message(FATAL_ERROR "the installed program left no ${work}/result/run.h5")
  endif()
endif()
