// What one fit found, ready to be shown: parameters, and each file's data beside the law.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "footfall/fit/fit.hpp"

namespace footfall {

// What all fits share. Every law has a list of named parameters, some of them fixed unless asked for.
struct LawFitOptions {
  FitOptions fit = {};
  std::map<std::string, double> fix = {};  // name and value, in the parameter's unit
  std::set<std::string> free = {};         // names of those that are fixed otherwise
};
// Fixes and frees. "contact_offset" means contact_offset_1, … of all files, unless one of them is named
// too. Throws InputError for a name that is not there (and lists those that are), a value beyond the
// bounds, or to free what is free.
void apply_options(const LawFitOptions& options, std::vector<FitParameter>& parameters);

// One file's data and the fitted law at the same places.
struct FitCurve {
  std::string name;  // of the file
  std::vector<double> x, data, model;
  std::vector<double> half_width;  // of the law's confidence band
  std::vector<double>
      prediction;  // half the width of the band that holds a new run; empty: not known
};

struct FittedLaw {
  std::string name;  // "static", "dynamic", "shear", "series", …
  std::string law;   // in words and symbols: "Bekker, F_N = (k_c/b + k_phi) ∫ δⁿ dA"
  Fit fit;
  std::string x_label, x_unit;  // of the curves; y is a force [N] unless y_unit says otherwise
  std::string y_label = "normal force", y_unit = "N";
  std::vector<FitCurve> curves;
  // Values that follow from the parameters (k_TN and n_TN of the paper's table 7, c from μ, …),
  // with standard errors from the covariance.
  std::vector<Estimate> derived;
  int sample_count = 0;
  std::map<int, std::string> left_out = {};  // files that gave no sample, by number, and why
  std::vector<std::string> notes = {};  // what of the files was fitted, where not all that could be
};

}  // namespace footfall
