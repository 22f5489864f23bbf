#include "soft_options.hpp"

#include "input_error.hpp"

namespace footfall {

void add_soft_options(CLI::App& command, SoftNumbers& numbers, bool required) {
  command
      .add_option(
          "--solref", numbers.solref,
          "Time constant [s] and damping ratio, or minus stiffness [1/s^2] and minus damping [1/s]")
      ->expected(2)
      ->required(required);
  command
      .add_option("--solimp", numbers.solimp,
                  "d0, d_width, width [m], midpoint, power; default 0.9 0.95 0.001 0.5 2")
      ->expected(5);
}

SoftReference solref_of(const SoftNumbers& numbers) {
  const SoftReference solref{numbers.solref.at(0), numbers.solref.at(1)};
  if (is_mixed(solref)) {
    throw input_error("--solref {:g} {:g}, expected two positive numbers (time constant [s], "
                      "damping ratio) or two "
                      "that are not (minus stiffness [1/s^2], minus damping [1/s])",
                      solref.first, solref.second);
  }
  return solref;
}

SoftImpedance solimp_of(const SoftNumbers& numbers) {
  if (numbers.solimp.empty()) return {};
  const std::vector<double>& x = numbers.solimp;
  const SoftImpedance s{x.at(0), x.at(1), x.at(2), x.at(3), x.at(4)};
  check_range("--solimp d0", s.d0, 0, kMaxImpedance, "0 to 0.9999");
  check_range("--solimp d_width", s.d_width, kMinImpedance, kMaxImpedance, "0.0001 to 0.9999");
  check_range("--solimp width", s.width, 0, 10, "0 to 10 m");
  check_range("--solimp midpoint", s.midpoint, kMinImpedance, kMaxImpedance, "0.0001 to 0.9999");
  check_range("--solimp power", s.power, 1, 100, "1 to 100");
  return s;
}

}  // namespace footfall
