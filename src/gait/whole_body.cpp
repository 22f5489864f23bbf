#include "footfall/gait/whole_body.hpp"

#include <cmath>

#include "footfall/robot/dynamics.hpp"
#include "gait/nonnegative.hpp"
#include "input_error.hpp"

namespace footfall {
namespace {

constexpr int kEdges = 4;  // of a friction pyramid

using BaseVector = Eigen::Matrix<double, 6, 1>;
using BaseMatrix = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, kMaxNonnegative>;

// The edges of the pyramid inside a point's friction cone, one per N of normal force.
void pyramid_edges(const StancePoint& point, Vec3d* edges) {
  const Vec3d& n = point.normal;
  const Vec3d side = std::abs(n.x) < 0.9 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  Vec3d t = side - dot(side, n) * n;
  t = (1 / norm(t)) * t;
  const Vec3d s = cross(n, t);
  const double mu = point.friction_coefficient;
  edges[0] = n + mu * t;
  edges[1] = n + mu * s;
  edges[2] = n - mu * t;
  edges[3] = n - mu * s;
}

}  // namespace

WholeBody::WholeBody(const RobotModel& model, const LeggedRobot& robot, WholeBodyWeights weights)
    : weights_(weights), base_v_(robot.base_v), torque_(model.dofs.size()),
      mass_(model.dofs.size() * model.dofs.size()), bias_(model.dofs.size()),
      composite_(model.bodies.size()), wrench_(model.bodies.size()) {}

void WholeBody::solve(const RobotModel& model, const RobotData<double>& data,
                      const std::vector<double>& acceleration,
                      const std::vector<StancePoint>& stance) {
  const int nv = model.velocity_size();
  const int count = kEdges * static_cast<int>(stance.size());
  if (count > kMaxNonnegative) {
    throw input_error("{} stance points, expected at most {}", stance.size(),
                      kMaxNonnegative / kEdges);
  }
  mass_matrix(model, data, composite_, mass_.data());
  bias_force(model, data, wrench_, bias_.data());
  for (int d = 0; d < nv; ++d) {
    torque_[d] = bias_[d];
    for (int e = 0; e < nv; ++e) torque_[d] += mass_[d * nv + e] * acceleration[e];
  }
  // base rows: forces along W's axes, moments about the base along its own, weighted
  BaseVector wanted;
  BaseMatrix edges(6, count);
  const double moment_weight = 1 / weights_.moment_length;
  for (int k = 0; k < 6; ++k) wanted[k] = (k < 3 ? 1 : moment_weight) * torque_[base_v_ + k];
  std::vector<Vec3d>& directions = directions_;
  directions.resize(static_cast<std::size_t>(count));
  NonnegativeVector effort(count);
  for (std::size_t i = 0; i < stance.size(); ++i) {
    pyramid_edges(stance[i], &directions[kEdges * i]);
    const Vec3d p_OC = stance[i].position - tree_origin(model, data, stance[i].body);
    for (int e = 0; e < kEdges; ++e) {
      const auto column = static_cast<Eigen::Index>(kEdges * i) + e;
      for (int k = 0; k < 6; ++k) {
        const Vec3d lin = point_velocity(data.S[base_v_ + k], p_OC);
        edges(k, column) = (k < 3 ? 1 : moment_weight) * dot(lin, directions[kEdges * i + e]);
      }
      effort[column] = weights_.effort * stance[i].effort;
    }
  }
  NonnegativeMatrix H = edges.transpose() * edges;
  H.diagonal() += effort;
  const NonnegativeVector g = edges.transpose() * wanted;
  NonnegativeVector share = NonnegativeVector::Zero(count);
  if (static_cast<int>(last_.size()) == count) {
    for (int i = 0; i < count; ++i) share[i] = last_[i];
  }
  solve_nonnegative(H, g, share);
  last_.assign(share.data(), share.data() + count);
  const BaseVector missing = wanted - edges * share;
  missing_force_ = missing.head<3>().norm();
  forces_.assign(stance.size(), Vec3d{0, 0, 0});
  for (std::size_t i = 0; i < stance.size(); ++i) {
    for (int e = 0; e < kEdges; ++e) {
      forces_[i] += share[static_cast<Eigen::Index>(kEdges * i) + e] * directions[kEdges * i + e];
    }
    const Vec3d p_OC = stance[i].position - tree_origin(model, data, stance[i].body);
    for (int d = last_dof(model, stance[i].body); d >= 0; d = model.dofs[d].parent) {
      torque_[d] -= dot(point_velocity(data.S[d], p_OC), forces_[i]);
    }
  }
  for (int k = 0; k < 6; ++k) torque_[base_v_ + k] = 0;
}

}  // namespace footfall
