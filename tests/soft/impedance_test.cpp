// The law of one soft constraint against MuJoCo itself: parameters far in and out of their bounds
// are written into a compiled model, and what its engine makes of them is compared number by number.
#include "footfall/soft/impedance.hpp"

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <random>
#include <string>

#include "footfall/math/lanes.hpp"
#include "footfall/mujoco/handle.hpp"
#include "footfall/mujoco/log.hpp"
#include "mujoco/model_text.hpp"

namespace footfall {
namespace {

// A ball and a lid on it that both touch the floor, a pair that overrides, and a hinge with limits
// and dry friction.
const char* const kScene = R"(<mujoco>
  <option timestep="0.004"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="ball" pos="0 0 0.01"><freejoint/><geom name="ball" size="0.02" mass="0.7"/></body>
    <body name="box" pos="1 0 0.01"><freejoint/><geom name="box" type="box" size="0.05 0.04 0.02"/></body>
    <body name="arm" pos="0 5 2">
      <joint name="hinge" axis="0 1 0" range="-0.2 0.3" limited="true" frictionloss="0.4"/>
      <geom size="0.1" pos="0.3 0 0" contype="0" conaffinity="0"/>
    </body>
  </worldbody>
  <contact><pair geom1="floor" geom2="box" condim="4"/></contact>
</mujoco>)";

struct Scene {
  MjModelPtr model;
  MjDataPtr data;
  int floor, ball;

  Scene()
      : model(load_mujoco_model(test::TextFile(kScene).path())), data(make_mujoco_data(*model)) {
    floor = mj_name2id(model.get(), mjOBJ_GEOM, "floor");
    ball = mj_name2id(model.get(), mjOBJ_GEOM, "ball");
  }
  SoftSafety safety() const {
    return {model->opt.timestep, (model->opt.disableflags & mjDSBL_REFSAFE) == 0};
  }
  const mjContact* contact_of(int geom) const {
    for (int i = 0; i < data->ncon; ++i) {
      const mjContact& c = data->contact[i];
      if (c.geom[0] == geom || c.geom[1] == geom) return &c;
    }
    return nullptr;
  }
};

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  double between(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
  // In bounds mostly, and out of them now and then.
  SoftImpedance impedance() {
    SoftImpedance s{between(-0.1, 1.1), between(-0.1, 1.1), between(-0.01, 0.04),
                    between(-0.1, 1.1), between(0.5, 4)};
    if (below(4) == 0) s.power = 1 + below(3);
    if (below(8) == 0) s.d0 = s.d_width;
    return s;
  }
  SoftReference reference() {
    switch (below(5)) {
    case 0:
      return {-between(0, 5000), -between(0, 200)};
    case 1:
      return {between(-0.01, 0.1), between(-1, 3)};
    case 2:
      return {between(0, 0.012), between(0.1, 3)};  // refsafe reaches 8 ms
    case 3:
      return {0, 0};
    default:
      return {between(0, 0.1), between(0.1, 3)};
    }
  }

 private:
  std::mt19937 engine_;
};

void write(const SoftReference& s, mjtNum* target) {
  target[0] = s.first;
  target[1] = s.second;
}
void write(const SoftImpedance& s, mjtNum* target) {
  const double all[] = {s.d0, s.d_width, s.width, s.midpoint, s.power};
  std::copy(std::begin(all), std::end(all), target);
}
SoftReference read_reference(const mjtNum* p) { return {p[0], p[1]}; }
SoftImpedance read_impedance(const mjtNum* p) { return {p[0], p[1], p[2], p[3], p[4]}; }

// Every sum and product of ours is MuJoCo's up to its order; the powers differ in the last bits.
constexpr double kClose = 1e-13;
#define EXPECT_CLOSE(a, b) EXPECT_NEAR(a, b, kClose * (1e-9 + std::abs(b)))

// One row of MuJoCo's against ours.
void expect_row(const mjData& d, int row, const SoftLaw<double>& law, double violation) {
  const ImpedanceValue<double> imp = evaluate_impedance(law, violation);
  const mjtNum* kbip = d.efc_KBIP + 4 * row;
  EXPECT_CLOSE(law.stiffness, kbip[0]);
  EXPECT_CLOSE(law.damping, kbip[1]);
  EXPECT_CLOSE(imp.value, kbip[2]);
  EXPECT_NEAR(imp.slope, kbip[3], 1e-12 * std::abs(kbip[3]));
  const double r = d.efc_pos[row] - d.efc_margin[row];
  const double a_ref = evaluate_reference(law, imp.value, r, d.efc_vel[row]);
  const double scale = std::abs(law.damping * d.efc_vel[row]) + std::abs(d.efc_aref[row]);
  EXPECT_NEAR(a_ref, d.efc_aref[row], kClose * (1e-9 + scale));
}

void set_motion(Draw& draw, Scene& s) {
  mj_resetData(s.model.get(), s.data.get());
  s.data->qpos[2] = draw.between(-0.015, 0.02);
  s.data->qpos[9] = draw.between(-0.01, 0.02);
  s.data->qpos[14] = draw.between(-0.5, 0.6);
  for (int i = 0; i < s.model->nv; ++i) s.data->qvel[i] = draw.between(-1, 1);
}

TEST(Impedance, RowsOfABallAreMujocos) {
  Scene s;
  MujocoLogScope quiet;  // mixed solref warns, as it should
  Draw draw(3);
  for (int trial = 0; trial < 2000; ++trial) {
    mjModel& m = *s.model;
    m.opt.cone = trial % 2 == 0 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    m.opt.impratio = draw.below(3) == 0 ? 1 : draw.between(0.1, 20);
    m.opt.disableflags = draw.below(2) == 0 ? mjDSBL_REFSAFE : 0;
    const int condims[] = {1, 3, 4, 6};
    m.geom_priority[s.ball] = 1;
    m.geom_condim[s.ball] = condims[draw.below(4)];
    write(draw.reference(), m.geom_solref + 2 * s.ball);
    write(draw.impedance(), m.geom_solimp + 5 * s.ball);
    for (int i = 0; i < 3; ++i) m.geom_friction[3 * s.ball + i] = draw.between(-0.1, 1.5);
    m.geom_margin[s.ball] = draw.below(2) * 0.003;
    set_motion(draw, s);
    mj_forward(&m, s.data.get());

    const mjContact* c = s.contact_of(s.ball);
    ASSERT_NE(c, nullptr);
    if (c->efc_address < 0) continue;
    const int row = c->efc_address;
    const SoftReference solref = read_reference(c->solref);
    const SoftImpedance solimp = read_impedance(c->solimp);
    const SoftLaw<double> law = make_soft_law(solref, solimp, s.safety());
    const double r = c->dist - c->includemargin;
    const double d = evaluate_impedance(law, r).value;
    const int body = m.geom_bodyid[s.ball];
    const double inverse_inertia = m.body_invweight0[2 * body];
    std::array<double, 5> friction{};
    std::copy_n(c->friction, 5, friction.begin());
    expect_row(*s.data, row, law, r);
    if (c->dim == 1) {
      EXPECT_CLOSE(evaluate_regularizer(d, inverse_inertia), s.data->efc_R[row]);
    } else if (m.opt.cone == mjCONE_ELLIPTIC) {
      const double normal = evaluate_regularizer(d, inverse_inertia);
      const auto all = elliptic_regularizers(normal, friction, m.opt.impratio);
      const SoftLaw<double> tangent = make_soft_friction_law(solref, {0, 0}, solimp, s.safety());
      for (int j = 0; j < c->dim; ++j) {
        EXPECT_CLOSE(all[static_cast<std::size_t>(j)], s.data->efc_R[row + j]);
        EXPECT_CLOSE(1 / all[static_cast<std::size_t>(j)], s.data->efc_D[row + j]);
        if (j > 0) expect_row(*s.data, row + j, tangent, r);
      }
      EXPECT_CLOSE(regularized_friction(friction[0], m.opt.impratio), c->mu);
    } else {
      const double edge =
          evaluate_regularizer(d, pyramid_inverse_inertia(inverse_inertia, friction[0]));
      const double all = pyramid_regularizer(edge, friction[0], m.opt.impratio);
      for (int j = 0; j < 2 * (c->dim - 1); ++j) {
        EXPECT_CLOSE(all, s.data->efc_R[row + j]);
        expect_row(*s.data, row + j, law, r);
      }
    }
  }
}

TEST(Impedance, LimitsAndDryFrictionOfAHingeAreMujocos) {
  Scene s;
  MujocoLogScope quiet;
  Draw draw(4);
  int limits = 0;
  for (int trial = 0; trial < 500; ++trial) {
    mjModel& m = *s.model;
    const int joint = mj_name2id(&m, mjOBJ_JOINT, "hinge");
    const int dof = m.jnt_dofadr[joint];
    m.opt.disableflags = draw.below(2) == 0 ? mjDSBL_REFSAFE : 0;
    write(draw.reference(), m.jnt_solref + 2 * joint);
    write(draw.impedance(), m.jnt_solimp + 5 * joint);
    write(draw.reference(), m.dof_solref + 2 * dof);
    write(draw.impedance(), m.dof_solimp + 5 * dof);
    set_motion(draw, s);
    mj_forward(&m, s.data.get());
    for (int row = 0; row < s.data->nefc; ++row) {
      const bool limit = s.data->efc_type[row] == mjCNSTR_LIMIT_JOINT;
      if (!limit && s.data->efc_type[row] != mjCNSTR_FRICTION_DOF) continue;
      limits += limit ? 1 : 0;
      const SoftReference solref =
          read_reference(limit ? m.jnt_solref + 2 * joint : m.dof_solref + 2 * dof);
      const SoftImpedance solimp =
          read_impedance(limit ? m.jnt_solimp + 5 * joint : m.dof_solimp + 5 * dof);
      const SoftLaw<double> law = limit
                                      ? make_soft_law(solref, solimp, s.safety())
                                      : make_soft_friction_law(solref, {0, 0}, solimp, s.safety());
      const double r = s.data->efc_pos[row] - s.data->efc_margin[row];
      expect_row(*s.data, row, law, r);
      const double d = evaluate_impedance(law, r).value;
      EXPECT_CLOSE(evaluate_regularizer(d, m.dof_invweight0[dof]), s.data->efc_R[row]);
    }
  }
  EXPECT_GT(limits, 100);
}

SoftGeom draw_geom(Draw& draw) {
  SoftGeom g;
  const int condims[] = {1, 3, 4, 6};
  g.priority = draw.below(2);
  g.condim = condims[draw.below(4)];
  g.solmix = draw.below(3) == 0 ? 0 : draw.between(0, 3);
  g.solref = draw.reference();
  g.solimp = draw.impedance();
  for (double& f : g.friction) f = draw.between(-0.1, 1);
  g.margin = draw.between(0, 0.01);
  g.gap = draw.between(0, 0.01);
  return g;
}
void write(const SoftGeom& g, int id, mjModel& m) {
  m.geom_priority[id] = g.priority;
  m.geom_condim[id] = g.condim;
  m.geom_solmix[id] = g.solmix;
  write(g.solref, m.geom_solref + 2 * id);
  write(g.solimp, m.geom_solimp + 5 * id);
  std::copy(g.friction.begin(), g.friction.end(), m.geom_friction + 3 * id);
  m.geom_margin[id] = g.margin;
  m.geom_gap[id] = g.gap;
}

TEST(Impedance, TwoGeomsMixAsInMujoco) {
  Scene s;
  MujocoLogScope quiet;
  Draw draw(5);
  int in_gap = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    const SoftGeom floor = draw_geom(draw);
    const SoftGeom ball = draw_geom(draw);
    write(floor, s.floor, *s.model);
    write(ball, s.ball, *s.model);
    set_motion(draw, s);
    s.data->qpos[2] = draw.between(0.01, 0.07);
    mj_forward(s.model.get(), s.data.get());
    const SoftPair pair = mix_soft_geoms(floor, ball);
    const mjContact* c = s.contact_of(s.ball);
    const double distance = s.data->qpos[2] - 0.02;
    ASSERT_EQ(c != nullptr, distance < pair.margin + pair.gap);
    if (c == nullptr) continue;
    EXPECT_EQ(c->exclude != 0, distance >= pair.margin);
    in_gap += c->exclude;
    EXPECT_EQ(c->includemargin, pair.margin);
    EXPECT_EQ(c->dim, pair.condim);
    EXPECT_CLOSE(pair.solref.first, c->solref[0]);
    EXPECT_CLOSE(pair.solref.second, c->solref[1]);
    const SoftImpedance& i = pair.solimp;
    const double ours[] = {i.d0, i.d_width, i.width, i.midpoint, i.power};
    for (int k = 0; k < 5; ++k) {
      EXPECT_NEAR(ours[k], c->solimp[k], 1e-15);
      EXPECT_EQ(pair.friction[static_cast<std::size_t>(k)], c->friction[k]);
    }
  }
  EXPECT_GT(in_gap, 50);
}

TEST(Impedance, FrictionOfAPairHasItsOwnReference) {
  Scene s;
  MujocoLogScope quiet;
  Draw draw(6);
  s.model->opt.cone = mjCONE_ELLIPTIC;
  for (int trial = 0; trial < 500; ++trial) {
    mjModel& m = *s.model;
    const SoftReference solref = draw.reference();
    const SoftReference friction = draw.reference();
    const SoftImpedance solimp = draw.impedance();
    write(solref, m.pair_solref);
    write(friction, m.pair_solreffriction);
    write(solimp, m.pair_solimp);
    set_motion(draw, s);
    mj_forward(&m, s.data.get());
    const mjContact* c = s.contact_of(mj_name2id(&m, mjOBJ_GEOM, "box"));
    ASSERT_NE(c, nullptr);
    ASSERT_EQ(c->dim, 4);
    expect_row(*s.data, c->efc_address, make_soft_law(solref, solimp, s.safety()), c->dist);
    const SoftLaw<double> law = make_soft_friction_law(solref, friction, solimp, s.safety());
    for (int j = 1; j < 4; ++j) expect_row(*s.data, c->efc_address + j, law, c->dist);
  }
}

TEST(Impedance, LanesAreTheScalarLaw) {
  Draw draw(7);
  for (int trial = 0; trial < 300; ++trial) {
    SoftLaw<Lanes<4>> law{};
    Lanes<4> r{};
    std::array<SoftLaw<double>, 4> scalar{};
    for (int k = 0; k < 4; ++k) {
      const SoftLaw<double> one = make_soft_law(draw.reference(), draw.impedance(), {});
      scalar[static_cast<std::size_t>(k)] = one;
      set_lane(law.stiffness, k, one.stiffness);
      set_lane(law.damping, k, one.damping);
      set_lane(law.d0, k, one.d0);
      set_lane(law.d_width, k, one.d_width);
      set_lane(law.width, k, one.width);
      set_lane(law.midpoint, k, one.midpoint);
      set_lane(law.power, k, one.power);
      set_lane(r, k, draw.between(-0.05, 0.05));
    }
    const ImpedanceValue<Lanes<4>> all = evaluate_impedance(law, r);
    const Lanes<4> a_ref = evaluate_reference(law, all.value, r, Lanes<4>(0.3));
    for (int k = 0; k < 4; ++k) {
      const SoftLaw<double>& one = scalar[static_cast<std::size_t>(k)];
      const ImpedanceValue<double> d = evaluate_impedance(one, lane(r, k));
      EXPECT_CLOSE(lane(all.value, k), d.value);
      EXPECT_NEAR(lane(all.slope, k), d.slope, 1e-12 * std::abs(d.slope));
      EXPECT_NEAR(lane(a_ref, k), evaluate_reference(one, d.value, lane(r, k), 0.3),
                  1e-12 * (1 + std::abs(lane(a_ref, k))));
    }
  }
}

}  // namespace
}  // namespace footfall
