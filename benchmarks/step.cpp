// make bench: the laws of soles on soil, a step on plastic soil against one on compliant ground, then
// our step against mj_step, standing and under random control, alone and in lanes.
#include <cstdio>

#include "footfall/compare/benchmark.hpp"
#include "laws.hpp"
#include "plastic.hpp"

int main() {
  benchmark_laws();
  benchmark_plastic();
  for (const char* robot : {"quadruped", "humanoid", "biped"}) {
    const std::string file = std::string(FOOTFALL_SOURCE_DIR) + "/robots/" + robot + ".xml";
    const footfall::Benchmark result = footfall::benchmark_robot(file, {});
    std::fputs((describe(result) + "\n").c_str(), stdout);
    std::fflush(stdout);
  }
  return 0;
}
