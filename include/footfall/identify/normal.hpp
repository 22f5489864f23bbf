// Normal force: static pair, plates, impacts. Ding 2013 (57)–(60).
//
// | model            | F_N                                        | parameters                      |
// |------------------|--------------------------------------------|---------------------------------|
// | spring           | k δ                                        | k [N/m]                         |
// | hertz            | k δⁿ                                       | k [N/m^n], n                    |
// | spring_damper    | k δ + b δ̇                                  | k, b [N s/m]                    |
// | simple_hunt_crossley | k δⁿ + b δⁿ δ̇                          | k, n, b                         |
// | hunt_crossley    | k δⁿ + b δᵖ δ̇^q                            | k, n, b, p, q                   |
// | bernstein        | k ∫ sⁿ dA (+ b δᵖ δ̇^q)                     | k [Pa/m^n], n (, b, p, q)       |
// | bekker           | (k_c/w + k_phi) ∫ sⁿ dA (+ …)              | k_c, k_phi, n (, b, p, q)       |
// | reece            | (C + G w) w^{-n} ∫ sⁿ dA (+ …)             | C = c k'_c [Pa], G = γ k'_φ [Pa/m], n |
//
// The first five (Table 5 of the paper) are laws of one foot on one ground, and need no sole; they also
// hold while the foot rises, never below zero. The last three are soils, with the exact integral of
// the sole (foot/foot_sole.hpp) and w its contact width; they yield, so only sinking counts, and their damping
// is smoothed at low speed as the engine's is (soil/plastic.hpp).
//
// To all of them belongs `foot_weight` m_F g [N], fixed at 0: the measured force is F_N + m_F g (65). And
// `contact_offset_1`, … [m], one per file: the touch is deeper by that much than was found; free where
// contact was found in the data, fixed at 0 where it was known.
//
// At very small sinkage yielding soil answers with its elastic line, not with the virgin curve
// (soil/plastic.hpp); so samples less deep than 20 µm, or a thousandth of the largest sinkage, do not
// count; of springs, a thousandth of it.
// Nor does soil answer faster than that line recovers: its damping is b δᵖ δ̇^q, at most τ k_u δ̇, with the
// k_u of soil without unloading modulus. That is what engine and rig do.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "footfall/identify/part.hpp"
#include "footfall/identify/rig_test.hpp"

namespace footfall {

enum class NormalModel {
  spring,
  hertz,
  spring_damper,
  simple_hunt_crossley,
  hunt_crossley,
  bernstein,
  bekker,
  reece,
};
const std::vector<std::string>& normal_model_names();  // in enum order
bool is_soil(NormalModel model);
bool has_damping(NormalModel model);  // b is unknown unless fixed; of soils where asked for

// A law with derivatives by everything. Not for several threads at once (set changes it).
class NormalLawFit {
 public:
  virtual ~NormalLawFit() = default;
  struct Value {
    double force = 0, sinkage_slope = 0, rate_slope = 0;
    double slope[6] = {};  // by each parameter
  };
  virtual void set(std::span<const double> parameters) = 0;
  virtual Value evaluate(double sinkage, double rate) const = 0;
};
// Its parameters (k, n, b, p, q or the soil's), with bounds and starts that suit the tests.
std::vector<FitParameter> normal_parameters(NormalModel model, bool with_damping,
                                            const std::vector<RigTest>& tests);
// `sole` only for soils. Parameters as in normal_parameters with damping.
std::unique_ptr<NormalLawFit>
make_normal_law(NormalModel model, const std::optional<FootSole>& sole, const NormalLaw& form = {});

struct NormalOptions : LawFitOptions {
  NormalModel model = NormalModel::bernstein;
  NormalLaw form = {};  // of soils: exact, or a formula of the paper
};

// (58): all samples while loading; of the first five models unloading and holding ones too, unless
// the force is less on the way up than on the way down (by 5 % of the largest, in the mean): a note then.
FittedLaw fit_static(const std::vector<RigTest>& tests, const NormalOptions& options);
// (59): one point per stretch of holding (its mean), or per row of a table of points.
FittedLaw fit_equilibrium(const std::vector<RigTest>& tests, const NormalOptions& options);

struct DynamicOptions : NormalOptions {
  // The equation of motion (47), integrated from the touch: M z̈ = M g + W − F_N(z, ż), fitted to the
  // measured force and sinkage; speed at the touch is unknown. Otherwise (60): force against measured
  // sinkage and smoothed rate.
  bool trajectory = true;
};
// Impacts. k and n are free too unless fixed. `impact_speed` [m/s] is one nuisance parameter per file
// ("impact_speed_1", …), with contact_time_1, … [s], by how much the touch was later than found, and
// contact_offset_1, … free where contact was found. Soils: until the foot has lost nine tenths of its speed. A spring may let go of
// the foot, which then flies and comes back. Where a test has no force, or no sinkage, the other is fitted.
FittedLaw fit_dynamic(const std::vector<RigTest>& tests, const DynamicOptions& options);

// k_TN and n_TN of a sole on a soil as the paper's table 7 writes them, F_N ≈ k_TN δ^{n_TN}, with n_TN = n, n + ½, n + 1 and
// k_TN such that both agree at `sinkage` [m].
struct FootForm {
  double stiffness = 0, exponent = 0;
};
FootForm foot_form(const FootSole& sole, const PlasticSoil& soil, double sinkage);

// Which law do the data ask for? The lower AICc, the better; weights are Akaike's.
struct ModelScore {
  std::string model;
  int unknowns = 0;
  double rms_residual_N = 0, aicc = 0, delta_aicc = 0, weight = 0, cross_validation_rms_N = 0;
  std::string note = {};  // why it could not be fitted
};
// All models that can be told by these tests: with impacts also those with damping.
std::vector<ModelScore> compare_models(const std::vector<RigTest>& tests,
                                       const DynamicOptions& options);

}  // namespace footfall
