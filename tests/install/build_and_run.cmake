# Installs BUILD_DIR into an empty folder, builds the project beside this file against that folder
# alone, and runs it. Arguments: BUILD_DIR, GENERATOR, C_COMPILER, CXX_COMPILER, VERSION.
set(work "${BUILD_DIR}/install_test")
set(prefix "${work}/prefix")
file(REMOVE_RECURSE "${work}")

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${prefix}")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${work}/build" -G "${GENERATOR}"
    "-DCMAKE_C_COMPILER=${C_COMPILER}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
    "-DCMAKE_PREFIX_PATH=${prefix}" -DCMAKE_BUILD_TYPE=Release
    "-DFOOTFALL_EXPECTED_DATA_DIR=${prefix}/share/footfall")
run("${CMAKE_COMMAND}" --build "${work}/build")
run("${work}/build/footfall_user")

# The installed program, where there is one, runs from the installed tree and knows its version.
if(EXISTS "${prefix}/bin/footfall")
  execute_process(COMMAND "${prefix}/bin/footfall" --version OUTPUT_VARIABLE said
                  COMMAND_ERROR_IS_FATAL ANY)
  if(NOT said MATCHES "${VERSION}")
    message(FATAL_ERROR "footfall --version says '${said}', expected ${VERSION}")
  endif()
endif()
