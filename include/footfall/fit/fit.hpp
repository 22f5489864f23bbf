// Fit: parameters of a law from measurements, by least squares, and how sure each of them is.
//
//   min_x Σ_i ρ( (r_i(x)/s_i)² ),  lower ≤ x ≤ upper            r_i: model minus measurement
//
// s_i is the scatter of the residual's channel (force, sinkage, …); where there is more than one it is
// found from the residuals themselves, in turns with x, until both stand still (for normal scatter
// that is the likeliest x). ρ is the square, or Huber's or Cauchy's loss beyond `robust_scale`
// scatters. Solved by Levenberg and Marquardt's method (fit/least_squares.hpp) from one or several starts, or by
// Nelder and Mead's simplex as Ding 2013 does, for comparison.
//
//   covariance  C = H⁻¹ M H⁻¹, H = JᵀJ of the scaled residuals (with a robust loss of its slopes ψ, and
//        H times mean ψ'). M, how the gradient scatters from test to test, is taken
//        from the spread between files where it leaves a degree of freedom; else from residuals as noise and
//        a process along `place`; without places from σ² (1 + ρ₁)/(1 − ρ₁), ρ₁ the correlation from one
//        sample to the next where that is beyond chance. fit/fit_noise.hpp
//   interval    x ± t √C_xx, within the bounds; of a logarithmic parameter in its logarithm; t with the
//        degrees of freedom of M
//
// Parameters at a bound count as free in C, which makes the errors of the others rather too large.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace footfall {

struct FitParameter {
  std::string name;  // "n"
  std::string unit;  // "N/m^n"; empty: a plain number
  double start = 0;  // or the value, where fixed
  double lower = 0, upper = 0;
  bool logarithmic = false;  // positive and of unknown size: fitted as its logarithm
  bool fixed = false;
  bool nuisance = false;  // unknown, but not asked for (contact offset, speed at the touch)
  // Further ones, for problems with several valleys: start number i takes the i-th of every list
  // (`start` where a list is shorter).
  std::vector<double> starts = {};
};

struct FitProblem {
  std::vector<FitParameter> parameters;
  int residual_count = 0;
  std::vector<std::string> groups;  // one per file
  std::vector<int> group;           // of each residual, by rising index; neighbours are in order
  std::vector<std::string> channels = {"N"};  // units of the residuals' channels
  std::vector<int> channel = {};              // of each residual; empty: all of the first
  // Of each residual: sinkage, way or time along which its neighbours resemble it; empty: not known.
  std::vector<double> place = {};
  std::vector<double> data = {};  // what each residual was measured as; empty: not known
  // Of each group: its residuals count so many times, for files of small forces, which scatter less. Empty: 1.
  std::vector<double> weight = {};
  // Of each group: parameters that it alone cannot tell, though its noise may look so. Empty: none.
  std::vector<std::vector<int>> untold = {};
  // The parameter by which the shape of the curve changes (n, K): runs differ in size and in it. −1: a
  // power of the place.
  int shape = -1;
  // What would tell two parameters apart that trade off, for a warning.
  std::string advice = "add a second load, or sink deeper";
  // Residuals at x (all parameters, fixed ones too), and unless `jacobian` is null their derivatives,
  // row by row. False where the law has no value at x.
  std::function<bool(std::span<const double> x, std::span<double> residuals, double* jacobian)>
      evaluate;
};

enum class FitMethod { least_squares, nelder_mead };
enum class Loss { square, huber, cauchy };

// What the standard errors are taken from, see above.
enum class ErrorModel { samples, along_place, between_files };

struct FitOptions {
  FitMethod method = FitMethod::least_squares;
  Loss loss = Loss::square;
  double robust_scale = 1.5;  // in scatters
  double confidence = 0.95;
  int starts = 1;         // most starts taken from the parameters' lists, the first included
  bool per_group = true;  // fit each group alone too, for the spread between files
};

struct Estimate {
  std::string name, unit;
  double value = 0;
  double standard_error = 0;
  double lower = 0, upper = 0;  // confidence interval
  double freedom = 0;           // degrees of freedom of its t
  bool fixed = false, nuisance = false;
  bool at_bound = false;
};

// What the residuals look like. Each is over the first channel, and of residuals times their weight.
struct ResidualDiagnostics {
  double mean = 0;
  double largest = 0;          // absolute
  double scatter = 0;          // robust: 1.4826 times the median of absolute values
  double lag_correlation = 0;  // ρ₁, from one sample to the next within a file
  double normality_p = 1;      // of Jarque and Bera's test
  int outliers = 0;            // beyond 4 scatters
  double inflation = 1;        // standard errors over those of independent samples
  bool round_off = false;      // nothing but that: no outliers and no test of normality then
};

struct GroupFit {
  std::string name;
  int residual_count = 0;
  double rms_residual = 0, mean_residual = 0;  // of the joint fit, first channel
  // Fitted to this file alone; what it cannot tell is fixed at the value of all. Empty where it tells
  // nothing, or where there is no other file.
  std::vector<Estimate> alone = {};
};

// How runs differ from the common law F: run g is off by F a_g + q b_g, q = ∂F/∂x_shape − κF, or
// F (ln s − κ) where the problem has no shape. What is left of the residuals has variance α + βF².
struct RunScatter {
  bool known = false;                                 // false: the files do not tell
  int shape = -1;                                     // as in the problem
  double centre = 0;                                  // κ
  Eigen::Matrix2d between = Eigen::Matrix2d::Zero();  // covariance of (a, b)
  double shape_freedom = 0;              // degrees of freedom of b; of a: error_freedom
  double noise = 0, relative_noise = 0;  // α, β
  double shape_quantile = 0;             // of t, of b
  double many_quantile = 0;              // of t, where the noise is all that counts
};

struct Fit {
  std::vector<Estimate> parameters;  // in the problem's order
  Eigen::MatrixXd covariance;        // of all parameters; zero for fixed ones
  Eigen::MatrixXd correlation;
  // Directions (columns) in which the parameters can change and no residual does. The covariance is
  // that of all other directions; parameters with a part in them have infinite standard errors.
  Eigen::MatrixXd undetermined;
  std::vector<double> residuals;
  std::vector<double> scatter;  // s of each channel
  double rms_residual = 0;      // of the first channel
  int residual_count = 0, degrees_of_freedom = 0;
  ErrorModel errors = ErrorModel::samples;
  double error_freedom = 0;  // degrees of freedom of t
  double t_quantile = 0;     // of the law's band
  double confidence = 0.95;
  RunScatter runs;
  double aicc = 0;  // corrected information criterion
  ResidualDiagnostics diagnostics;
  std::vector<GroupFit> groups;
  std::vector<double>
      spread;  // standard deviation between files of each parameter; empty: one file
  int iterations = 0;
  int starts = 1, starts_that_agree = 1;
  bool converged = false;
  // Sentences for the user: trade-offs ("n and k trade off, correlation 0.99"), bounds, no
  // convergence, misfit.
  std::vector<std::string> warnings;

  double value(const std::string& name) const;  // throws std::out_of_range
  const Estimate& find(const std::string& name) const;
};

// Throws InputError where there are fewer residuals than unknowns, or the law has no value at any
// start.
Fit fit(const FitProblem& problem, const FitOptions& options = {});

// Half the width of the confidence band of something with this gradient by the parameters. Infinite
// where it changes along an undetermined direction.
double band_half_width(const Fit& fit, std::span<const double> gradient);

// Half the width of the band that holds a sample of a new run at this place, where the law has this value and
// gradient. Infinite where the files do not tell how runs differ (RunScatter::known).
double prediction_half_width(const Fit& fit, std::span<const double> gradient, double place,
                             double value);

// Root mean square of residuals that were left out while fitting: fold by fold, a fold being a group
// where there are at least three, else every fifth stretch of samples. First channel.
double cross_validate(const FitProblem& problem, const FitOptions& options = {}, int folds = 5);

}  // namespace footfall
