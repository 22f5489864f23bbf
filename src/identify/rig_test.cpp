#include "footfall/identify/rig_test.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "identify/rig_test_parts.hpp"
#include "input_error.hpp"
#include "signal/noise.hpp"

namespace footfall {
namespace {

constexpr double kLeastCutoff = 2;          // [Hz]
constexpr double kCutoffOfSampleRate = 20;  // the sample rate over the cut-off
constexpr int kLeastOfPhase = 5;            // samples of the phase that a test is about
// The surface is not where the sinkage is zero if the force reaches a twentieth of its most before, or
// only beyond this share of the depth (a sphere in snow, F ∝ δ^2.6: 0.32).
constexpr double kLate = 0.6;

void find_rate(RigTest& test, const PrepareOptions& options) {
  const Recording& r = test.recording;
  if (!r.sinkage_rate.empty() && !options.cutoff) {
    test.rate = r.sinkage_rate;
    return;
  }
  test.cutoff =
      options.cutoff.value_or(std::max(kLeastCutoff, test.sample_rate / kCutoffOfSampleRate));
  if (options.cutoff && !(test.cutoff > 0 && test.cutoff < 0.5 * test.sample_rate)) {
    throw input_error(
        "{}: cutoff = {:g} Hz, expected above 0 and below {:g} Hz, half of the sample rate",
        r.file.string(), test.cutoff, 0.5 * test.sample_rate);
  }
  test.rate = differentiate(r.time, smooth(r.time, r.sinkage, test.cutoff));
}

bool must_find(const Recording& r, ContactRule rule) {
  return rule == ContactRule::find || (rule == ContactRule::automatic && !r.zero_is_known);
}

// Does the force agree that the surface is at zero?
void warn_of_zero(const RigTest& test, std::vector<std::string>& warnings) {
  const Recording& r = test.recording;
  const std::vector<double> force = remove_spikes(r.normal_force);
  const double most = *std::max_element(force.begin(), force.end());
  const double deepest = *std::max_element(r.sinkage.begin(), r.sinkage.end());
  std::size_t i = 0;
  while (force[i] < 0.05 * most) ++i;
  const bool early = i < static_cast<std::size_t>(test.contact) && r.sinkage[i] < -0.05 * deepest;
  const bool late = i > static_cast<std::size_t>(test.contact) && r.sinkage[i] > kLate * deepest;
  if (!early && !late) return;
  warnings.push_back(
      fmt::format("{}:{}: the force begins to rise at a sinkage of {:.3g} mm, of {:.3g} "
                  "mm in all: is the zero of the sinkage the surface? If not, let the "
                  "contact be found",
                  r.file.string(), r.rows[i], 1e3 * r.sinkage[i], 1e3 * deepest));
}

// Takes what the load cell shows in the air off its force.
void subtract_tare(RigTest& test, Contact& contact, bool subtract,
                   std::vector<std::string>& warnings) {
  if (contact.tare == 0) return;
  const std::string found = fmt::format("{}: the force in the air is {:.3g} N",
                                        test.recording.file.string(), contact.tare);
  if (!subtract) {
    warnings.push_back(found + ", not subtracted, as foot_weight is fixed");
    return;
  }
  warnings.push_back(found + ", subtracted: the load cell was not set to zero");
  test.tare = contact.tare;
  for (double& F : test.recording.normal_force) F -= contact.tare;
  contact.floor.mean -= contact.tare;
  contact.floor.level -= contact.tare;
}

Contact place_contact(RigTest& test, const PrepareOptions& options,
                      std::vector<std::string>& warnings) {
  Recording& r = test.recording;
  const bool find = must_find(r, options.contact);
  Contact contact = find ? find_contact(r) : contact_at_zero(r);
  test.contact = contact.first;
  test.contact_sinkage = contact.sinkage;
  test.contact_error = contact.error;
  test.contact_time = contact.time;
  test.sinkage = r.sinkage;
  for (double& z : test.sinkage) z -= contact.sinkage;
  subtract_tare(test, contact, options.tare, warnings);
  if (!find) warn_of_zero(test, warnings);
  return contact;
}

TestKind choose_kind(const RigTest& test, const PrepareOptions& options) {
  const Recording& r = test.recording;
  if (options.kind == TestKind::drag && r.shear_displacement.empty()) {
    throw input_error("{}: as a drag, expected columns of way and force sideways that are not all "
                      "zero ('shear_displacement_mm', 'tangential_force_N')",
                      r.file.string());
  }
  if ((options.kind == TestKind::press || options.kind == TestKind::drop) && r.time.empty()) {
    throw input_error("{}: as a {}, expected a column of the time ('time_s')", r.file.string(),
                      test_kind_name(*options.kind));
  }
  if (options.kind) return *options.kind;
  if (!r.shear_displacement.empty()) return TestKind::drag;
  return r.time.empty() ? TestKind::points : TestKind::press;
}

void check_least(const RigTest& test, Phase phase) {
  const auto count = std::count(test.phase.begin(), test.phase.end(), phase);
  if (count >= kLeastOfPhase) return;
  const char* advice = phase == Phase::impact ? ": sample faster" : "";
  throw input_error("{}: {} samples of {} in this {}, expected {} or more{}",
                    test.recording.file.string(), count, phase_name(phase),
                    test_kind_name(test.kind), kLeastOfPhase, advice);
}

void prepare_points(RigTest& test) {
  const Recording& r = test.recording;
  if (r.sinkage.empty() || !r.zero_is_known) {
    throw input_error("{}: a table of points at rest (it has no time), expected a column of the "
                      "sinkage from the surface ('sinkage_mm')",
                      r.file.string());
  }
  test.sinkage = r.sinkage;
  test.rate.assign(r.rows.size(), 0.0);
  test.phase.assign(r.rows.size(), Phase::holding);
}

void prepare_drag(RigTest& test, const PrepareOptions& options,
                  std::vector<std::string>& warnings) {
  Recording& r = test.recording;
  const std::size_t n = r.rows.size();
  test.phase.assign(n, Phase::holding);
  test.rate.assign(n, 0.0);
  // A drag usually starts when the foot is down already: then only a known sinkage is one.
  if (!r.sinkage.empty() && !must_find(r, options.contact)) {
    const Contact contact = place_contact(test, options, warnings);
    if (!r.time.empty()) {
      find_rate(test, options);
      test.phase = find_phases(test, contact.floor);
    }
  } else if (!r.sinkage.empty()) {
    warnings.push_back(
        fmt::format("{}: the sinkage of a drag is used only where it is from the surface "
                    "(a column 'sinkage'), so it is left out",
                    r.file.string()));
  }
  mark_sliding(test);
  check_least(test, Phase::sliding);
}

// The first sample that touches. Before the one that was found to do so there may have been an impact
// too short for its samples, after which the foot flew up again.
int find_fast_touch(const RigTest& test, double impact_speed) {
  const double noise = noise_of(test.sinkage);
  int i = 0;
  while (i < test.contact && !(test.sinkage[static_cast<std::size_t>(i)] >= -noise &&
                               test.rate[static_cast<std::size_t>(i)] > impact_speed)) {
    ++i;
  }
  return i;
}

void prepare_vertical(RigTest& test, const PrepareOptions& options,
                      std::vector<std::string>& warnings) {
  if (test.recording.sinkage.empty()) {
    throw input_error("{}: as a {}, expected a column of the sinkage ('sinkage_mm', 'z [mm]', …){}",
                      test.recording.file.string(), test_kind_name(test.kind),
                      test.recording.body_sinkage.empty()
                          ? ""
                          : "; that of the body alone serves --fit series only");
  }
  find_rate(test, options);
  const Contact contact = place_contact(test, options, warnings);
  const int touch = find_fast_touch(test, options.impact_speed);
  if (!options.kind && test.rate[static_cast<std::size_t>(touch)] > options.impact_speed) {
    test.kind = TestKind::drop;
  }
  if (test.kind == TestKind::drop && touch < test.contact) {
    test.contact = touch;
    test.contact_time = test.recording.time[static_cast<std::size_t>(touch)];
  }
  test.phase = find_phases(test, contact.floor);
  if (test.kind == TestKind::drop) {
    const double speed = test.rate[static_cast<std::size_t>(test.contact)];
    if (speed > 0) test.contact_time_error = contact.position_noise / speed;
    // A recording that starts below the surface, at speed, touched a moment before.
    const double below = test.sinkage[static_cast<std::size_t>(test.contact)];
    if (test.contact == 0 && below > 0 && speed > 0) test.contact_time -= below / speed;
    mark_impact(test);
    check_least(test, Phase::impact);
  } else if (std::count(test.phase.begin(), test.phase.end(), Phase::holding) < kLeastOfPhase) {
    check_least(test, Phase::loading);
  }
}

}  // namespace

const char* phase_name(Phase phase) {
  constexpr const char* names[] = {"air",       "loading", "holding", "unloading",
                                   "reloading", "impact",  "sliding"};
  return names[static_cast<std::size_t>(phase)];
}

const char* test_kind_name(TestKind kind) {
  constexpr const char* names[] = {"press", "drop", "drag", "points"};
  return names[static_cast<std::size_t>(kind)];
}

RigTest prepare_test(Recording recording, const PrepareOptions& options,
                     std::vector<std::string>& warnings) {
  RigTest test;
  test.name = recording.file.filename().string();
  test.recording = std::move(recording);
  const double step = median_step(test.recording.time);
  test.sample_rate = step > 0 ? 1 / step : 0;
  test.kind = choose_kind(test, options);
  switch (test.kind) {
  case TestKind::points:
    prepare_points(test);
    break;
  case TestKind::drag:
    prepare_drag(test, options, warnings);
    break;
  case TestKind::press:
  case TestKind::drop:
    prepare_vertical(test, options, warnings);
    break;
  }
  return test;
}

}  // namespace footfall
