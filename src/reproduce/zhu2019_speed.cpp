// Section IV.C.4: what a step of 13 bodies, 12 joints and 4 contacts takes.
#include "footfall/compare/benchmark.hpp"
#include "io/data_folders.hpp"
#include "reproduce/zhu2019_parts.hpp"

namespace footfall::zhu2019 {

void add_speed(Reproduction& out) {
  BenchmarkOptions options;
  options.repeats = 3;
  options.steps = 500;
  options.wrench_database = "play-sand";
  const Benchmark done =
      benchmark_robot(find_file("robosimian_planar", ".", "robots", {".xml"}, "zhu2019"), options);
  const double time = done.cases.front().step_time;
  out.items.push_back(claims({.place = "IV.C.4",
                              .quantity = "a step: 13 bodies, 12 joints, 4 contacts",
                              .unit = "us",
                              .claim = "about 0.343 s",
                              .ours = 1e6 * time},
                             time < kZhuStepTime));
}

}  // namespace footfall::zhu2019
