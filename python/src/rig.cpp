// The rig: one foot on one soil, without a robot.
#include <cmath>

#include "bind.hpp"
#include "footfall/foot/foot_sole.hpp"
#include "footfall/foot/pad.hpp"
#include "footfall/foot/validity.hpp"
#include "footfall/rig/drag.hpp"
#include "footfall/rig/drop.hpp"
#include "footfall/rig/mesh_file.hpp"
#include "footfall/rig/press.hpp"
#include "footfall/rig/tilted_sole.hpp"
#include "input_error.hpp"

namespace footfall::python {
namespace {

using OptionalSole = std::optional<FootSole>;

// The rows of a test as arrays, by the names of its CSV file.
nb::dict columns_of(const std::vector<RigSample>& series) {
  nb::dict out;
  const auto add = [&](const char* name, auto value) {
    std::vector<double> values;
    values.reserve(series.size());
    for (const RigSample& s : series) values.push_back(value(s));
    out[name] = to_array(std::move(values));
  };
  const auto field = [&](const char* name, double RigSample::* member) {
    add(name, [member](const RigSample& s) { return s.*member; });
  };
  field("time_s", &RigSample::time);
  field("body_sinkage_m", &RigSample::body_sinkage);
  field("body_rate_m_per_s", &RigSample::body_rate);
  field("sinkage_m", &RigSample::sinkage);
  field("sinkage_rate_m_per_s", &RigSample::sinkage_rate);
  field("normal_force_N", &RigSample::normal_force);
  field("pad_compression_m", &RigSample::pad_compression);
  field("pad_force_N", &RigSample::pad_force);
  add("shear_displacement_m", [](const RigSample& s) { return s.shear_displacement.x; });
  add("tangential_force_N", [](const RigSample& s) { return s.tangential_force.x; });
  field("shear_strength_N", &RigSample::shear_strength);
  field("mobilized_shear", &RigSample::mobilized_shear);
  field("contact_area_m2", &RigSample::contact_area);
  return out;
}

RigFoot make_rig_foot(const std::optional<FootPad>& pad, double foot_mass) {
  if (!(foot_mass >= 0 && foot_mass <= 1e6)) {
    throw input_error("foot_mass = {} kg, expected 0 to 1e6 kg", foot_mass);
  }
  return {.pad = pad, .foot_mass = foot_mass};
}

// Where the foot went beyond what its laws hold for; empty: nowhere.
std::string beyond_validity(const RigGround& ground, const std::vector<RigSample>& series) {
  if (!ground.sole) return "";
  FootUse use{.width = contact_width(*ground.sole)};
  for (const RigSample& s : series) {
    use.sinkage = std::fmax(use.sinkage, s.sinkage);
    use.rate = std::fmax(use.rate, s.sinkage_rate);
  }
  const PlasticSoil* soil = ground.plastic ? &*ground.plastic : nullptr;
  return outside_validity(use, valid_depth(*ground.sole), soil);
}

nb::dict finish(nb::dict values, const RigGround& ground, const std::vector<RigSample>& series) {
  values["series"] = columns_of(series);
  values["warning"] = beyond_validity(ground, series);
  return values;
}

nb::dict press_foot(const OptionalSole& foot, const Soil& soil, std::optional<double> sinkage,
                    std::optional<double> load, int cycles, bool staged, bool unload, int samples,
                    double speed, const std::optional<FootPad>& pad, double foot_mass) {
  const RigGround ground = make_rig_ground(foot, soil);
  const PressResult r = press(ground, make_rig_foot(pad, foot_mass),
                              {.sinkage = sinkage,
                               .load = load,
                               .cycles = cycles,
                               .staged = staged,
                               .unload = unload,
                               .samples = samples,
                               .speed = speed});
  nb::dict out;
  out["sinkage"] = r.end.sinkage;
  out["normal_force"] = r.end.normal_force;
  out["load"] = r.end.pad_force;
  out["contact_area"] = r.end.contact_area;
  out["plan_area"] = r.plan_area;
  out["pressure"] = r.pressure;
  out["pad_compression"] = r.end.pad_compression;
  out["body_sinkage"] = r.end.body_sinkage;
  out["unload_stiffness"] = r.unload_stiffness;
  out["plastic_sinkage"] = r.plastic_sinkage;
  out["work"] = r.work;
  out["loop_work"] = r.loop_work;
  return finish(out, ground, r.series);
}

nb::dict drop_foot(const OptionalSole& foot, const Soil& soil, double mass,
                   std::optional<double> height, std::optional<double> speed, double load,
                   double duration, double timestep, double sample_rate,
                   const std::optional<FootPad>& pad, double foot_mass) {
  const RigGround ground = make_rig_ground(foot, soil);
  Attendant attendant;
  DropResult r;
  {
    const RigFoot rig_foot = make_rig_foot(pad, foot_mass);
    const nb::gil_scoped_release unlocked;
    r = drop(ground, rig_foot,
             {.mass = mass,
              .load = load,
              .height = height,
              .speed = speed,
              .duration = duration,
              .timestep = timestep,
              .sample_rate = sample_rate},
             [&](double share) {
               if (attendant.attend(share)) return;
               const nb::gil_scoped_acquire lock;
               attendant.finish();
             });
  }
  nb::dict out, energy;
  out["impact_speed"] = r.impact_speed;
  out["fall_time"] = r.fall_time;
  out["weight"] = r.weight;
  out["peak_force"] = r.peak_force;
  out["peak_time"] = r.peak_time;
  out["peak_pad_force"] = r.peak_pad_force;
  out["max_sinkage"] = r.max_sinkage;
  out["rebound"] = r.rebound;
  out["elastic_sinkage"] = r.elastic_sinkage;
  out["plastic_sinkage"] = r.plastic_sinkage;
  out["bounces"] = r.bounces;
  out["at_rest"] = r.at_rest;
  out["sinkage"] = r.end.sinkage;
  out["normal_force"] = r.end.normal_force;
  const RigEnergy& e = r.energy;
  energy["input"] = e.input;
  energy["motion"] = e.motion;
  energy["pad_elastic"] = e.pad_elastic;
  energy["pad_damping"] = e.pad_damping;
  energy["soil_elastic"] = e.soil_elastic;
  energy["soil_plastic"] = e.soil_plastic;
  energy["soil_damping"] = e.soil_damping;
  energy["jerk"] = e.jerk;
  energy["error"] = e.error();
  out["energy"] = energy;
  return finish(out, ground, r.series);
}

nb::dict drag_foot(const OptionalSole& foot, const Soil& soil, std::optional<double> sinkage,
                   std::optional<double> load, double speed, double distance, bool reverse,
                   int samples, const std::optional<FootPad>& pad, double foot_mass) {
  const RigGround ground = make_rig_ground(foot, soil);
  const DragResult r = drag(ground, make_rig_foot(pad, foot_mass),
                            {.sinkage = sinkage,
                             .load = load,
                             .speed = speed,
                             .distance = distance,
                             .reverse = reverse,
                             .samples = samples});
  nb::dict out;
  out["sinkage"] = r.out.sinkage;
  out["normal_force"] = r.out.normal_force;
  out["load"] = r.out.pad_force;
  out["shear_strength"] = r.out.shear_strength;
  out["traction_coefficient"] = r.out.shear_strength / r.out.normal_force;
  out["tangential_force"] = r.out.tangential_force.x;
  out["shear_displacement"] = r.out.shear_displacement.x;
  out["mobilized_shear"] = r.out.mobilized_shear;
  out["tangential_force_back"] =
      r.back ? nb::cast(r.back->tangential_force.x) : nb::object(nb::none());
  return finish(out, ground, r.series);
}

nb::dict press_tilted_sole(const std::string& shape, double tilt, double direction,
                           const std::vector<double>& depths, const Soil& soil) {
  std::vector<std::string> names(std::begin(kTiltedShapeNames), std::end(kTiltedShapeNames));
  const auto found = std::find(names.begin(), names.end(), shape);
  if (found == names.end()) {
    throw input_error("shape '{}'{}", shape, suggestion(shape, names));
  }
  const std::vector<TiltedSample> samples =
      press_tilted({.shape = static_cast<TiltedShape>(found - names.begin()),
                    .tilt = tilt,
                    .direction = direction,
                    .depths = depths},
                   soil, soil);
  nb::dict out;
  const auto add = [&](const char* name, double TiltedSample::* field) {
    std::vector<double> values;
    for (const TiltedSample& s : samples) values.push_back(s.*field);
    out[name] = to_array(std::move(values));
  };
  add("depth_m", &TiltedSample::depth);
  add("force_N", &TiltedSample::force);
  add("exact_force_N", &TiltedSample::exact_force);
  add("center_of_pressure_error_m", &TiltedSample::center_error);
  add("moment_error_N_m", &TiltedSample::moment_error);
  add("exact_moment_N_m", &TiltedSample::exact_moment);
  return out;
}

FootSole make_mesh_sole(const std::filesystem::path& file, double scale,
                        std::optional<double> spacing) {
  if (!(scale >= 1e-6 && scale <= 1e6))
    throw input_error("scale = {}, expected 1e-6 to 1e6", scale);
  TriangleMesh mesh = read_mesh(file);
  for (Vec3d& v : mesh.vertices) v = scale * v;
  const double longest = spacing.value_or(plan_size(mesh) / 100);
  if (!(longest >= 1e-6 && longest <= 1)) {
    throw input_error("spacing = {} m, expected 1e-6 to 1 m", longest);
  }
  return make_mesh(mesh.vertices, mesh.faces, longest);
}

void bind_soles(nb::module_& m) {
  nb::class_<FootSole>(m, "FootSole",
                       "The shape of one foot: see Disc, Rectangle, Cylinder, Sphere, Mesh.")
      .def_ro("radius", &FootSole::radius, "[m]")
      .def_ro("length", &FootSole::length, "[m]")
      .def_ro("width", &FootSole::width, "[m]")
      .def_prop_ro("contact_width", &contact_width, "b of the pressure law [m].")
      .def("contact_area", &contact_area, nb::arg("sinkage"), "[m²] at a sinkage [m].")
      .def("plan_area", &plan_area, nb::arg("sinkage"), "Seen along the normal [m²].")
      .def(
          "normal_force",
          [](const FootSole& sole, const Soil& soil, double sinkage) {
            if (!soil.plastic) throw InputError("soil '" + soil.name + "' has no [terramechanics]");
            return normal_force(sole, *soil.plastic, sinkage).force;
          },
          nb::arg("soil"), nb::arg("sinkage"),
          "Of the virgin curve of a plastic soil, the exact integral [N].")
      .def(
          "find_sinkage",
          [](const FootSole& sole, const Soil& soil, double load) {
            if (!soil.plastic) throw InputError("soil '" + soil.name + "' has no [terramechanics]");
            return find_sinkage(sole, *soil.plastic, load);
          },
          nb::arg("soil"), nb::arg("load"),
          "At which the virgin curve of a plastic soil carries a load [N]: [m].");
  m.def("Disc", &make_disc, nb::arg("radius"), "A flat round foot; radius [m].");
  m.def("Rectangle", &make_rectangle, nb::arg("length"), nb::arg("width"),
        "A flat foot; length and width [m].");
  m.def("Cylinder", &make_cylinder, nb::arg("radius"), nb::arg("width"),
        "A foot like a lying roller; radius, and width along its axis [m].");
  m.def("Mesh", &make_mesh_sole, nb::arg("file"), nb::arg("scale") = 1,
        nb::arg("spacing") = nb::none(),
        "A foot from an STL or OBJ file, z up; `scale` is a factor on its lengths, `spacing` the "
        "longest edge of an element [m].");
  m.def("Sphere", &make_sphere, nb::arg("radius"), "A ball; radius [m].");
  nb::class_<FootPad>(m, "Pad",
                      "A soft layer under a foot: F = k δⁿ + b δᵖ δ̇^q of its own compression.")
      .def(
          "__init__",
          [](FootPad* self, double stiffness, double exponent, double damping,
             double damping_exponent, double rate_exponent) {
            const FootPad pad{stiffness, exponent, damping, damping_exponent, rate_exponent};
            check_pad(pad);
            new (self) FootPad(pad);
          },
          nb::arg("stiffness"), nb::arg("exponent") = 1, nb::arg("damping") = 0,
          nb::arg("damping_exponent") = 0, nb::arg("rate_exponent") = 1)
      .def_ro("stiffness", &FootPad::stiffness, "k [N/m^n]")
      .def_ro("exponent", &FootPad::exponent, "n")
      .def_ro("damping", &FootPad::damping, "b [N s^q/m^(p+q)]");
}

}  // namespace

void bind_rig(nb::module_& m) {
  bind_soles(m);
  m.def("press", &press_foot, nb::arg("foot").none(), nb::arg("soil"), nb::arg("sinkage").none(),
        nb::arg("load").none(), nb::arg("cycles"), nb::arg("staged"), nb::arg("unload"),
        nb::arg("samples"), nb::arg("speed"), nb::arg("pad").none(), nb::arg("foot_mass"));
  m.def("drop", &drop_foot, nb::arg("foot").none(), nb::arg("soil"), nb::arg("mass"),
        nb::arg("height").none(), nb::arg("speed").none(), nb::arg("load"), nb::arg("duration"),
        nb::arg("timestep"), nb::arg("sample_rate"), nb::arg("pad").none(), nb::arg("foot_mass"));
  m.def("drag", &drag_foot, nb::arg("foot").none(), nb::arg("soil"), nb::arg("sinkage").none(),
        nb::arg("load").none(), nb::arg("speed"), nb::arg("distance"), nb::arg("reverse"),
        nb::arg("samples"), nb::arg("pad").none(), nb::arg("foot_mass"));
  m.def("tilt", &press_tilted_sole, nb::arg("shape"), nb::arg("tilt"), nb::arg("direction"),
        nb::arg("depths"), nb::arg("soil"));
}

}  // namespace footfall::python
