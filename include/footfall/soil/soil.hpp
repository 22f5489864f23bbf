// Soil: what the ground is made of, as parameters of its laws. docs/theory/terramechanics.md derives
// them, soils/ holds the library.
//
// Pressure under a plate of smaller dimension b (radius of a disc, width of a rectangle or cylinder)
// that has sunk by δ, Ding 2013 (12)–(14):
//
//   Bernstein  σ = k δⁿ          Bekker  σ = (k_c/b + k_φ) δⁿ
//   Reece      σ = (c k'_c + γ_s b k'_φ) (δ/b)ⁿ
//
// All are σ = K_σ(b) δⁿ: the sinkage modulus K_σ is what everything else needs. Shear stress grows
// with the shear displacement j (Janosi–Hanamoto, Ding 2013 (15)): τ = (c + σ tanφ)(1 − e^{−|j|/K}).
//
// | symbol | field                   | unit         | valid       |
// |--------|-------------------------|--------------|-------------|
// | n      | exponent                | –            | 0.05 to 3   |
// | k      | sinkage_modulus         | Pa/mⁿ        | > 0         |
// | k_c    | cohesive_modulus        | Pa/m^{n−1}   | any, K_σ>0  |
// | k_φ    | frictional_modulus      | Pa/mⁿ        | any, K_σ>0  |
// | k'_c   | reece_cohesive_modulus  | –            | ≥ 0         |
// | k'_φ   | reece_frictional_modulus| –            | ≥ 0         |
// | γ_s    | unit_weight             | N/m³         | ≥ 0         |
// | c      | cohesion                | Pa           | ≥ 0         |
// | φ      | friction_angle          | rad          | [0, π/2)    |
// | K      | shear_modulus           | m            | > 0         |
// | b,p,q  | damping, …              | N s^q/m^{p+q}| ≥ 0         |
// | k_0    | unload_modulus          | Pa/m         | > 0 or A_u  |
// | A_u    | unload_modulus_slope    | Pa/m²        | ≥ 0         |
//
// K_σ must be positive under every foot of the widths that the soil was measured with, or where these are
// not known under feet from 3 mm to 3 m.
//
// (The text after Ding's (15) gives k_c in Pa/m^{n+1}; its Table 6, and (13), ask for Pa/m^{n−1}.)
#pragma once

namespace footfall {

enum class PressureLaw { bernstein, bekker, reece };

struct PressureSinkage {
  PressureLaw law = PressureLaw::bekker;
  double exponent = 1;                  // n
  double sinkage_modulus = 0;           // k, bernstein [Pa/mⁿ]
  double cohesive_modulus = 0;          // k_c, bekker [Pa/m^(n−1)]
  double frictional_modulus = 0;        // k_φ, bekker [Pa/mⁿ]
  double reece_cohesive_modulus = 0;    // k'_c [-]
  double reece_frictional_modulus = 0;  // k'_φ [-]
  double unit_weight = 0;               // γ_s, reece [N/m³]
};

// How shear stress approaches its limit, Ding 2013 (15), (39), (43).
enum class ShearForm {
  exponential,       // 1 − e^{−|j|/K}
  piecewise_linear,  // |j|/2K up to 1
  tanh,              // tanh(|j|/1.5K)
};

// What a soil was measured with: its parameters are not known beyond. 0: the limit is not known.
struct MeasuredRange {
  double least_width = 0, largest_width = 0;  // contact width of the feet, both or none [m]
  double largest_sinkage = 0;                 // [m]
  double largest_rate = 0;                    // of sinking [m/s]
};

// Soil that yields and stays down.
struct PlasticSoil {
  PressureSinkage pressure;
  double cohesion = 0;        // c [Pa]
  double friction_angle = 0;  // φ [rad]
  double shear_modulus = 0;   // K [m]
  ShearForm shear = ShearForm::exponential;
  // Damping while sinking, b δᵖ δ̇^q of the whole foot, whatever its size (Ding 2013 (8)).
  double damping = 0;           // b [N s^q/m^(p+q)]; 0: plastic work alone stops the foot
  double damping_exponent = 0;  // p
  double rate_exponent = 1;     // q
  // Unloading and reloading from the largest sinkage δ_max: σ falls with slope k_0 + A_u δ_max
  // (Wong 2008), see soil/plastic.hpp. Neither given: no rebound, Ding 2013 (54).
  double unload_modulus = 0;        // k_0 [Pa/m]
  double unload_modulus_slope = 0;  // A_u [Pa/m²]
  MeasuredRange measured = {};
};

// Ground that comes back, see ground/compliant.hpp. T: one value, or one per lane.
template <class T>
struct CompliantGround {
  T stiffness;             // k [N/mⁿ]
  T exponent;              // n
  T damping;               // b [N s^q/m^(p+q)]
  T damping_exponent;      // p
  T rate_exponent;         // q
  T shear_stiffness;       // k_t [N/m]
  T shear_damping;         // b_t [N s/m]
  T friction_coefficient;  // μ
};

// K_σ(b) [Pa/mⁿ]: pressure is K_σ δⁿ under a sole of smaller dimension b [m]. Outside of the widths that the
// soil was measured with it is that of the nearest of them.
double sinkage_modulus(const PlasticSoil& soil, double width);

// Throws InputError with the field, its value and the expected range.
void check_soil(const PlasticSoil& soil);

}  // namespace footfall
