#include "host.hpp"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <type_traits>

namespace footfall {
namespace {

// The path under which libmujoco is loaded; empty: it is not, or is part of the program itself.
std::string find_library() {
  std::string path;
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* out) {
        const char* slash = std::strrchr(info->dlpi_name, '/');
        const char* name = slash != nullptr ? slash + 1 : info->dlpi_name;
        if (std::strncmp(name, "libmujoco.so", 12) != 0) return 0;
        *static_cast<std::string*>(out) = info->dlpi_name;
        return 1;
      },
      &path);
  return path;
}

}  // namespace

Host host;

bool find_host() {
  const std::string path = find_library();
  void* library = path.empty() ? RTLD_DEFAULT : dlopen(path.c_str(), RTLD_NOLOAD | RTLD_LAZY);
  const char* missing = nullptr;
  const auto find = [&](const char* name, auto& function) {
    void* found = dlsym(library, name);
    if (found == nullptr && missing == nullptr) missing = name;
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
  };
  find("mj_version", host.mj_version);
  if (host.mj_version == nullptr) {
    std::fprintf(stderr, "footfall.soil: no MuJoCo in this process\n");
    return false;
  }
  if (host.mj_version() != mjVERSION_HEADER) {
    std::fprintf(stderr,
                 "footfall.soil: this is MuJoCo %d, expected %d: the plugin is not registered\n",
                 host.mj_version(), mjVERSION_HEADER);
    return false;
  }
#define FOOTFALL_FIND_FUNCTION(name) find(#name, host.name);
  FOOTFALL_HOST_FUNCTIONS(FOOTFALL_FIND_FUNCTION)
#undef FOOTFALL_FIND_FUNCTION
  if (missing != nullptr) {
    std::fprintf(stderr, "footfall.soil: this MuJoCo has no function %s\n", missing);
    return false;
  }
  return true;
}

}  // namespace footfall
