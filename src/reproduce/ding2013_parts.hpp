// The parts of reproduce_ding2013. Each adds its items, tables and figures.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "footfall/foot/foot_sole.hpp"
#include "footfall/reproduce/reproduction.hpp"
#include "footfall/soil/soil_entry.hpp"

namespace footfall::ding2013 {

// The foot and the sizes of Figs. 11 and 13, and of the experiments.
inline constexpr double kRadius = 0.05;           // r, R [m]
inline constexpr double kWidth = 0.08;            // b [m]
inline constexpr double kPadStiffness = 1.194e4;  // k_FN, section 5.2 [N/m]
inline constexpr double kFootWeight = 53.0;       // m_F g, section 5.2 [N]
inline constexpr double kLoad = 250;              // W, Table 8 [N]

using Soils = std::vector<Soil>;

void add_cylinder(const Soils& soils, Reproduction& out);           // (29), Fig. 11
void add_sphere(const Soils& soils, Reproduction& out);             // (33), (34), Fig. 13
void add_soils(const Soils& soils, Reproduction& out);              // Table 6, Fig. 8
void add_feet(const Soils& soils, Reproduction& out);               // Table 7
void add_shear(const Soils& soils, Reproduction& out);              // (37)-(44), Figs. 14, 15
void add_springs(const Soils& soils, Reproduction& out);            // (7), (52)
void add_impacts(const Soils& soils, Reproduction& out);            // Figs. 20, 23, 27
void add_soft_on_soft(const Soils& soils, Reproduction& out);       // (68), Fig. 26
void add_identified_tables(Reproduction& out);                      // Tables 9 to 12
void add_round_trip(const ShareDone& progress, Reproduction& out);  // section 4.2

// The plastic law of a soil of the library.
const PlasticSoil& plastic_soil(const Soils& soils, const char* name);

// `curve` at evenly spaced points from `first` to `last`, both axes times a factor to their unit.
template <class Curve>
PlotLine sample_line(const std::string& label, double first, double last, const Curve& curve,
                     double x_factor = 1, double y_factor = 1) {
  constexpr int kPoints = 200;
  PlotLine line{.label = label};
  for (int i = 0; i <= kPoints; ++i) {
    const double x = first + (last - first) * i / kPoints;
    line.x.push_back(x_factor * x);
    line.y.push_back(y_factor * curve(x));
  }
  return line;
}

// The largest |curve| on evenly spaced points from 0 to `last`.
template <class Curve>
double largest_of(double last, const Curve& curve) {
  constexpr int kPoints = 2000;
  double largest = 0;
  for (int i = 0; i <= kPoints; ++i) {
    largest = std::max(largest, std::abs(curve(last * i / kPoints)));
  }
  return largest;
}

}  // namespace footfall::ding2013
