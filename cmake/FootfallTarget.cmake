# footfall_configure_target(<target>): the compile options of everything that we build. They are
# private; a project that links the installed library is given the instruction set alone.
function(footfall_configure_target target)
  # Same values as strict IEEE code except for fused multiply-add; never -ffast-math.
  target_compile_options(${target} PRIVATE -fno-math-errno -fno-trapping-math -ffp-contract=fast)
  if(FOOTFALL_NATIVE)
    target_compile_options(${target} PRIVATE -march=native)
  endif()

  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion -Wno-psabi)
  if(FOOTFALL_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # GCC 12 raises these without cause once Eigen's loops are inlined: shown, not fatal.
      target_compile_options(${target} PRIVATE
        -Wno-error=maybe-uninitialized -Wno-error=array-bounds -Wno-error=stringop-overflow
        -Wno-error=stringop-overread -Wno-error=restrict)
    endif()
  endif()

  if(FOOTFALL_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${FOOTFALL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    if(FOOTFALL_SANITIZE MATCHES undefined)
      # A fourth of the time of a build, for what the address sanitizer notices too.
      target_compile_options(${target} PRIVATE -fno-sanitize=null,alignment,object-size,vptr)
    endif()
    target_link_options(${target} PRIVATE -fsanitize=${FOOTFALL_SANITIZE})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -Wno-uninitialized)
    endif()
  endif()
endfunction()
