// footfall_fuzz_check SECONDS [TARGET...]: every seed as it is, then seeds with random faults, each target for that
// long. Without libFuzzer, for the sanitizers of any compiler; the faults are the same in every run.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "targets.hpp"

// Of the sanitizers, where there are any.
extern "C" __attribute__((weak)) void __sanitizer_set_death_callback(void (*)());

namespace footfall::fuzz {
namespace {

constexpr const char* kLastInput = "fuzz-last-input";
std::string& last_input = *new std::string;  // outlives everything that may end the program

// What ended the program can be fed to it again.
void keep_last_input() {
  const int file = ::open(kLastInput, O_CREAT | O_WRONLY | O_TRUNC, 0644);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = ::write(file, last_input.data(), last_input.size());
  ::close(file);
}

void keep_and_end(int signal) {
  keep_last_input();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void watch_for_the_end() {
  if (__sanitizer_set_death_callback != nullptr) {
    __sanitizer_set_death_callback(keep_last_input);
  } else {
    for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) {
      std::signal(signal, keep_and_end);
    }
  }
}

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kLargestSeed = 1 << 18;

// The corpus of the target, then examples that the project has anyway.
std::vector<std::string> load_seeds(const Target& target) {
  std::vector<fs::path> folders = {fs::path("fuzz/corpus") / target.name};
  std::istringstream words{std::string(target.seeds)};
  for (std::string word; words >> word;) folders.emplace_back(word);
  std::vector<fs::path> files;
  for (const fs::path& folder : folders) {
    if (!fs::is_directory(folder)) continue;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.is_regular_file() && entry.file_size() <= kLargestSeed) {
        files.push_back(entry.path());
      }
    }
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> seeds;
  for (const fs::path& file : files) {
    std::ifstream in(file, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return seeds;
}

using Random = std::mt19937_64;
std::size_t below(Random& random, std::size_t end) { return end == 0 ? 0 : random() % end; }

// A few faults such as typing, copying, a bad disk and a bad mind make.
std::string mutate(const std::vector<std::string>& seeds, Random& random) {
  static constexpr std::string_view kWords[] = {
      "nan", "-inf",     "1e308", "-1e-320",  "0",  "-1", "99999999999999999999",
      "\"",  "[",        "]",     "{",        "}",  "=",  ",",
      "\n",  "\r\n\r\n", "\0",    "\xff\xfe", "..", "#",  "null",
      "true"};
  std::string text = seeds[below(random, seeds.size())];
  for (std::size_t faults = 1 + below(random, 6); faults > 0; --faults) {
    const std::size_t at = below(random, text.size() + 1), size = below(random, 64);
    switch (below(random, 7)) {
    case 0:
      text.erase(at, size);
      break;
    case 1:
      text.insert(at, kWords[below(random, std::size(kWords))]);
      break;
    case 2:
      if (at < text.size()) text[at] = static_cast<char>(random());
      break;
    case 3:
      if (at < text.size()) text[at] = static_cast<char>(text[at] ^ (1 << below(random, 8)));
      break;
    case 4:
      text.insert(below(random, text.size() + 1), text.substr(std::min(at, text.size()), size));
      break;
    case 5:
      text.resize(at);
      break;
    default: {
      const std::string& other = seeds[below(random, seeds.size())];
      text.insert(at, other.substr(below(random, other.size() + 1), size));
    }
    }
  }
  return text;
}

void check(const Target& target, double seconds) {
  const std::vector<std::string> seeds = load_seeds(target);
  if (seeds.empty()) throw std::logic_error(fmt::format("{} has no seeds", target.name));
  for (const std::string& seed : seeds) {
    last_input = seed;
    feed(target, seed);
  }
  Random random(1);
  const Clock::time_point start = Clock::now();
  long count = 0;
  for (; std::chrono::duration<double>(Clock::now() - start).count() < seconds; ++count) {
    last_input = mutate(seeds, random);
    feed(target, last_input);
  }
  fmt::print("{:16} {} seeds, {} with faults\n", target.name, seeds.size(), count);
}

}  // namespace
}  // namespace footfall::fuzz

int main(int argc, char** argv) {
  using namespace footfall::fuzz;
  watch_for_the_end();
  try {
    const double seconds = argc > 1 ? std::strtod(argv[1], nullptr) : 0;
    if (argc < 2) {
      for (const Target& target : targets()) fmt::print("{} {}\n", target.name, target.seeds);
    } else if (argc == 2) {
      for (const Target& target : targets()) check(target, seconds);
    } else {
      for (int i = 2; i < argc; ++i) check(find_target(argv[i]), seconds);
    }
  } catch (const std::exception& error) {
    keep_last_input();
    fmt::print(stderr, "footfall_fuzz_check: {}: the input is in {}\n", error.what(), kLastInput);
    return 1;
  }
  return 0;
}
