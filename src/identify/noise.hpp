// How much a measured series scatters from sample to sample.
#pragma once

#include <vector>

namespace footfall {

double median_of(std::vector<double> values);         // 0 of none
double median_step(const std::vector<double>& time);  // 0 of fewer than two

// Standard deviation of white noise on a smooth series: from fourth differences, which a cubic
// does not feel, by the median of their size, which jumps do not feel.
double noise_of(const std::vector<double>& values);

}  // namespace footfall
