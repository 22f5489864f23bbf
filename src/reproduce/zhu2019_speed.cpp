// Section IV.C.4: what a step of 13 bodies, 12 joints and 4 contacts takes.
#include "footfall/mujoco/benchmark.hpp"
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
  out.add(claims(claimed("IV.C.4", "a step: 13 bodies, 12 joints, 4 contacts", "us",
                         "about 0.343 s", 1e6 * time),
                 time < kZhuStepTime));
}

}  // namespace footfall::zhu2019
