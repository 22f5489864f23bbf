// What is thrown when a user's input is wrong: a robot file, a scenario, an option.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace footfall {

// The message is one sentence for the user: which file or key, the value that was found, what to
// do. The program prints it as it is and ends with status 2.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws InputError "name = value, expected …" unless lower ≤ value ≤ upper; not a number fails too.
void check_range(const char* name, double value, double lower, double upper, const char* expected);

// The word among `known` that someone who typed `word` most likely meant; empty: none is near.
std::string nearest_word(const std::string& word, const std::vector<std::string>& known);

// ", did you mean 'x'?" or ", expected one of: a, b".
std::string suggestion(const std::string& word, const std::vector<std::string>& known,
                       const std::string& prefix = "");

}  // namespace footfall
