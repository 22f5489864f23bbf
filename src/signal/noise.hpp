// How much a measured series scatters from sample to sample, and without its spikes.
#pragma once

#include <vector>

namespace footfall {

double median_of(std::vector<double> values);         // 0 of none
double median_step(const std::vector<double>& time);  // 0 of fewer than two

// Standard deviation of white noise on a smooth series: from fourth differences, which a cubic
// does not feel, by the median of their size, which jumps do not feel.
double noise_of(const std::vector<double>& values);

// The same, but 0 of a series that is only sampled coarsely: of noise, sixth differences tell as much as
// fourth ones, of a smooth motion far less.
double clear_noise_of(const std::vector<double>& values);

// Samples that are more than eight noises off the median of the seven about them become that median: a
// spike goes, a rise and a kink stay.
std::vector<double> remove_spikes(std::vector<double> values);

}  // namespace footfall
