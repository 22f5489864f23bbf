// The ground's parameters in the model and in the file, past MuJoCo's mixing.
#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "footfall/io/new_file.hpp"
#include "footfall/mujoco/soft_world.hpp"
#include "input_error.hpp"
#include "mujoco/build.hpp"
#include "mujoco/may_touch.hpp"
#include "tune/soft_scene.hpp"

namespace footfall {
namespace {

constexpr double kProbeDepth = 1e-3;  // how deep the robot is put to see what touches [m]
constexpr double kOnTop = 0.9;        // |cosine| of a contact's normal with the vertical

struct Touch {
  int geom = 0;
  int condim = 3;
  std::array<double, 5> friction{};
  double margin = 0;
};
bool same_surface(const Touch& a, const Touch& b) {
  return a.condim == b.condim && a.friction == b.friction;
}

// How the file's own mixing or <pair> lets the geom meet the ground.
Touch touch_of(const SoftScene& scene, int geom) {
  const mjModel& m = *scene.model;
  const int pair = from_mujoco::find_pair(m, geom, scene.ground);
  if (pair >= 0) {
    Touch touch{.geom = geom, .condim = m.pair_dim[pair], .margin = m.pair_margin[pair]};
    std::copy_n(m.pair_friction + 5 * static_cast<std::ptrdiff_t>(pair), 5, touch.friction.begin());
    return touch;
  }
  const SoftPair mixed = mix_soft_geoms(read_soft_geom(m, scene.ground), read_soft_geom(m, geom));
  return {geom, mixed.condim, mixed.friction, mixed.margin};
}

// Contacts of the robot, lowered by a millimetre, with the top of the ground, one per geom.
std::vector<Touch> find_touches(SoftScene& scene, const std::vector<int>& more) {
  const mjModel& m = *scene.model;
  place(scene, lift_for_sinkage(scene, kProbeDepth));
  mj_fwdPosition(&m, scene.data.get());
  const std::array<double, 3> up = find_up(m);
  std::set<int> geoms;
  bool on_top = true;
  for (int i = 0; i < scene.data->ncon; ++i) {
    const mjContact& c = scene.data->contact[i];
    const int geom = c.geom[0] == scene.ground ? c.geom[1] : c.geom[0];
    const bool ground = c.geom[0] == scene.ground || c.geom[1] == scene.ground;
    if (!ground || !may_touch_ground(scene, geom)) continue;
    geoms.insert(geom);
    on_top = on_top && std::abs(mju_dot3(c.frame, up.data())) > kOnTop;
  }
  if (geoms.empty() || !on_top) {
    throw input_error(
        "the robot, lowered, does not stand on {} ({}): expected ground below its feet; take "
        "another --ground or --keyframe, or look at contype and conaffinity",
        from_mujoco::label(m, mjOBJ_GEOM, scene.ground), ground_type(m, scene.ground));
  }
  geoms.insert(more.begin(), more.end());
  std::vector<Touch> touches;
  touches.reserve(geoms.size());
  for (const int geom : geoms) touches.push_back(touch_of(scene, geom));
  return touches;
}

mjsGeom* find_geom(const SoftScene& scene, int id) {
  for (mjsElement* e = mjs_firstElement(scene.spec.get(), mjOBJ_GEOM); e != nullptr;
       e = mjs_nextElement(scene.spec.get(), e)) {
    if (mjs_getId(e) == id) return mjs_asGeom(e);
  }
  throw input_error("geom {} is not in the robot's file", id);
}

// A <pair> needs names.
std::string require_name(SoftScene& scene, int id) {
  mjsGeom* geom = find_geom(scene, id);
  std::string name = mjs_getString(mjs_getName(geom->element));
  if (!name.empty()) return name;
  const int body = scene.model->geom_bodyid[id];
  const char* owner = mj_id2name(scene.model.get(), mjOBJ_BODY, body);
  std::string made = body == 0 ? "ground" : fmt::format("{}_geom", owner == nullptr ? "" : owner);
  while (mjs_findElement(scene.spec.get(), mjOBJ_GEOM, made.c_str()) != nullptr) made += "_";
  mjs_setName(geom->element, made.c_str());
  if (!scene.ground_added || id != scene.ground) {
    scene.named_geoms.push_back(
        fmt::format("geom {} of the file has no name: give it name='{}'", id, made));
    if (id == scene.ground) {
      scene.warnings.push_back(fmt::format(
          "the ground (geom {}) has no name in the file: it is called '{}' here", id, made));
    }
  }
  return made;
}

bool joins(mjsPair& pair, const std::string& a, const std::string& b) {
  const std::string first = mjs_getString(pair.geomname1);
  const std::string second = mjs_getString(pair.geomname2);
  return (first == a && second == b) || (first == b && second == a);
}

mjsPair* find_pair(const SoftScene& scene, const std::string& a, const std::string& b) {
  for (mjsElement* e = mjs_firstElement(scene.spec.get(), mjOBJ_PAIR); e != nullptr;
       e = mjs_nextElement(scene.spec.get(), e)) {
    mjsPair* pair = mjs_asPair(e);
    if (joins(*pair, a, b)) return pair;
  }
  return nullptr;
}

void add_pairs(SoftScene& scene, const std::vector<Touch>& touches) {
  const std::string ground = require_name(scene, scene.ground);
  for (const Touch& touch : touches) {
    const std::string foot = require_name(scene, touch.geom);
    if (find_pair(scene, ground, foot) != nullptr) continue;
    mjsPair* pair = mjs_addPair(scene.spec.get(), nullptr);
    mjs_setString(pair->geomname1, ground.c_str());
    mjs_setString(pair->geomname2, foot.c_str());
    pair->condim = touch.condim;
    pair->margin = touch.margin;
    std::copy(touch.friction.begin(), touch.friction.end(), pair->friction);
  }
}

// The ground outranks every foot, with the friction that mixing gave.
void outrank(SoftScene& scene, const std::vector<Touch>& touches) {
  const mjModel& m = *scene.model;
  int highest = m.geom_priority[scene.ground] - 1;
  for (const Touch& touch : touches) highest = std::max(highest, m.geom_priority[touch.geom]);
  mjsGeom* ground = find_geom(scene, scene.ground);
  require_name(scene, scene.ground);
  ground->priority = highest + 1;
  ground->condim = touches[0].condim;
  ground->friction[0] = touches[0].friction[0];
  ground->friction[1] = touches[0].friction[2];
  ground->friction[2] = touches[0].friction[3];
}

std::string numbers(const mjtNum* values, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += fmt::format("{}{:.9g}", i == 0 ? "" : " ", values[i]);
  return text;
}

void write(const SoftReference& s, mjtNum* target) {
  target[0] = s.first;
  target[1] = s.second;
}
void write(const SoftImpedance& s, mjtNum* target) {
  const std::array<double, 5> all = {s.d0, s.d_width, s.width, s.midpoint, s.power};
  std::copy(all.begin(), all.end(), target);
}

// Names of both geoms of the pairs that carry the parameters.
std::vector<mjsPair*> tuned_pairs(const SoftScene& scene) {
  std::vector<mjsPair*> found;
  for (const int p : scene.pairs) {
    const std::string a = mj_id2name(scene.model.get(), mjOBJ_GEOM, scene.model->pair_geom1[p]);
    const std::string b = mj_id2name(scene.model.get(), mjOBJ_GEOM, scene.model->pair_geom2[p]);
    found.push_back(find_pair(scene, a, b));
  }
  return found;
}

// All that the model knows of the ground: it takes the place of the file's geom.
std::string ground_lines(const SoftScene& scene, const std::string& soft) {
  const mjModel& m = *scene.model;
  const std::ptrdiff_t g = scene.ground;
  const std::string name = mj_id2name(&m, mjOBJ_GEOM, scene.ground);
  const bool plane = m.geom_type[g] == mjGEOM_PLANE;
  std::string look = fmt::format(R"(group="{}")", m.geom_group[g]);
  if (m.geom_matid[g] >= 0) {
    look += fmt::format(R"( material="{}")", mj_id2name(&m, mjOBJ_MATERIAL, m.geom_matid[g]));
  }
  const std::array<mjtNum, 4> rgba = {m.geom_rgba[4 * g], m.geom_rgba[4 * g + 1],
                                      m.geom_rgba[4 * g + 2], m.geom_rgba[4 * g + 3]};
  look += fmt::format(R"( rgba="{}")", numbers(rgba.data(), 4));
  if (m.geom_adhesion[g] != 0) look += fmt::format(R"( adhesion="{:.9g}")", m.geom_adhesion[g]);
  const std::string geom = fmt::format(
      "  <geom name=\"{}\" type=\"{}\" size=\"{}\" pos=\"{}\" quat=\"{}\"\n"
      "        {} contype=\"{}\" conaffinity=\"{}\"\n"
      "        priority=\"{}\" condim=\"{}\" friction=\"{}\" solmix=\"{:.9g}\"\n"
      "        margin=\"{:.9g}\" gap=\"{:.9g}\" {}/>\n",
      name, plane ? "plane" : "box", numbers(m.geom_size + 3 * g, 3),
      numbers(m.geom_pos + 3 * g, 3), numbers(m.geom_quat + 4 * g, 4), look, m.geom_contype[g],
      m.geom_conaffinity[g], m.geom_priority[g], m.geom_condim[g],
      numbers(m.geom_friction + 3 * g, 3), m.geom_solmix[g], m.geom_margin[g], m.geom_gap[g], soft);
  if (scene.ground_added) return "<worldbody>\n" + geom + "</worldbody>\n";
  return fmt::format("  <!-- in place of the geom {} -->\n",
                     scene.named_geoms.empty() ? fmt::format("'{}'", name) : "that is the ground") +
         geom;
}

std::string pair_line(const mjModel& m, std::ptrdiff_t p, const std::string& soft) {
  const mjtNum* friction_ref = m.pair_solreffriction + mjNREF * p;
  std::string own;  // what few pairs have
  if (friction_ref[0] != 0 || friction_ref[1] != 0) {
    own = fmt::format(R"( solreffriction="{}")", numbers(friction_ref, mjNREF));
  }
  if (m.pair_adhesion[p] != 0) own += fmt::format(R"( adhesion="{:.9g}")", m.pair_adhesion[p]);
  return fmt::format("  <pair geom1=\"{}\" geom2=\"{}\" condim=\"{}\" friction=\"{}\"\n"
                     "        margin=\"{:.9g}\" gap=\"{:.9g}\" {}{}/>\n",
                     mj_id2name(&m, mjOBJ_GEOM, m.pair_geom1[p]),
                     mj_id2name(&m, mjOBJ_GEOM, m.pair_geom2[p]), m.pair_dim[p],
                     numbers(m.pair_friction + 5 * p, 5), m.pair_margin[p], m.pair_gap[p], soft,
                     own);
}

}  // namespace

void choose_means(SoftScene& scene, const std::vector<int>& also_tuned) {
  if ((scene.model->opt.enableflags & mjENBL_OVERRIDE) != 0) {
    throw InputError("option flag override = enable gives every contact o_solref and o_solimp, so "
                     "nothing can be "
                     "tuned per ground; remove it from the robot's file");
  }
  const std::vector<Touch> touches = find_touches(scene, also_tuned);
  bool pairs = false;
  for (const Touch& touch : touches) {
    pairs = pairs || from_mujoco::find_pair(*scene.model, touch.geom, scene.ground) >= 0 ||
            !same_surface(touch, touches[0]);
    scene.margin += touch.margin / static_cast<double>(touches.size());
    scene.largest_margin = std::max(scene.largest_margin, touch.margin);
    scene.tuned_geoms.push_back(touch.geom);
  }
  // The ground's rank holds for whatever meets it, but it brings the friction of these.
  for (int g = 0; !pairs && g < static_cast<int>(scene.model->ngeom); ++g) {
    if (may_touch_ground(scene, g) && same_surface(touch_of(scene, g), touches[0])) {
      scene.tuned_geoms.push_back(g);
    }
  }
  if (pairs) {
    scene.means = GroundMeans::pair;
    add_pairs(scene, touches);
  } else {
    outrank(scene, touches);
  }
  compile_scene(scene);
  for (int p = 0; pairs && p < static_cast<int>(scene.model->npair); ++p) {
    const int a = scene.model->pair_geom1[p], b = scene.model->pair_geom2[p];
    if (a == scene.ground || b == scene.ground) scene.pairs.push_back(p);
  }
}

std::vector<int> find_untuned(const SoftScene& scene) {
  std::vector<int> found;
  for (const ContactMeasure& c : measure_contacts(scene)) {
    const auto& tuned = scene.tuned_geoms;
    if (c.load > 0 && std::find(tuned.begin(), tuned.end(), c.geom) == tuned.end()) {
      found.push_back(c.geom);
    }
  }
  return found;
}

void set_softness(SoftScene& scene, const SoftReference& solref, const SoftImpedance& solimp) {
  mjModel& m = *scene.model;
  if (scene.means == GroundMeans::priority) {
    write(solref, m.geom_solref + mjNREF * static_cast<std::ptrdiff_t>(scene.ground));
    write(solimp, m.geom_solimp + mjNIMP * static_cast<std::ptrdiff_t>(scene.ground));
  }
  for (const int p : scene.pairs) {
    write(solref, m.pair_solref + mjNREF * static_cast<std::ptrdiff_t>(p));
    write(solimp, m.pair_solimp + mjNIMP * static_cast<std::ptrdiff_t>(p));
  }
}

void write_scene(SoftScene& scene, const SoftReference& solref, const SoftImpedance& solimp,
                 const std::filesystem::path& output) {
  if (scene.means == GroundMeans::priority) {
    mjsGeom* ground = find_geom(scene, scene.ground);
    write(solref, ground->solref);
    write(solimp, ground->solimp);
  }
  for (mjsPair* pair : tuned_pairs(scene)) {
    write(solref, pair->solref);
    write(solimp, pair->solimp);
  }
  // Folders of meshes and textures are relative to the file: to the new one now.
  const std::filesystem::path from = std::filesystem::absolute(scene.file).parent_path();
  const std::filesystem::path to = std::filesystem::absolute(output).parent_path();
  if (from != to) {
    mjsCompiler& compiler = scene.spec->compiler;
    for (mjString* folder : {compiler.meshdir, compiler.texturedir}) {
      const std::filesystem::path old = mjs_getString(folder);
      if (old.is_relative()) mjs_setString(folder, (from / old).lexically_relative(to).c_str());
    }
  }
  std::array<char, 2048> error{};
  const bool compiled = MjModelPtr(mj_compile(scene.spec.get(), nullptr)) != nullptr;
  NewFile file(output);
  if (!compiled || mj_saveXML(scene.spec.get(), file.partial().c_str(), error.data(),
                              static_cast<int>(error.size())) != 0) {
    throw input_error("output file '{}' cannot be written: {}", output.string(),
                      on_one_line(compiled ? error.data() : mjs_getError(scene.spec.get())));
  }
  file.keep();
}

std::string lines_to_paste(const SoftScene& scene, const SoftReference& solref,
                           const SoftImpedance& solimp) {
  std::array<mjtNum, 2> ref{};
  std::array<mjtNum, 5> imp{};
  write(solref, ref.data());
  write(solimp, imp.data());
  const std::string soft =
      fmt::format(R"(solref="{}" solimp="{}")", numbers(ref.data(), 2), numbers(imp.data(), 5));
  if (scene.means == GroundMeans::priority) return ground_lines(scene, soft);
  std::string text = "<contact>\n";
  for (const std::string& named : scene.named_geoms) text += fmt::format("  <!-- {} -->\n", named);
  for (const int p : scene.pairs) text += pair_line(*scene.model, p, soft);
  return text + "</contact>\n";
}

}  // namespace footfall
