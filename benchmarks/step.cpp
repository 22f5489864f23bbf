// make bench: our step against mj_step, standing and under random control, alone and in lanes.
#include <cstdio>

#include "footfall/mujoco/benchmark.hpp"

int main() {
  for (const char* robot : {"quadruped", "humanoid", "biped"}) {
    const std::string file = std::string(FOOTFALL_SOURCE_DIR) + "/robots/" + robot + ".xml";
    const footfall::Benchmark result = footfall::benchmark_robot(file, {});
    std::fputs((describe(result) + "\n").c_str(), stdout);
    std::fflush(stdout);
  }
  return 0;
}
