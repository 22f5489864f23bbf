// Force against measured sinkage and rate as a least-squares problem: what (58), (59) and (60) of
// Ding 2013 share.
#pragma once

#include <string>
#include <vector>

#include "footfall/identify/normal.hpp"

namespace footfall {

// The samples of one test that count.
struct ForceSamples {
  const RigTest* test = nullptr;
  std::vector<double> sinkage, rate, force;  // since the touch [m], [m/s], as measured [N]
  int number = 0;                            // of the file
  std::string problem = {};                  // why there are none, with the file's name
  std::string note = {};                     // why there are fewer than there could be
  bool follow = false;                       // samples follow each other: no points at rest
};

// Throws InputError with the test's name where it has no normal force.
void require_force(const RigTest& test);
// Throws InputError with their problems where no test has samples.
void require_some(const std::vector<ForceSamples>& samples);
// Its number, or its place among the tests of a fit (from 0) and one.
int file_number(const RigTest& test, std::size_t place);

// Sinkage below which a sample does not count [m]: a thousandth of the largest, where its zero is all
// that counts. Yielding soil answers with its elastic line there, not with the virgin curve, and up to
// 20 µm (soil/plastic.hpp).
double least_sinkage(const RigTest& test, bool yields);
// What (58), (59) and (60) take of each test. All throw InputError where nothing is found.
std::vector<ForceSamples> find_static_samples(const std::vector<RigTest>& tests, bool yields);
std::vector<ForceSamples> find_rest_samples(const std::vector<RigTest>& tests, bool yields);
std::vector<ForceSamples> find_impact_samples(const std::vector<RigTest>& tests, bool yields);
// The sample after the last that counts. Soil that yields is followed to the first stop, or until the
// foot has only a tenth of its speed (a hundredth of its energy) or 20 mm/s: then soil/plastic.hpp
// smooths the law, and its elastic line limits it. A spring is followed to the second lift-off, or until
// the foot rests and a fourth longer.
std::size_t find_impact_end(const RigTest& test, bool yields);

// A law's parameters as make_normal_law wants them: those of damping may be left out of `x`, and are
// then zero.
std::vector<double> pad_parameters(NormalModel model, std::span<const double> x);
// How many parameters the law itself has: the first ones of every problem.
int law_parameter_count(NormalModel model, bool with_damping);

// foot_weight, as every problem has it after the law's own parameters.
FitParameter foot_weight_parameter(double largest_force);
// contact_offset_<number>: free where the contact was found in the data.
FitParameter contact_offset_parameter(const RigTest& test, int number);

// Parameters: those of the law, foot_weight, and contact_offset_1, … one per test that has samples,
// numbered as the files are. One residual per sample.
FitProblem make_force_problem(std::vector<ForceSamples> samples, const NormalOptions& options,
                              bool with_damping);

// Fits it so that Bekker's and Reece's pairs give a positive pressure under all of these widths, one per group. Where
// that takes holding them, `problem` is changed so that one modulus follows the other, and a warning says so.
Fit fit_positive(FitProblem& problem, const std::vector<double>& widths, NormalModel model,
                 const FitOptions& options);
// Of all tests that have samples, in the order of the problem's groups; empty: no soles.
std::vector<double> widths_of(const std::vector<ForceSamples>& samples);

// Fits it, with curves against sinkage, derived values and warnings.
FittedLaw fit_force(const std::string& name, std::vector<ForceSamples> samples,
                    const NormalOptions& options, bool with_damping);

// What tells the parameters of impacts apart.
constexpr const char* kDropAdvice = "add a drop from another height";

// Impacts through the equation of motion, with starts from (60).
FitProblem make_drop_problem(const std::vector<RigTest>& tests, const DynamicOptions& options);

// What one curve shows: residuals first … first + x.size() − 1.
struct CurveSource {
  std::string name;
  int first = 0;
  std::vector<double> x, data;
};
std::vector<FitCurve> make_curves(const FitProblem& problem, const Fit& fit,
                                  const std::vector<CurveSource>& sources);

// k_TN and n_TN of every sole among the tests, at its largest sinkage. Only of soils.
std::vector<Estimate> derive_foot_forms(const std::vector<const RigTest*>& tests,
                                        const NormalOptions& options, bool with_damping,
                                        const Fit& fit);
// All feet of one width: a sentence for Bekker's and Reece's pair, else none.
void warn_of_one_width(const std::vector<const RigTest*>& tests, const NormalOptions& options,
                       Fit& fit);
// "Bekker, F_N = …" with damping where asked for.
std::string describe_law(NormalModel model, bool with_damping);

}  // namespace footfall
