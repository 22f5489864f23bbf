// Smoothing and differentiating sampled values without a shift in time.
#pragma once

#include <vector>

namespace footfall {

// Zero-phase Butterworth of second order, forward and backward, over evenly spaced samples; ends are
// mirrored about their values. Uneven samples are put on an even grid and back.
std::vector<double> smooth(const std::vector<double>& time, const std::vector<double>& values,
                           double cutoff);
// Central differences of the smoothed values, one-sided at the ends.
std::vector<double> differentiate(const std::vector<double>& time,
                                  const std::vector<double>& values);

}  // namespace footfall
