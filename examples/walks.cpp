// Where bipeds can walk: the 34 kg biped over the soils of the library, and the small humanoid on ground
// that yields 6 mm, with and without expecting it. Who falls is told where and why.
//
// Usage: walks [--all | SOIL...]     without --all: four soils, four of the humanoid's twenty walks; SOIL...: the
//                                    biped on these soils alone
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "footfall/io/soil_library.hpp"
#include "footfall/run/run.hpp"

namespace {

using Overrides = std::vector<std::string>;

footfall::GaitSummary walk(const char* file, const Overrides& overrides) {
  footfall::RunOptions options;
  options.record = false;
  return *footfall::run(footfall::load_scenario(file, overrides), options).gait;
}

std::string outcome(const footfall::GaitSummary& g) {
  char text[400];
  if (g.fall) {
    std::snprintf(text, sizeof text, "falls after %.2f s at x = %.2f m: %s", g.fall->time,
                  g.fall->position.x, g.fall->reason.c_str());
  } else {
    std::snprintf(text, sizeof text, "crosses, tilt %.3f rad, sinkage %.1f mm", g.largest_tilt,
                  1e3 * g.largest_sinkage);
  }
  return text;
}

// Brisk steps for hard ground, and calm ones that expect to sink.
void walk_biped(const std::vector<std::string>& soils) {
  std::printf("The biped, five steps\n");
  for (const std::string& soil : soils) {
    const Overrides brisk = {"soil.name=" + soil};
    Overrides calm = brisk;
    for (const char* more : {"controller.step_length_m=0.12", "controller.step_duration_s=1",
                             "controller.expected_sinkage_m=soil", "step.duration_s=8.5"}) {
      calm.emplace_back(more);
    }
    const char* file = "scenarios/biped_walk.toml";
    std::printf("%-20s brisk  %s\n", soil.c_str(), outcome(walk(file, brisk)).c_str());
    std::printf("%-20s calm   %s\n", "", outcome(walk(file, calm)).c_str());
  }
}

// The same brisk steps on hard ground, by other models of contact.
void walk_contacts() {
  std::ifstream file("scenarios/biped_walk.toml");
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::string soil = "[soil]\nname = \"concrete\"\n";
  text.erase(text.find(soil), soil.size());  // these models know no soil
  footfall::RunOptions options;
  options.record = false;
  for (const char* name : {"feedback_linearized", "soft_constraint"}) {
    const std::string model = name;
    Overrides overrides = {"contact.model=" + model};
    if (model == "feedback_linearized") overrides.emplace_back("contact.friction_coefficient=0.8");
    const footfall::Scenario scenario =
        footfall::parse_scenario(text, "biped_walk.toml", "scenarios", overrides);
    std::printf("%-20s brisk  %s\n", name, outcome(*footfall::run(scenario, options).gait).c_str());
  }
}

struct Counts {
  int walks = 0, ends = 0;
};

Counts walk_humanoid(const std::vector<double>& durations, const char* expected_m) {
  Counts counts;
  std::printf("\nThe humanoid on ground that yields 6 mm, expecting %s m\n", expected_m);
  for (const double duration : durations) {
    for (const double length : {0.015, 0.02, 0.025, 0.03}) {
      const footfall::GaitSummary g =
          walk("scenarios/humanoid_walk.toml",
               {"controller.step_duration_s=" + std::to_string(duration),
                "controller.step_length_m=" + std::to_string(length),
                std::string("controller.expected_sinkage_m=") + expected_m});
      ++counts.walks;
      counts.ends += g.fall ? 0 : 1;
      std::printf("steps of %.0f mm in %.2f s  %s\n", 1e3 * length, duration, outcome(g).c_str());
    }
  }
  std::printf("%d of %d walk to the end\n", counts.ends, counts.walks);
  return counts;
}

bool show(bool all) {
  std::vector<std::string> soils = {"concrete", "heavy-clay", "sandy-loam", "dry-sand"};
  std::vector<double> durations = {0.6};
  if (all) {
    soils.clear();
    for (const footfall::Soil& soil : footfall::load_soil_library()) soils.push_back(soil.name);
    durations = {0.4, 0.45, 0.5, 0.55, 0.6};
  }
  walk_biped(soils);
  walk_contacts();
  const Counts expecting = walk_humanoid(durations, "0.006");
  const Counts surprised = walk_humanoid(durations, "0");
  return expecting.ends > surprised.ends;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.empty() || words[0] == "--all") return show(!words.empty()) ? 0 : 1;
    walk_biped(words);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
