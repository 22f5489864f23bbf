// What LAMMPS says: rows of numbers, and its errors.
#pragma once

#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "io/process.hpp"

namespace footfall {

class LammpsOutput {
 public:
  // A row is `columns` numbers below a line that begins with Step.
  LammpsOutput(std::size_t columns, std::function<void(std::span<const double>)> on_row)
      : columns_(columns), on_row_(std::move(on_row)) {}

  void read_line(std::string_view line);

  // Throws EngineStopped, or EngineError with LAMMPS's own message, unless it ended well.
  void check_end(const ProcessEnd& end) const;
  // The last lines, for a message.
  std::string last_lines() const;

 private:
  std::size_t columns_;
  std::function<void(std::span<const double>)> on_row_;
  bool in_table_ = false;
  std::deque<std::string> last_;
  std::string error_;
};

}  // namespace footfall
