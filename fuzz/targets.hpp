// Everything that reads a file or the network, as functions of bytes: libFuzzer feeds them (fuzz/libfuzzer.cpp),
// and so do the sanitizers' tests, without it (fuzz/mutate.cpp).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace footfall::fuzz {

struct Target {
  std::string_view name;
  std::string_view seeds;  // folders of examples, parted by blanks, from the project's root
  // Reads the bytes, and what it makes of them. Throws InputError where they are wrong: anything else is a fault.
  std::function<void(std::string_view bytes)> read;
};

std::span<const Target> targets();
// Throws std::invalid_argument that lists the names.
const Target& find_target(std::string_view name);

// Reads, and takes an InputError for an answer; its text has to be one: not empty, no control characters.
void feed(const Target& target, std::string_view bytes);

}  // namespace footfall::fuzz
