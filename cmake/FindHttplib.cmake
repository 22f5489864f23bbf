# Finds cpp-httplib as a compiled library: target Httplib::Httplib. Debian: libcpp-httplib-dev.
# Its header must be read with the macros that it was compiled with, which only pkg-config knows.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(Httplib_PC QUIET IMPORTED_TARGET cpp-httplib)
endif()
find_path(Httplib_INCLUDE_DIR httplib.h HINTS ${Httplib_PC_INCLUDE_DIRS})
find_library(Httplib_LIBRARY cpp-httplib HINTS ${Httplib_PC_LIBRARY_DIRS})
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Httplib REQUIRED_VARS Httplib_LIBRARY Httplib_INCLUDE_DIR)
if(Httplib_FOUND AND NOT TARGET Httplib::Httplib)
  add_library(Httplib::Httplib UNKNOWN IMPORTED)
  set_target_properties(Httplib::Httplib PROPERTIES
    IMPORTED_LOCATION "${Httplib_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Httplib_INCLUDE_DIR}"
    INTERFACE_COMPILE_OPTIONS "${Httplib_PC_CFLAGS_OTHER}")
endif()
mark_as_advanced(Httplib_INCLUDE_DIR Httplib_LIBRARY)
