// What a request asks for and the tests or fits cannot use: refused, or said.
#pragma once

#include "footfall/identify/identify.hpp"

namespace footfall {

bool has_part(const std::vector<FitKind>& parts, FitKind part);
bool is_normal(FitKind part);  // static, equilibrium, dynamic
bool serves(const RigTest& test, FitKind part);

// Throws InputError for an option that none of the fits takes notice of.
void check_options(const IdentifyRequest& request, const std::vector<FitKind>& parts,
                   NormalModel model, const std::vector<RigTest>& tests);

// Throws InputError where a part's data tell none of its parameters.
void check_spread(const FittedLaw& part);

// A sentence for each file that no part took a sample from.
void warn_of_unused_files(const std::vector<FitKind>& parts, Identification& found);

// A sentence for each file that is given more than once.
void warn_of_repeated_files(const std::vector<IdentifyInput>& inputs,
                            std::vector<std::string>& warnings);

}  // namespace footfall
