// RigTest: a recording, understood: when the foot touched, what it did then, how fast.
//
// Position is smoothed and differentiated without shift in time: a Butterworth filter of second order
// forward and backward (so of fourth order, and half the power at 0.802 of its cut-off), cut-off
// stated. Only rates come from the smoothed position; laws are fitted to what was measured. A foot
// turns where its position comes back by more than its noise (8 standard deviations), and rests where
// it is slower than a tenth of the speed at which it went half of its way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "footfall/foot/foot_sole.hpp"
#include "footfall/io/recording.hpp"
#include "footfall/signal/smooth.hpp"

namespace footfall {

enum class Phase {
  air,        // before the touch, and after lift-off
  loading,    // sinking deeper than ever
  holding,    // at rest
  unloading,  // rising
  reloading,  // sinking where it was before
  impact,     // from a touch at speed until the foot first stops
  sliding,    // from the start of the drag until it turns back
};
const char* phase_name(Phase phase);

enum class TestKind { press, drop, drag, points };  // points: a table of states at rest
const char* test_kind_name(TestKind kind);

struct RigTest {
  Recording recording;
  std::string name;              // the file's, without folder
  std::optional<FootSole> sole;  // none: the law is that of this foot on this ground, k δⁿ
  std::optional<double> mass;    // of what falls [kg]
  double load = 0;               // force on it beside its weight [N]
  int number = 0;                // among all files, from 1; 0: its place among those of a fit

  TestKind kind = TestKind::press;
  std::vector<Phase> phase;       // of each sample
  int contact = 0;                // first sample that touches
  double contact_sinkage = 0;     // z(0): recording.sinkage at the touch [m]
  double contact_error = 0;       // how far off that may be; 0: known [m]
  double contact_time = 0;        // [s]
  double contact_time_error = 0;  // of a drop, by noise of the position; 0: known [s]
  double tare = 0;                // force in the air, subtracted from the recording's [N]
  double slide_start = 0;         // x(0) [m]
  std::vector<double> sinkage;    // since the touch, as measured [m]; empty: a drag without it
  std::vector<double> rate;       // of it, smoothed or as measured [m/s]
  double sample_rate = 0;         // [Hz], of the median step
  double cutoff = 0;              // of the filter [Hz]; 0: the rate was measured
};

enum class ContactRule { automatic, given, find };

struct PrepareOptions {
  std::optional<double> cutoff =
      {};                      // [Hz]; default: a twentieth of the sample rate, 2 Hz at least
  double impact_speed = 0.05;  // faster touches are impacts [m/s]
  bool tare = true;            // a force in the air that is not zero is subtracted
  ContactRule contact = ContactRule::automatic;  // given where the column is a sinkage, else find
  std::optional<TestKind> kind = {};  // default: drag where the foot moves sideways, else by speed
};

// Throws InputError: no contact, too few points (`least` per phase that its kind needs), the foot
// already touches in the first row while contact must be found.
RigTest prepare_test(Recording recording, const PrepareOptions& options,
                     std::vector<std::string>& warnings);

}  // namespace footfall
