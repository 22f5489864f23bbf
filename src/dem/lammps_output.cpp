#include "dem/lammps_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cstring>
#include <vector>

#include "footfall/dem/engine.hpp"

namespace footfall {
namespace {

constexpr std::size_t kLastLines = 8;

// All numbers of a line, or none where it has anything else.
std::vector<double> numbers_of(std::string_view line) {
  std::vector<double> numbers;
  const char* at = line.data();
  const char* const end = at + line.size();
  for (;;) {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
    if (at == end) return numbers;
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    if (error != std::errc() || (next != end && *next != ' ' && *next != '\t' && *next != '\r')) {
      return {};
    }
    numbers.push_back(value);
    at = next;
  }
}

std::string advice(const std::string& error) {
  if (error.find("Lost atoms") != std::string::npos) {
    return "; grains left the box: give the foot more room to the walls and the floor, a slower "
           "path "
           "or a shorter timestep";
  }
  if (error.find("inside fix wall") != std::string::npos ||
      error.find("too close to") != std::string::npos) {
    return "; begin the path clear of the grains";
  }
  return "";
}

}  // namespace

void LammpsOutput::read_line(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  last_.emplace_back(line);
  if (last_.size() > kLastLines) last_.pop_front();
  if (error_.empty() && line.starts_with("ERROR")) error_ = line;
  if (line.starts_with("Step ")) {
    in_table_ = true;
    return;
  }
  if (line.starts_with("Loop time of")) in_table_ = false;
  if (!in_table_) return;
  const std::vector<double> row = numbers_of(line);
  if (row.size() == columns_ && on_row_) on_row_(row);
}

std::string LammpsOutput::last_lines() const { return fmt::format("{}", fmt::join(last_, "\n  ")); }

void LammpsOutput::check_end(const ProcessEnd& end) const {
  if (end.stopped) throw EngineStopped();
  if (!error_.empty()) throw EngineError(fmt::format("LAMMPS: {}{}", error_, advice(error_)));
  if (end.signal != 0) {
    throw EngineError(fmt::format("LAMMPS was ended by signal {} ({}); it said last:\n  {}",
                                  end.signal, ::strsignal(end.signal), last_lines()));
  }
  if (end.status != 0) {
    throw EngineError(
        fmt::format("LAMMPS ended with status {}; it said last:\n  {}", end.status, last_lines()));
  }
}

}  // namespace footfall
