// W(θ) learned from a database: which functions, how well, and from which directions.
#pragma once

#include <vector>

#include "footfall/granular/wrench_database.hpp"

namespace footfall {

enum class Regression { rbf, gaussian_process, support_vector };

struct LearningOptions {
  Regression regression = Regression::rbf;
};

// The functions of a WrenchModel or WrenchSpace. Throws InputError where the database is too small for it.
WrenchExpansion learn_wrenches(const WrenchDatabase& database, const LearningOptions& options = {});

// What a regression says of configurations that it has not seen, as a scenario would with the rest of the data: cross-validation
// with all its hyper-parameters chosen anew in each fold; θ outside the rest is brought into it. Configurations go round
// the folds after a fixed shuffle.
struct RegressionScore {
  Regression regression = Regression::rbf;
  Hyperparameters hyperparameters;  // with all the data
  double error = 0;                 // rms over all wrenches, each part over its own rms [-]
  double force_x_error = 0;         // rms [N]
  double force_z_error = 0;         // rms [N]
  double torque_error = 0;          // rms [N m]
  double learning_time = 0;         // with all the data [s]
};

RegressionScore score_regression(const WrenchDatabase& database, Regression regression,
                                 int folds = 5);

// RBF interpolation, Gaussian process, support vectors: as in Zhu 2019, III.B.3.
std::vector<RegressionScore> compare_regressions(const WrenchDatabase& database, int folds = 5);

const char* regression_name(Regression regression);  // "rbf"
const char* kernel_name(Kernel kernel);              // "linear"

// Fewer directions: which of them W needs most. Directions are added one by one, with the ones that mirror
// them, each time those that gain most for each direction; what is lost is measured on W's support
// function h(u) = max over W of u · w, over 200 u spread over a sphere, with the wrenches of each configuration
// scaled to unit second moments.
struct DirectionChoice {
  std::vector<int> added;   // directions
  int count = 0;            // of directions so far
  double support_loss = 0;  // mean of h(u) that is lost, over the mean of h(u) [-]
  double worst_loss = 0;    // largest share of a configuration's largest h(u) [-]
  double volume_share = 0;  // of the hulls with zero, mean over configurations [-]
};

std::vector<DirectionChoice> rank_directions(const WrenchDatabase& database);

}  // namespace footfall
