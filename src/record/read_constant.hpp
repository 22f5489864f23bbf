// A constant of a run file, with its rows checked.
#pragma once

#include <fmt/format.h>

#include <string>

#include "footfall/error.hpp"
#include "footfall/record/run_data.hpp"

namespace footfall::record {

class ConstantTable {
 public:
  ConstantTable(const RunData& run, const std::string& name, std::size_t rows, int width)
      : column_(run.constant(name)), file_(run.file) {
    if (column_.width != width || column_.values.size() != rows * width) {
      throw InputError(fmt::format("{}: {} has {} numbers, expected {}", file_, column_.name,
                                   column_.values.size(), rows * width));
    }
  }
  double number(std::size_t row, int k = 0) const {
    return column_.values[row * column_.width + k];
  }
  // An index or a count: whole, from lowest to highest.
  int index(std::size_t row, int lowest, std::size_t highest, int k = 0) const {
    const double value = number(row, k);
    if (!(value >= lowest && value <= static_cast<double>(highest))) {
      throw InputError(fmt::format("{}: {} is {} in row {}, expected {} to {}", file_, column_.name,
                                   value, row, lowest, highest));
    }
    return static_cast<int>(value);
  }
  Vec3d vector(std::size_t row) const { return {number(row, 0), number(row, 1), number(row, 2)}; }
  Mat3d matrix(std::size_t row) const {
    return {{number(row, 0), number(row, 3), number(row, 6)},
            {number(row, 1), number(row, 4), number(row, 7)},
            {number(row, 2), number(row, 5), number(row, 8)}};
  }

 private:
  const RunColumn& column_;
  const std::string& file_;
};

}  // namespace footfall::record
