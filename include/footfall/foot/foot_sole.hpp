// FootSole: the shape of one foot, and what soil answers when it sinks: the exact laws, and those of
// the paper by name.
//
// | sole      | size              | b (pressure law) | contact area S        | S_c (cohesion) |
// |-----------|-------------------|------------------|-----------------------|----------------|
// | disc      | radius r          | r                | πr²                   | S              |
// | rectangle | length a, width b | min(a, b)        | ab                    | S              |
// | cylinder  | radius r, width b | b                | 2rbθ₁                 | S/2            |
// | sphere    | radius R          | R                | 2πRδ                  | S/2            |
// | mesh      | triangles         | see make_mesh    | of all below ground   | S of its plan  |
//
// θ₁ = arccos((r−δ)/r) is the entry angle; round soles sunk beyond their radius count with their
// lower half (θ₁ = π/2, S = 2πR²). Ding 2013, Table 7.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "footfall/foot/sole.hpp"
#include "footfall/soil/bearing.hpp"
#include "footfall/soil/soil.hpp"

namespace footfall {

// A piece of a mesh's lower surface.
struct SoleElement {
  Vec3d position{0, 0, 0};  // of its centre, z up, the mesh's lowest vertex at z = 0 [m]
  double plan_area = 0;     // seen along z [m²]
  double surface_area = 0;  // [m²]
};

struct FootSole {
  SoleShape shape = SoleShape::sphere;  // hull: a mesh
  double radius = 0;                    // disc, cylinder, sphere [m]
  double length = 0;                    // a of a rectangle [m]
  double width = 0;  // b of a rectangle or cylinder; of a mesh its contact width [m]
  std::vector<SoleElement> elements;  // of a mesh, by height
};

// Each checks its sizes and throws InputError with the value and the expected range.
FootSole make_disc(double radius);
FootSole make_rectangle(double length, double width);
FootSole make_cylinder(double radius, double width);
FootSole make_sphere(double radius);
// Triangles are split so that no edge of an element is longer than `spacing` [m]; only faces that
// look down (seen from outside, their vertices go round against the clock) count. b is the least
// width of the plan, between two parallels. An element presses as its centre does, so the error of
// the force falls with (spacing/size)^{1+n}, and no faster than its square.
FootSole make_mesh(const std::vector<Vec3d>& vertices, const std::vector<std::array<int, 3>>& faces,
                   double spacing);

// Areas are zero above ground; a flat sole at δ = 0 touches with all of it.
double contact_width(const FootSole& sole);                  // b [m]
double contact_area(const FootSole& sole, double sinkage);   // S [m²]
double cohesive_area(const FootSole& sole, double sinkage);  // S_c [m²]
double plan_area(const FootSole& sole, double sinkage);      // projection of S [m²]
// θ₁ of a round sole [rad], Ding 2013 (20).
double entry_angle(double radius, double sinkage);

// How the normal force follows from the pressure law.
enum class ForceForm {
  exact,              // the integral of the true stress: bearing.hpp
  eq_25,              // cylinder: linearised stress, closed form with A and B
  eq_29a,             // cylinder: (25) with θ_m = 0
  eq_29b,             // cylinder: S σ_m/2
  eq_29c,             // cylinder: (√(2r) k_c + √(2r) b k_φ) δ^{n+1/2}
  eq_33,              // sphere: as printed, twice its own integral (31)
  eq_34,              // sphere: (π k_c + π R k_φ) δ^{n+1}
  linearized_stress,  // cylinder, sphere: the integral with linearised stress, done right
};
// "exact", "25", "29a", …, "34", "linearized": as the command line calls them, in enum order.
const std::vector<std::string>& force_form_names();
bool applies_to(ForceForm form, SoleShape shape);

struct NormalLaw {
  ForceForm form = ForceForm::exact;
  bool one_sided = false;  // only the side of a round sole that squeezes the soil carries: half
};

// One sole on one soil: what normal_force would find again on every call.
struct SoleLaw {
  FootSole sole;
  NormalLaw law;
  double modulus = 0;   // K_σ, halved where one_sided [Pa/mⁿ]
  double exponent = 1;  // n
  RimSeries rim{};      // of a cylinder with the exact law
};
// Throws InputError where a form does not fit the sole, or the soil's n or K_σ make no sense.
SoleLaw make_sole_law(const FootSole& sole, const PlasticSoil& soil, const NormalLaw& law = {});

// F_N [N] and dF_N/dδ [N/m] of the virgin curve; zero above ground. The one with a SoleLaw is for
// loops: that without needs a quarter of a millisecond for the series of a cylinder.
Bearing<double> normal_force(const SoleLaw& law, double sinkage);
Bearing<double> normal_force(const FootSole& sole, const PlasticSoil& soil, double sinkage,
                             const NormalLaw& law = {});

// The sinkage at which the virgin curve carries a load [m], to 1e-12 of itself. Throws InputError
// for a load that is negative or no number.
double find_sinkage(const SoleLaw& law, double load);
double find_sinkage(const FootSole& sole, const PlasticSoil& soil, double load,
                    const NormalLaw& law = {});

// The shear strength L = c S_c + F_N tanφ [N], Ding 2013 Table 7.
double shear_strength(const FootSole& sole, const PlasticSoil& soil, double sinkage,
                      double normal_force);

// The share of it mobilised after one-way shear displacement j: (37), (40) or (44).
double mobilized_shear(const PlasticSoil& soil, double shear_displacement);

}  // namespace footfall
