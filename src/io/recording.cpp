#include "footfall/io/recording.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "io/columns.hpp"
#include "io/plausible.hpp"
#include "io/recording_table.hpp"

namespace footfall {
namespace {

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
    measured.of[q] = values[static_cast<std::size_t>(at)];
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

}  // namespace

Recording read_recording(const std::filesystem::path& file, const ReadOptions& options,
                         std::vector<std::string>& warnings) {
  const ColumnMapping mapping =
      options.columns.empty() ? ColumnMapping{} : read_mapping(options.columns);
  const std::unique_ptr<RecordingTable> table = open_table(file);
  const ChosenColumns chosen = choose_columns(table->columns(), mapping, file.string());
  Measured measured = read_columns(*table, chosen);

  Recording r;
  r.file = file;
  r.rows = table->rows();
  r.time = std::move(measured[Quantity::time]);
  r.zero_is_known = chosen.has(Quantity::sinkage);
  r.sinkage = std::move(measured[r.zero_is_known ? Quantity::sinkage : Quantity::height]);
  if (!r.zero_is_known) {
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

}  // namespace footfall
