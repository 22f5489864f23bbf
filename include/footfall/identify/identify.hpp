// Identification: from files of rig data to a soil that a scenario can stand on.
//
//   read_recording → prepare_test → the fits that the tests allow → Soil
//
// | part        | tests                    | parameters                        |
// |-------------|--------------------------|-----------------------------------|
// | static      | presses                  | k, n; k_c, k_phi, n (58)          |
// | equilibrium | tables of points, holds  | the same (59)                     |
// | dynamic     | drops                    | b, p, q, and k, n where not known (60) |
// | shear       | drags of a known foot    | c, phi, K (61), (62)              |
// | friction    | drags                    | mu, K                             |
// | series      | presses of a padded foot | k_F, n_F, k, n (48), (50)         |
//
// A static part beside a dynamic one gives it k and n, as Ding 2013 does in two steps.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "footfall/identify/normal.hpp"
#include "footfall/identify/part.hpp"
#include "footfall/identify/rig_test.hpp"
#include "footfall/io/recording.hpp"
#include "footfall/soil/soil_entry.hpp"

namespace footfall {

enum class FitKind { statics, equilibrium, dynamics, shear, friction, series };
const std::vector<std::string>& fit_part_names();  // "static", …, in enum order

struct IdentifyInput {
  std::filesystem::path file;
  std::vector<RecordedColumn> table = {};  // in place of what the file holds; it is then a name
  std::optional<FootSole> sole = {};
  std::optional<double> mass = {};    // of what falls [kg]
  double load = 0;                    // force on it beside its weight [N]
  std::optional<TestKind> kind = {};  // default: as the data look
};

struct IdentifyRequest {
  std::vector<IdentifyInput> inputs = {};
  ReadOptions read = {};
  PrepareOptions prepare = {};
  std::vector<FitKind> parts = {};        // empty: what the kinds of the tests allow
  std::optional<NormalModel> model = {};  // default: see default_model
  NormalLaw form = {};
  ShearForm shear = ShearForm::exponential;
  FitOptions fit = {};
  std::optional<int> starts = {};  // default: 1; of dynamic and series, by least squares, 8
  std::map<std::string, double> fix = {};
  std::set<std::string> free = {};
  bool direct = false;             // dynamic by (60) instead of the equation of motion
  bool compare = false;            // fit every model
  std::optional<Soil> known = {};  // its k and n are taken as known for the dynamic part
  // What was not identified comes from here. Default: dry-sand for [terramechanics], soft-ground for
  // [compliant].
  std::optional<Soil> base = {};
  std::string soil_name = "identified";
  std::function<void(double)> progress = {};  // share done
};

struct Identification {
  std::vector<RigTest> tests;  // in the order of the inputs
  std::optional<NormalModel> model;
  std::vector<FittedLaw> parts;
  std::vector<ModelScore> models;  // if compared
  // Why it was done like this ("k and n are those of the static part"): worth knowing, not worrying.
  std::vector<std::string> notes;
  std::vector<std::string> warnings;
  std::optional<Soil> soil;            // none: the values are outside of what a soil may have
  std::string soil_problem;            // then: why
  std::string soil_text;               // as a soil file, with provenance; empty: no soil
  std::vector<std::string> from_base;  // keys of the soil that were not identified
};

// The files, read and understood.
std::vector<RigTest> load_tests(const IdentifyRequest& request, std::vector<std::string>& warnings);
// With damping where there are drops: hunt_crossley or hertz without soles; else bernstein, and
// bekker where the feet have several contact widths.
NormalModel default_model(const std::vector<RigTest>& tests, bool with_damping);

// Both throw InputError for bad data, or where the tests cannot give what was asked for.
Identification identify(const IdentifyRequest& request);
Identification identify(std::vector<RigTest> tests, const IdentifyRequest& request);

// Each parameter once: that of the first part that fitted it, else that of the first that has it.
struct NamedEstimate {
  Estimate estimate;
  std::string part;
};
std::vector<NamedEstimate> all_parameters(const std::vector<FittedLaw>& parts);

}  // namespace footfall
