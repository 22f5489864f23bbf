// Levenberg and Marquardt's method within bounds: the least sum of squares of residuals by their derivatives.
//
//   min_y ‖r(y)‖²,  lower ≤ y ≤ upper
//
// A step d minimises ‖r + J d‖² + ‖D d‖²/ρ, where D² is the diagonal of JᵀJ and ρ the radius of trust, which follows
// how well the last step was foretold (Nielsen 1999). A component that would leave its bounds ends on them, and the
// others are found again with it held there: a parameter that stays on its bound takes nothing from the rest.
// J is factored by Householder's QR, so that a digit of r costs a digit of y, not two. The search ends where the model
// foretells less of a fall than the sum can show; the last steps are not damped.
#pragma once

#include <functional>
#include <vector>

namespace footfall {

// Tolerances are those of the arithmetic: without scatter in the data y is found to nearly all digits.
struct SquaresOptions {
  int most_iterations = 500;
  int most_invalid_steps = 50;         // in a row, to places where there are no residuals
  double parameter_tolerance = 1e-13;  // length of D d by that of D y
  double cost_tolerance = 1e-15;       // change of the sum by itself
};

struct SquaresResult {
  int iterations = 0;  // steps tried
  bool converged = false;
};

// Residuals at y, and unless `jacobian` is null their derivatives, row by row. False where there are none.
using EvaluateSquares = std::function<bool(const double* y, double* residuals, double* jacobian)>;

// `y` starts within the bounds, which may be infinite, and ends at the best place found. At least as many residuals
// as components.
SquaresResult minimize_squares(const EvaluateSquares& evaluate, int residual_count,
                               const std::vector<double>& lower, const std::vector<double>& upper,
                               std::vector<double>& y, const SquaresOptions& options = {});

}  // namespace footfall
