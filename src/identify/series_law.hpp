// Pad and soil in series: the force at a total deflection, with derivatives by every parameter.
// Equations in identify/series_fit.hpp.
#pragma once

#include <Eigen/Core>

#include "identify/normal_bearing.hpp"
#include "rig/root.hpp"

namespace footfall {

// Order of the parameters; the last is the contact offset of the test at hand.
enum SeriesIndex { kPadStiffness, kPadExponent, kSoilModulus, kSoilExponent, kFootWeight, kOffset };
using SeriesGradient = Eigen::Matrix<double, 6, 1>;

struct SeriesParameters {
  double pad_stiffness = 0, pad_exponent = 1;  // k_F [N/m^n_F], n_F
  double modulus = 0, exponent = 1;            // k [Pa/mⁿ], n
  double foot_weight = 0;                      // m_F g [N]
};

// Something and its derivatives by the parameters.
struct SeriesValue {
  double value = 0;
  SeriesGradient gradient = SeriesGradient::Zero();
};

// The deepest point of a press, from which the foot is lifted.
struct SeriesTurn {
  SeriesValue force, sinkage;    // F [N] and δ_T [m] there
  SeriesValue footprint;         // δ_p [m]
  SeriesValue unload_stiffness;  // k_u [N/m]
};

// One foot on one soil.
class SeriesLaw {
 public:
  // `bearing` is set to the exponent, and stays.
  SeriesLaw(const SoleBearing& bearing, const SeriesParameters& parameters);

  // F and δ_T while the pair is pressed further than ever.
  struct Loaded {
    SeriesValue force, sinkage;
  };
  Loaded load(double deflection, double guess) const;
  SeriesTurn turn(double deflection) const;
  SeriesValue unload(const SeriesTurn& turn, double deflection) const;  // F

 private:
  struct Soil {
    SeriesValue force;
    double slope;  // by sinkage
  };
  struct Pad {
    SeriesValue compression;
    double slope;  // by the force F
  };
  Soil press_soil(double sinkage) const;
  ValueAndSlope compress(double force) const;
  Pad press_pad(double force) const;

  const SoleBearing& bearing_;
  SeriesParameters p_;
};

}  // namespace footfall
