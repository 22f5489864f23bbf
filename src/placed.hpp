// Errors that say where in a user's file their cause stands.
#pragma once

#include <string>

#include "footfall/error.hpp"

namespace footfall {

// What `make` makes. An InputError that it throws gets `place` in front: "drop.toml:12:13: ".
template <class Make>
auto placed(const std::string& place, const Make& make) {
  try {
    return make();
  } catch (const InputError& error) {
    throw InputError(place + error.what());
  }
}

}  // namespace footfall
