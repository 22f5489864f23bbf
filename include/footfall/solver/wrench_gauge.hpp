// How far a wrench is on its way to the boundary of a set of wrenches.
//
// The gauge of a convex set W that holds zero: γ(w) = min {t ≥ 0 : w ∈ t W}; 1 on the boundary. The ray of
// w is followed from outside: the point of W nearest to s w gives a plane that parts them, where the ray
// meets it is the next s, and there are finitely many facets to be met. s never falls below 1/γ.
#pragma once

#include "footfall/solver/wrench_qp.hpp"

namespace footfall {

// `qp` is of one foot with the set's parts, and as many rows. Infinite where W does not reach in that
// direction. Allocates nothing.
double measure_gauge(const VertexSet& set, std::span<const double> wrench, WrenchQp& qp);

}  // namespace footfall
