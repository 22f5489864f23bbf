// Uses the installed library: headers and archive belong together and MuJoCo is found at run time.

#include <cstdio>
#include <string_view>

#include "footfall/version.hpp"

int main() {
  const std::string_view description = footfall::build_description();
  std::printf("%.*s\n", static_cast<int>(description.size()), description.data());
  return description.find(footfall::version) == std::string_view::npos ? 1 : 0;
}
