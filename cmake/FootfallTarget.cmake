# footfall_configure_target(<target>): the compile options of everything that we build. They are
# private: a project that links the installed library chooses its own.
function(footfall_configure_target target)
  # Same values as strict IEEE code except for fused multiply-add; never -ffast-math.
  target_compile_options(${target} PRIVATE -fno-math-errno -fno-trapping-math -ffp-contract=fast)

  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-psabi)
  if(FOOTFALL_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()

  if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Not a class that holds a type of an anonymous namespace, in a file that GCC takes for a header,
    # and not a local name that is a neighbour's global one.
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage -Wno-shadow -Wshadow=local)
  endif()

  if(FOOTFALL_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${FOOTFALL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(FOOTFALL_SANITIZE MATCHES undefined)
      # A fourth of the time of a build, for what the address sanitizer notices too.
      target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,object-size,vptr)
    endif()
    target_link_options(${target} PRIVATE -fsanitize=${FOOTFALL_SANITIZE})
    footfall_silence_false_warnings(${target})  # raised by the sanitizers' own code
  endif()
endfunction()

# footfall_make_shareable(<target>): its code can be part of MuJoCo's plugin or of the Python module,
# shared libraries.
function(footfall_make_shareable target)
  if(FOOTFALL_PLUGIN OR FOOTFALL_PYTHON OR BUILD_SHARED_LIBS)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE -fno-semantic-interposition)  # inlined as in a program
  endif()
endfunction()

# footfall_silence_false_warnings(<target>): for targets that compile Eigen's dense kernels. Once their loops are
# inlined, GCC 12 takes the undefined halves of AVX-512 intrinsics for uninitialised values, and accesses that the
# sizes of small matrices rule out for ones beyond their ends. clang, which checks the same sources, sees neither.
function(footfall_silence_false_warnings target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE
      -Wno-uninitialized -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
  endif()
endfunction()

# footfall_compile_together(<target> <sources>...): with CMAKE_UNITY_BUILD up to 24 files of one folder
# are compiled as one, since most of the time goes into headers and their templates. So names in anonymous
# namespaces must differ within a folder. Files of a step's ground, and files of no folder, stay alone.
function(footfall_compile_together target)
  set(folder "")
  set(count 0)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source PARENT_PATH parent)
    cmake_path(GET source FILENAME name)
    if(parent STREQUAL "${PROJECT_SOURCE_DIR}/src" OR name MATCHES "(^|_)step")
      continue()
    endif()
    if(NOT parent STREQUAL folder)
      set(folder "${parent}")
      set(count 0)
    endif()
    cmake_path(GET parent FILENAME group)
    math(EXPR number "${count} / 24 + 1")
    math(EXPR count "${count} + 1")
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}_${number}")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
endfunction()
