// make bench: the laws of soles on soil, a step on plastic soil against one on compliant ground, then
// our step against mj_step, standing and under random control, alone and in lanes. `--quick` runs every part once
// for a moment: times mean nothing then, but the tests see that all of it works.
#include <cstdio>
#include <string>
#include <string_view>

#include "footfall/compare/benchmark.hpp"
#include "laws.hpp"
#include "plastic.hpp"

int main(int argc, char** argv) {
  const bool quick = argc == 2 && std::string_view(argv[1]) == "--quick";
  if (argc > 1 && !quick) {
    std::fputs("usage: footfall_benchmarks [--quick]\n", stderr);
    return 2;
  }
  benchmark_laws(quick ? 1 : 101);
  benchmark_plastic(quick ? 1 : 25, quick ? 20 : 2000);
  footfall::BenchmarkOptions options;
  if (quick) options.repeats = 1, options.steps = 20;
  for (const char* robot : {"quadruped", "humanoid", "biped"}) {
    const std::string file = std::string(FOOTFALL_SOURCE_DIR) + "/robots/" + robot + ".xml";
    const footfall::Benchmark result = footfall::benchmark_robot(file, options);
    std::fputs((describe(result) + "\n").c_str(), stdout);
    std::fflush(stdout);
  }
  return 0;
}
