// The bytes of a page's arrays, and the references to them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace footfall::viewer {

using Json = nlohmann::ordered_json;

// What is no finite number is stored as the last one before it that was, in its column.
class ArrayStore {
 public:
  // As they are.
  Json add_floats(const std::vector<double>& values, int width = 1);
  // In multiples of `step`, as differences between rows: 16 bit where they fit, else 32.
  Json add_steps(const std::vector<double>& values, double step, int width = 1);
  // In 16 bit over the range of the values, as differences between rows.
  Json add_range(const std::vector<double>& values, int width = 1);
  // Whole numbers, 0 to 255.
  Json add_flags(const std::vector<double>& values, int width = 1);

  const std::string& bytes() const { return bytes_; }

 private:
  template <class Stored>
  Json append(const std::vector<Stored>& stored, const char* type);
  Json append_steps(const std::vector<double>& values, double step, double bias, int width);

  std::string bytes_;
};

}  // namespace footfall::viewer
