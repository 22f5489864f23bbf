// Student's t distribution: how many standard errors an interval needs.
#pragma once

namespace footfall {

// Probability of a value below t.
double student_t_probability(double t, double degrees_of_freedom);
// t with this probability below it, 0 < probability < 1.
double student_t_quantile(double probability, double degrees_of_freedom);

}  // namespace footfall
