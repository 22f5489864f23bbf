// What LAMMPS says: rows of numbers, how long it took, its errors.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "dem/process.hpp"

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

  double loop_time() const { return loop_time_; }            // in its runs [s]
  std::int64_t grain_steps() const { return grain_steps_; }  // grains · steps, of all runs

 private:
  std::size_t columns_;
  std::function<void(std::span<const double>)> on_row_;
  bool in_table_ = false;
  std::deque<std::string> last_;
  std::string error_;
  double loop_time_ = 0;
  std::int64_t grain_steps_ = 0;
};

}  // namespace footfall
