#include "footfall/ground/ground.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "footfall/error.hpp"
#include "footfall/ground/wrench_space.hpp"
#include "footfall/soil/resistive.hpp"

namespace footfall {
namespace {

constexpr double kHardGround = 1e9;  // stiffness that stands for hard ground in pictures [N/m]

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

template <class Soils>
std::vector<std::string> names_of(const Soils& soils) {
  std::vector<std::string> out;
  out.reserve(soils.size());
  for (const auto& soil : soils) out.push_back(soil.name);
  return out;
}

template <class Soils>
void require_soil(const Soils& soils) {
  if (soils.empty()) throw InputError("the ground has no soil, expected at least one");
}

std::string text_of(const CompliantGround<double>& soil) {
  const std::string unit = soil.exponent == 1 ? "N/m" : fmt::format("N/m^{:g}", soil.exponent);
  return fmt::format("stiffness {:.3g} {}, friction {:.3g}", soil.stiffness, unit,
                     soil.friction_coefficient);
}
std::string text_of(const PlasticSoil& soil) {
  return fmt::format("plastic, n {:.3g}, cohesion {:.3g} kPa, friction angle {:.3g} deg",
                     soil.pressure.exponent, 1e-3 * soil.cohesion,
                     soil.friction_angle * 180 / std::numbers::pi);
}

GroundStrength strength_of(const CompliantGround<double>& soil) {
  return {soil.friction_coefficient, 0};
}
GroundStrength strength_of(const PlasticSoil& soil) {
  return {std::tan(soil.friction_angle), soil.cohesion};
}

// The sole's own coefficient, the smallest of its points.
double sole_friction(const Soles& soles, int foot) {
  double least = kAnyFriction;
  for (const SolePoint& p : soles.points) {
    if (p.foot == foot) least = std::fmin(least, p.friction);
  }
  return least;
}

void check_law(const CompliantGround<double>& soil) { check_ground(soil); }
void check_law(const PlasticSoil& soil) { check_soil(soil); }

}  // namespace

void check_ground(const CompliantGround<double>& g) {
  check_range("stiffness", g.stiffness, 1e-9, 1e12, "above 0 and at most 1e12 N/m^n");
  check_range("exponent", g.exponent, 1, 5, "1 to 5");
  check_range("damping", g.damping, 0, 1e15, "0 or more");
  check_range("damping_exponent", g.damping_exponent, 0, 5, "0 to 5");
  check_range("rate_exponent", g.rate_exponent, 0.01, 5, "0.01 to 5");
  check_range("shear_stiffness", g.shear_stiffness, 1e-9, 1e12, "above 0 and at most 1e12 N/m");
  check_range("shear_damping", g.shear_damping, 0, 1e15, "0 N s/m or more");
  check_range("friction_coefficient", g.friction_coefficient, 0, 10, "0 to 10");
}

void check_ground(const Ground& ground) {
  std::visit(Match{[](const NoGround&) {},
                   [](const SoilGround& g) {
                     require_soil(g.soils);
                     for (const GroundSoil& soil : g.soils) {
                       std::visit([](const auto& law) { check_law(law); }, soil.law);
                     }
                     if (g.pad) check_pad(*g.pad);
                   },
                   [](const SoftGround&) {},
                   [](const PenaltyGround& g) {
                     require_soil(g.soils);
                     check_penalty(g.law);
                     for (const PenaltySoil& soil : g.soils) {
                       check_range("friction_coefficient", soil.friction_coefficient, 0, 10,
                                   "0 to 10");
                     }
                   },
                   [](const GranularGround& g) {
                     if (g.space == nullptr) throw InputError("granular ground without a medium");
                   },
                   [](const ResistiveGround& g) {
                     check_range("scale", g.scale, 1e-6, 1e6, "1e-6 to 1e6");
                     check_range("yield_length_m", g.yield_length, 1e-7, 0.1, "1e-7 to 0.1 m");
                   }},
             ground);
}

std::vector<std::string> soil_names(const Ground& ground) {
  using Names = std::vector<std::string>;
  return std::visit(Match{[](const NoGround& g) { return g.soil_names; },
                          [](const SoilGround& g) { return names_of(g.soils); },
                          [](const SoftGround& g) { return Names{g.name}; },
                          [](const PenaltyGround& g) { return names_of(g.soils); },
                          [](const GranularGround& g) { return Names{g.name}; },
                          [](const ResistiveGround& g) { return Names{g.name}; }},
                    ground);
}

std::string describe_soil(const Ground& ground, int soil) {
  return std::visit(
      Match{[](const NoGround&) { return std::string("none: nothing touches it"); },
            [&](const SoilGround& g) {
              const GroundSoil& s = g.soils[soil];
              return fmt::format("{}: {}", s.name,
                                 std::visit([](const auto& law) { return text_of(law); }, s.law));
            },
            [](const SoftGround& g) {
              return fmt::format("MuJoCo's soft constraints, {} cone",
                                 g.model.cone == SoftCone::elliptic ? "elliptic" : "pyramidal");
            },
            [&](const PenaltyGround& g) {
              return fmt::format("{}: hard, friction {:.3g}", g.soils[soil].name,
                                 g.soils[soil].friction_coefficient);
            },
            [](const GranularGround& g) {
              const WrenchModel& model = g.space->model();
              return fmt::format("{}: grains, data down to {:.4g} m and {:.3g} rad", g.name,
                                 model.deepest(), model.largest_tilt());
            },
            [](const ResistiveGround& g) {
              return fmt::format("{}: grains, resistive force scale {:.3g}", g.name, g.scale);
            }},
      ground);
}

std::string describe_law(const Ground& ground) {
  return std::visit(
      Match{[](const PenaltyGround& g) {
              const PenaltyModel& m = g.law;
              if (m.kind == PenaltyKind::feedback_linearized) {
                return fmt::format(
                    "by feedback linearisation: k_p {:g} 1/s², k_v {:g} 1/s, ε {:g} mm", m.k_p,
                    m.k_v, 1e3 * m.epsilon);
              }
              return fmt::format("by springs and dampers: {:g} N/m, {:g} N s/m at each point{}",
                                 m.stiffness, m.damping, m.guard ? "" : ", which may pull");
            },
            [](const GranularGround& g) {
              return fmt::format("by wrench spaces in {} dimensions, {} vertices for each foot",
                                 g.space->is_planar() ? 2 : 3, g.space->vertex_count());
            },
            [](const ResistiveGround& g) {
              return fmt::format("by resistive force theory on surface elements, yield length "
                                 "{:g} mm",
                                 1e3 * g.yield_length);
            },
            [](const auto&) { return std::string(); }},
      ground);
}

GroundStrength ground_strength(const Ground& ground, const RobotModel& robot, const Soles& soles,
                               int foot, int soil) {
  const double own = sole_friction(soles, foot);
  return std::visit(
      Match{[](const NoGround&) { return GroundStrength{}; },
            [&](const SoilGround& g) {
              GroundStrength out =
                  std::visit([](const auto& law) { return strength_of(law); }, g.soils[soil].law);
              out.friction_coefficient = std::fmin(out.friction_coefficient, own);
              return out;
            },
            [&](const SoftGround&) {
              return GroundStrength{robot.geoms[soles.feet[foot].geom].friction, 0};
            },
            [&](const PenaltyGround& g) {
              return GroundStrength{std::fmin(g.soils[soil].friction_coefficient, own), 0};
            },
            [](const GranularGround& g) { return GroundStrength{g.space->friction(), 0}; },
            [](const ResistiveGround&) {  // of a level plate that is dragged
              const PlateStress<double> drag = resistive_stress<double>(1, 0, 1, 0);
              return GroundStrength{drag.x / drag.z, 0};
            }},
      ground);
}

bool keeps_prints(const Ground& ground, int soil) { return plastic_soil(ground, soil) != nullptr; }

bool keeps_prints(const Ground& ground) {
  const SoilGround* soils = soil_ground(ground);
  return soils != nullptr &&
         std::any_of(soils->soils.begin(), soils->soils.end(), [](const GroundSoil& soil) {
           return std::holds_alternative<PlasticSoil>(soil.law);
         });
}

double soil_stiffness(const Ground& ground, int soil) {
  if (const CompliantGround<double>* law = compliant_soil(ground, soil)) return law->stiffness;
  const bool hard =
      std::holds_alternative<SoftGround>(ground) || std::holds_alternative<PenaltyGround>(ground);
  return hard ? kHardGround : 0;
}

const SoilGround* soil_ground(const Ground& ground) { return std::get_if<SoilGround>(&ground); }

const CompliantGround<double>* compliant_soil(const Ground& ground, int soil) {
  const SoilGround* soils = soil_ground(ground);
  return soils ? std::get_if<CompliantGround<double>>(&soils->soils[soil].law) : nullptr;
}

const PlasticSoil* plastic_soil(const Ground& ground, int soil) {
  const SoilGround* soils = soil_ground(ground);
  return soils ? std::get_if<PlasticSoil>(&soils->soils[soil].law) : nullptr;
}

const FootPad* foot_pad(const Ground& ground) {
  const SoilGround* soils = soil_ground(ground);
  return soils && soils->pad ? &*soils->pad : nullptr;
}

const SoftModel* soft_constraints(const Ground& ground) {
  const auto* soft = std::get_if<SoftGround>(&ground);
  return soft ? &soft->model : nullptr;
}

const WrenchSpace* wrench_space(const Ground& ground) {
  const auto* grains = std::get_if<GranularGround>(&ground);
  return grains ? grains->space.get() : nullptr;
}

}  // namespace footfall
