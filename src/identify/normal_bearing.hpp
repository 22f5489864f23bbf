// SoleBearing: ∫ sⁿ dA of a sole with its derivatives by sinkage and by n, for fits that change n.
//
// Values are those of normal_force (foot/foot_sole.hpp) with K_σ = 1. The derivative by n:
//
//   flat, mesh   Σ A sⁿ ln s
//   ball         the closed form of soil/bearing.hpp, differentiated
//   rim          B ln δ + scale·Σ (dp_k/dn) εᵏ; dp_k/dn by central differences of fourth order
//   rim, δ > R   the integral as a sum over the points of its quadrature: Σ A sⁿ ln s again
//   a formula of the paper   all are g(δ) δⁿ, so B ln δ
//
// Elements of a mesh within 5 µm of height count as one. Of sums over many points (mesh, deep rim) those
// sunk by more than 0.3 mm are smooth, and tabulated in cubic pieces of 0.1 mm, made as they are
// needed. Relative error below 1e-5 where the sole has sunk by a millimetre.
#pragma once

#include <vector>

#include "footfall/foot/foot_sole.hpp"

namespace footfall {

struct BearingValue {
  double force = 0;           // B = F/K_σ [m^{n+2}]
  double slope = 0;           // dB/dδ
  double exponent_slope = 0;  // dB/dn
};

// Not for several threads at once: the table grows while it is read.
class SoleBearing {
 public:
  // Throws InputError where the form does not fit the sole.
  SoleBearing(const FootSole& sole, const NormalLaw& form);
  void set(double exponent);  // 0.05 to 3
  BearingValue evaluate(double sinkage) const;
  const FootSole& sole() const { return law_.sole; }

 private:
  void find_rim_slope();
  void add_element(double height, double area);

  struct Point {
    double height, area;  // of one point of the sum [m], [m²]
  };
  struct Sum {
    double force = 0, slope = 0, exponent_slope = 0, mixed_slope = 0;  // the last: d²B/dn dδ
  };
  struct Piece {
    bool made = false;
    std::size_t deep = 0;  // so many points are deep enough for a cubic
    Sum from, to;          // of them, at both ends
  };
  void add_points(std::size_t from, std::size_t to, double sinkage, Sum& sum) const;
  const Piece& find_piece(std::size_t number) const;
  BearingValue add_up(double sinkage) const;
  double exponent_slope(double sinkage, double force) const;

  SoleLaw law_;
  double rim_slope_[RimSeries::kTerms] = {};  // dp_k/dn
  std::vector<Point> points_;                 // by height
  double bin_start_ = 0;                      // height of the last point's first element [m]
  mutable std::vector<Piece> pieces_;         // of 0.1 mm, from the surface down
};

}  // namespace footfall
