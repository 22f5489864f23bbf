"""Where bipeds can walk: the 34 kg biped over the soils of the library, and the small humanoid on ground that yields 6 mm,
with and without expecting it. Who falls is told where and why.

Usage: walks.py [--all | SOIL...]     without --all: four soils, four of the humanoid's twenty walks; SOIL...: the biped on
                                      these soils alone
"""

import sys
from pathlib import Path

import footfall as ff


def walk(scenario: str | ff.Scenario, settings: dict | None = None) -> dict:
    return ff.run(scenario, settings, record=False).summary["gait"]


def outcome(g: dict) -> str:
    if g["fell"]:
        fall = g["fall"]
        return f"falls after {fall['time_s']:.2f} s at x = {fall['position_m'][0]:.2f} m: {fall['reason']}"
    return f"crosses, tilt {g['tilt_max_rad']:.3f} rad, sinkage {1e3 * g['sinkage_max_m']:.1f} mm"


def walk_biped(soils: list[str]) -> None:
    """Brisk steps for hard ground, and calm ones that expect to sink."""
    print("The biped, five steps")
    for soil in soils:
        brisk = {"soil.name": soil}
        calm = {**brisk, "controller.step_length_m": 0.12, "controller.step_duration_s": 1,
                "controller.expected_sinkage_m": "soil", "step.duration_s": 8.5}  # fmt: skip
        print(f"{soil:<20} brisk  {outcome(walk('scenarios/biped_walk.toml', brisk))}")
        print(f"{'':<20} calm   {outcome(walk('scenarios/biped_walk.toml', calm))}")


def walk_contacts() -> None:
    """The same brisk steps on hard ground, by other models of contact."""
    text = Path("scenarios/biped_walk.toml").read_text(encoding="utf-8")
    text = text.replace('[soil]\nname = "concrete"\n', "")  # these models know no soil
    for model in ("feedback_linearized", "soft_constraint"):
        settings = {"contact.model": model}
        if model == "feedback_linearized":
            settings["contact.friction_coefficient"] = 0.8
        scenario = ff.parse_scenario(text, "biped_walk.toml", "scenarios", settings)
        print(f"{model:<20} brisk  {outcome(walk(scenario))}")


def walk_humanoid(durations: list[float], expected: float) -> int:
    print(f"\nThe humanoid on ground that yields 6 mm, expecting {expected:g} m")
    ends = walks = 0
    for duration in durations:
        for length in (0.015, 0.02, 0.025, 0.03):
            g = walk("scenarios/humanoid_walk.toml", {
                "controller.step_duration_s": duration, "controller.step_length_m": length,
                "controller.expected_sinkage_m": expected})  # fmt: skip
            walks += 1
            ends += not g["fell"]
            print(f"steps of {1e3 * length:.0f} mm in {duration:.2f} s  {outcome(g)}")
    print(f"{ends} of {walks} walk to the end")
    return ends


def main(words: list[str]) -> int:
    soils, durations = ["concrete", "heavy-clay", "sandy-loam", "dry-sand"], [0.6]
    if words == ["--all"]:
        soils, durations = [soil.name for soil in ff.soils()], [0.4, 0.45, 0.5, 0.55, 0.6]
    elif words:
        walk_biped(words)
        return 0
    walk_biped(soils)
    walk_contacts()
    return 0 if walk_humanoid(durations, 0.006) > walk_humanoid(durations, 0) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
