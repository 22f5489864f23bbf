#include "footfall/io/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "input_error.hpp"
#include "io/columns.hpp"
#include "io/recording_table.hpp"
#include "signal/noise.hpp"

namespace footfall {
namespace {

// Names and units of a recording's columns, as the user knows them.
struct ColumnWords {
  std::string time, sinkage, normal_force;
  std::string sinkage_unit, normal_force_unit;
};

constexpr std::size_t kLeastRows = 5, kLeastPoints = 3;
constexpr std::size_t kSaturatedRows = 5;     // equal ones at the maximum
constexpr double kSaturatedWay = 0.02;        // of the depth, that the foot sinks meanwhile
constexpr double kLargestSinkage = 1;         // [m]
constexpr double kLargestForce = 1e6;         // [N]
constexpr double kLargestInKilonewton = 1e5;  // [N]: the weight of ten tonnes
constexpr double kSmallForce = 1;     // [N]: below, a rig for feet measures little but noise
constexpr double kSmallDepth = 1e-3;  // [m]: below, small forces are no surprise
// A sphere of radius 50 mm in fresh snow (snow-us, the softest soil of the library): 32.4 kN/m^2.6, down
// to its radius. Half of it is softer than anything that is walked on.
constexpr double kSoftest = 0.5 * 3.24e4, kSoftestExponent = 2.6, kSoftestDepth = 0.05;

std::string place(const Recording& r, std::size_t i) {
  return fmt::format("{}:{}", r.file.string(), r.rows[i]);
}

std::size_t index_of_largest(const std::vector<double>& values) {
  return static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
}

// How deep the foot was pressed, as far as that can be told before the touch is found: the way while
// the force was above a twentieth of its rise.
double pressed_depth(const Recording& r) {
  const auto [least, most] = std::minmax_element(r.normal_force.begin(), r.normal_force.end());
  const double level = *least + 0.05 * (*most - *least);
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < r.sinkage.size(); ++i) {
    if (r.normal_force[i] < level) continue;
    low = std::min(low, r.sinkage[i]);
    high = std::max(high, r.sinkage[i]);
  }
  return r.zero_is_known ? high : high - low;
}

// A question about units: an error, or a warning where the user has accepted.
struct Questions {
  bool accept;
  std::vector<std::string>& warnings;
  void ask(const std::string& question, const std::string& remedy) {
    if (!accept) {
      throw InputError(question + "; " + remedy + "; accept it with --accept-implausible");
    }
    warnings.push_back(question);
  }
};

void ask_about_sinkage(const Recording& r, const ColumnWords& words, Questions& questions) {
  const std::size_t deepest = index_of_largest(r.sinkage);
  const double depth = r.zero_is_known ? r.sinkage[deepest] : pressed_depth(r);
  if (depth <= kLargestSinkage) return;
  questions.ask(fmt::format("{}: a sinkage of {:.4g} m in column '{}', expected at most {:g} m: is "
                            "it in mm?",
                            place(r, deepest), depth, words.sinkage, kLargestSinkage),
                "name the column 'sinkage_mm', or map it with unit = \"mm\"");
}

void ask_about_force(const Recording& r, const ColumnWords& words, Questions& questions) {
  const std::size_t at = index_of_largest(r.normal_force);
  const double force = r.normal_force[at];
  if (words.normal_force_unit == "kN" && force > kLargestInKilonewton) {
    questions.ask(fmt::format("{}: a force of {:.4g} kN in column '{}', expected at most {:g} kN: "
                              "is it in N?",
                              place(r, at), 1e-3 * force, words.normal_force,
                              1e-3 * kLargestInKilonewton),
                  "name the column 'normal_force_N', or map it with unit = \"N\"");
  } else if (force > kLargestForce) {
    questions.ask(fmt::format("{}: a force of {:.4g} N in column '{}', expected at most {:g} N: is "
                              "its unit right?",
                              place(r, at), force, words.normal_force, kLargestForce),
                  "name the column 'normal_force_N', or map it with unit = \"N\"");
  }
  if (r.sinkage.empty()) return;
  const double depth = pressed_depth(r);
  if (depth <= kSmallDepth) return;
  const std::string found =
      fmt::format("{}: the largest force in column '{}' is {:.4g} N, {:.4g} mm deep", place(r, at),
                  words.normal_force, force, 1e3 * depth);
  const double softest = kSoftest * std::pow(std::min(depth, kSoftestDepth), kSoftestExponent);
  if (force < softest) {
    questions.ask(fmt::format("{}, where fresh snow would give {:.2g} N or more: is it in kN?",
                              found, softest),
                  "name the column 'normal_force_kN', or map it with unit = \"kN\"");
  } else if (force < kSmallForce) {
    questions.warnings.push_back(
        found + ": is it in kN? (then name the column 'normal_force_kN', or map it)");
  }
}

void warn_of_small_units(const Recording& r, const ColumnWords& words,
                         std::vector<std::string>& warnings) {
  const double force = r.normal_force[index_of_largest(r.normal_force)];
  if (r.sinkage.empty() || words.sinkage_unit == "m") return;
  const double depth = pressed_depth(r);
  if (force > 10 && depth < 1e-4) {
    warnings.push_back(
        fmt::format("{}: a sinkage of {:.3g} mm under {:.4g} N in column '{}': is it "
                    "in m?",
                    r.file.string(), 1e3 * depth, force, words.sinkage));
  }
}

// For a table of points, which have no order: do deep ones carry less?
void check_points(const Recording& r, const ColumnWords& words) {
  const auto n = static_cast<double>(r.sinkage.size());
  double mean_z = 0, mean_F = 0, zz = 0, FF = 0, zF = 0;
  for (std::size_t i = 0; i < r.sinkage.size(); ++i) {
    mean_z += r.sinkage[i] / n;
    mean_F += r.normal_force[i] / n;
  }
  for (std::size_t i = 0; i < r.sinkage.size(); ++i) {
    const double z = r.sinkage[i] - mean_z, F = r.normal_force[i] - mean_F;
    zz += z * z;
    FF += F * F;
    zF += z * F;
  }
  if (zF < -0.5 * std::sqrt(zz * FF)) {
    throw input_error("{}: the deeper the points, the smaller the force in column '{}' "
                      "(correlation {:.2f}): '{}' has its sign reversed, map it with sign = -1",
                      r.file.string(), words.normal_force, zF / std::sqrt(zz * FF), words.sinkage);
  }
}

// Time rises, and there are enough rows.
void check_rows(const Recording& r, const ColumnWords& words) {
  const std::size_t least = r.time.empty() ? kLeastPoints : kLeastRows;
  if (r.rows.size() < least) {
    throw input_error("{}: {} rows of data, expected {} or more", r.file.string(), r.rows.size(),
                      least);
  }
  for (std::size_t i = 1; i < r.time.size(); ++i) {
    if (r.time[i] > r.time[i - 1]) continue;
    throw input_error("{}: {} = {} s after {} s in row {}, expected times that increase",
                      place(r, i), words.time, r.time[i], r.time[i - 1], r.rows[i - 1]);
  }
}

// The force pushes, and grows while the foot sinks.
void check_signs(const Recording& r, const ColumnWords& words) {
  if (std::all_of(r.normal_force.begin(), r.normal_force.end(), [](double F) { return F == 0; })) {
    throw input_error("{}: the force in column '{}' is zero in all {} rows: no force was recorded",
                      r.file.string(), words.normal_force, r.rows.size());
  }
  // spikes of the sensor say nothing; of points in no order there are none
  const std::vector<double> force = r.time.empty() ? r.normal_force : remove_spikes(r.normal_force);
  const auto [least, most] = std::minmax_element(force.begin(), force.end());
  if (-*least > 5 * std::max(*most, 0.0) && *least < 0) {
    throw input_error("{}: the force in column '{}' goes down to {:.4g} N and up to {:.4g} N only, "
                      "expected positive when it pushes the foot out: map it with sign = -1",
                      place(r, static_cast<std::size_t>(least - force.begin())), words.normal_force,
                      *least, *most);
  }
  if (r.sinkage.empty()) return;
  if (r.time.empty()) return check_points(r, words);
  // The first time that the force rises, the foot must sink.
  std::size_t high = 0;
  while (force[high] < 0.8 * *most) ++high;
  std::size_t low = high;
  while (low > 0 && force[low] >= 0.2 * *most) --low;
  if (force[low] >= 0.2 * *most) return;  // loaded from the first row on
  const double sunk = r.sinkage[high] - r.sinkage[low];
  if (sunk >= -5 * noise_of(r.sinkage)) return;
  throw input_error("{}: the foot rises by {:.4g} mm from row {} to row {} ('{}'), while the force "
                    "grows from {:.4g} N to {:.4g} N: the sign of the position is reversed, {}",
                    place(r, high), -1e3 * sunk, r.rows[low], r.rows[high], words.sinkage,
                    r.normal_force[low], r.normal_force[high],
                    r.zero_is_known
                        ? "a sinkage is positive down; map it with sign = -1"
                        : "a height is positive up; map it with sign = -1, or as sinkage");
}

// The force sensor is not at its end.
void check_saturation(const Recording& r, const ColumnWords& words) {
  if (r.time.empty() || r.sinkage.empty() || !r.shear_displacement.empty()) return;
  const double most = r.normal_force[index_of_largest(r.normal_force)];
  const double way = std::max(kSaturatedWay * pressed_depth(r), 10 * noise_of(r.sinkage));
  if (!(most > 0)) return;
  for (std::size_t i = 0; i < r.rows.size(); ++i) {
    if (r.normal_force[i] != most) continue;
    std::size_t end = i;
    double low = r.sinkage[i], high = low;
    for (; end < r.rows.size() && r.normal_force[end] == most; ++end) {
      low = std::min(low, r.sinkage[end]);
      high = std::max(high, r.sinkage[end]);
    }
    if (end - i >= kSaturatedRows && high - low > way) {
      throw input_error("{}: the force in column '{}' stays at exactly {:.6g} N over {} rows (to "
                        "row {}) while the foot moves by {:.3g} mm: the sensor saturates; leave "
                        "those rows out, or measure with a larger range",
                        place(r, i), words.normal_force, most, end - i, r.rows[end - 1],
                        1e3 * (high - low));
    }
    i = end - 1;
  }
}

// Values that look like another unit. With `accept` they are only warned about.
void check_units(const Recording& r, const ColumnWords& words, bool accept,
                 std::vector<std::string>& warnings) {
  Questions questions{accept, warnings};
  if (!r.sinkage.empty()) ask_about_sinkage(r, words, questions);
  ask_about_force(r, words, questions);
  warn_of_small_units(r, words, warnings);
}

using Values = std::vector<double>;

bool all_zero(const Values& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return v == 0; });
}

// The chosen columns in SI units; empty: not there.
struct Measured {
  std::array<Values, kQuantities> of;
  Values& operator[](Quantity q) { return of[static_cast<std::size_t>(q)]; }
};

Measured read_columns(RecordingTable& table, const ChosenColumns& chosen) {
  std::vector<int> places;
  for (const ChosenColumn& c : chosen.of) {
    if (c.column >= 0 && std::find(places.begin(), places.end(), c.column) == places.end()) {
      places.push_back(c.column);
    }
  }
  const std::vector<Values> values = table.read(places);
  Measured measured;
  for (std::size_t q = 0; q < chosen.of.size(); ++q) {
    const ChosenColumn& c = chosen.of[q];
    if (c.column < 0) continue;
    const auto at = std::find(places.begin(), places.end(), c.column) - places.begin();
    measured.of[q] = values[at];
    for (double& v : measured.of[q]) v *= c.factor;
  }
  return measured;
}

// Two components become one, along the way from the first sample to the one farthest from it. The
// force is that against the motion: measured on the foot or on the rig, it is positive on the way out.
void combine_drag(Measured& measured, Recording& r) {
  const std::size_t n = r.rows.size();
  r.shear_zero_is_known = measured[Quantity::x].empty() && measured[Quantity::y].empty();
  const auto either = [&](Quantity a, Quantity b) {
    Values& v = measured[a].empty() ? measured[b] : measured[a];
    return v.empty() ? Values(n, 0.0) : v;
  };
  const Values x = either(Quantity::shear_displacement, Quantity::x);
  const Values y = either(Quantity::shear_displacement_y, Quantity::y);
  const Values Fx = either(Quantity::tangential_force, Quantity::tangential_force);
  const Values Fy = either(Quantity::tangential_force_y, Quantity::tangential_force_y);
  // A press on the rig writes these columns too, as zeros.
  if ((all_zero(x) && all_zero(y)) || (all_zero(Fx) && all_zero(Fy))) return;
  std::size_t far = 0;
  const auto way = [&](std::size_t i) { return std::hypot(x[i] - x[0], y[i] - y[0]); };
  for (std::size_t i = 1; i < n; ++i) {
    if (way(i) > way(far)) far = i;
  }
  if (way(far) == 0) return;
  const double ux = (x[far] - x[0]) / way(far), uy = (y[far] - y[0]) / way(far);
  double sum = 0;
  for (std::size_t i = 0; i <= far; ++i) sum += Fx[i] * ux + Fy[i] * uy;
  const double sign = sum < 0 ? -1 : 1;
  r.shear_displacement.resize(n);
  r.tangential_force.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    r.shear_displacement[i] = x[i] * ux + y[i] * uy;
    r.tangential_force[i] = sign * (Fx[i] * ux + Fy[i] * uy);
  }
}

ColumnWords words_of(const ChosenColumns& chosen) {
  const Quantity depth = chosen.has(Quantity::sinkage) ? Quantity::sinkage : Quantity::height;
  const auto unit = [&](Quantity q) { return chosen.has(q) ? chosen[q].unit->name : ""; };
  return {chosen[Quantity::time].name, chosen[depth].name, chosen[Quantity::normal_force].name,
          unit(depth), unit(Quantity::normal_force)};
}

Recording read_table(const std::filesystem::path& file, RecordingTable& table,
                     const ReadOptions& options, std::vector<std::string>& warnings) {
  const ColumnMapping mapping =
      options.columns.empty() ? ColumnMapping{} : read_mapping(options.columns);
  if (options.columns.empty() && table.unnamed_row() > 0) {
    throw input_error("{}:{}: numbers only, expected a header first: names and units of the "
                      "columns, as in 'time_s,sinkage_mm,normal_force_N'; or a mapping by numbers, "
                      "[columns] normal_force = {{column = 3, unit = \"N\"}}",
                      file.string(), table.unnamed_row());
  }
  const ChosenColumns chosen = choose_columns(table.columns(), mapping, file.string());
  Measured measured = read_columns(table, chosen);

  Recording r;
  r.file = file;
  r.rows = table.rows();
  r.time = std::move(measured[Quantity::time]);
  r.zero_is_known = chosen.has(Quantity::sinkage);
  r.sinkage = std::move(measured[r.zero_is_known ? Quantity::sinkage : Quantity::height]);
  const Quantity position = r.zero_is_known ? Quantity::sinkage : Quantity::height;
  if (chosen.has(position)) r.position_sign = chosen[position].factor < 0 ? -1 : 1;
  if (!r.zero_is_known) {
    r.position_sign = -r.position_sign;
    for (double& z : r.sinkage) z = -z;
  }
  r.sinkage_rate = std::move(measured[Quantity::sinkage_rate]);
  r.body_sinkage = std::move(measured[Quantity::body_sinkage]);
  r.normal_force = std::move(measured[Quantity::normal_force]);
  const ColumnWords words = words_of(chosen);
  check_rows(r, words);
  if (chosen.drag()) combine_drag(measured, r);
  check_signs(r, words);
  check_saturation(r, words);
  check_units(r, words, options.accept_implausible, warnings);
  return r;
}

}  // namespace

Recording read_recording(const std::filesystem::path& file, const ReadOptions& options,
                         std::vector<std::string>& warnings) {
  return read_table(file, *open_table(file), options, warnings);
}

Recording read_recording(const std::string& name, const std::vector<RecordedColumn>& columns,
                         const ReadOptions& options, std::vector<std::string>& warnings) {
  std::vector<MemoryColumn> table;
  table.reserve(columns.size());
  for (const RecordedColumn& column : columns) table.push_back({{column.name, ""}, column.values});
  return read_table(name, *make_table(name, std::move(table)), options, warnings);
}

}  // namespace footfall
