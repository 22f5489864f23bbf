"""A campaign of grains from end to end, with LAMMPS: sampled, stopped, gone on with, refused."""

from __future__ import annotations

import csv
import json
import os
import shutil
import signal
import subprocess
import time

import pytest

needs_lammps = pytest.mark.skipif(
    shutil.which(os.environ.get("FOOTFALL_LAMMPS", "lmp")) is None, reason="no lmp on this machine"
)

# A few hundred large, soft grains: a bed settles in a second and a case is done in a tenth of one.
CAMPAIGN = """
medium = "large-beads"
[grains]
radius_m = 0.02
density_kg_per_m3 = 1631
youngs_modulus_Pa = 1e6
poisson_ratio = 0.3
friction_coefficient = 0.577
restitution = 0.5
[bed]
length_x_m = 0.4
width_y_m = 0.32
depth_m = 0.2
[foot]
shape = "cylinder"
radius_m = 0.05
height_m = 0.3
[sampling]
depths_m = [0.04]
tilts_rad = [0, 0.3]
only_directions = [9, 11, 15]  # straight down, and sideways both ways
speed_x_m_per_s = 0.4
speed_z_m_per_s = 0.4
tilt_rate_rad_per_s = 0.6
duration_s = 0.1
sample_interval_s = 0.001
filter_cutoff_Hz = 40
"""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory):
    file = tmp_path_factory.mktemp("campaign") / "large.toml"
    file.write_text(CAMPAIGN)
    return file


def error_of(footfall, *arguments, expect=2, **options) -> str:
    done = footfall(*arguments, expect=expect, **options)
    assert done.stderr.startswith("footfall: error: "), done.stderr
    return done.stderr


def test_dry_run_says_what_there_is_to_do(footfall, campaign):
    plan = footfall.json("granular", "sample", campaign, "--dry-run", cwd=campaign.parent)
    assert plan["cases"] == 2 + 3  # at zero tilt the two ways sideways are one
    assert plan["done"] == 0
    assert not (campaign.parent / "results").exists()


def test_no_lammps_is_said(footfall, campaign):
    command = ("granular", "sample", campaign, "--set", "engine.program='no-such-lmp'")
    assert "no-such-lmp" in error_of(footfall, *command, cwd=campaign.parent)


@needs_lammps
def test_campaign_is_sampled_stopped_and_finished(footfall, campaign, program):
    folder = campaign.parent
    command = ("granular", "sample", campaign, "--jobs", "2")
    running = subprocess.Popen(
        [program, *command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    deadline = time.monotonic() + 60
    while not list(folder.glob("results/beds/*.json")) and time.monotonic() < deadline:
        time.sleep(0.01)
    running.send_signal(signal.SIGINT)
    _, stderr = running.communicate(timeout=60)
    assert running.returncode == 130, stderr
    assert "what was finished lies in results/large.ledger" in stderr
    ledger = footfall.json("granular", "status", folder / "results/large.ledger")
    assert ledger["running"] == ledger["failed"] == 0
    assert not (folder / "results/large.ledger-work").exists()

    summary = footfall.json(*command, cwd=folder)
    assert summary["missing"] == 0
    assert summary["done_now"] == 5 - ledger["done"]
    assert summary["bed"]["grains"] > 200
    with open(folder / "results/large.csv") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert len(rows) == 6
    down, forward, back = ([float(row[key]) for key in ("force_x_N", "force_z_N", "torque_y_Nm")]
                           for row in rows[:3])
    assert down[1] > 1 and down[0] == down[2] == 0
    assert forward[0] < 0  # against the motion
    assert back == [-forward[0], forward[1], -forward[2]]

    before = (folder / "results/large.csv").read_bytes()
    again = footfall.json(*command, cwd=folder)
    assert (again["done"], again["done_now"]) == (5, 0)
    assert (folder / "results/large.csv").read_bytes() == before
    other = (*command, "--set", "grains.friction_coefficient=0.4")
    message = error_of(footfall, *other, cwd=folder)
    assert "key 'grains.friction_coefficient' is '0.577' there and '0.4' in the campaign" in message
