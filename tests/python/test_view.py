"""Looking at runs: `footfall view`, `footfall run --live`, pictures and films."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

SCENARIO = "scenarios/quadruped_drop.toml"
SHORT = ("--set", "step.duration_s=0.2")

has_viewer = (Path(__file__).resolve().parents[2] / "web/dist/viewer.html").is_file()
pytestmark = pytest.mark.skipif(not has_viewer, reason="the viewer was not built: no Node")
needs_browser = pytest.mark.skipif(
    not (shutil.which("chromium") and shutil.which("ffmpeg")), reason="no Chromium or no ffmpeg"
)


@pytest.fixture(scope="module")
def run_file(footfall, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "drop"
    footfall("run", SCENARIO, *SHORT, "-o", folder)
    return folder / "run.h5"


@contextmanager
def serving(program, *arguments, cwd=None):
    """The program while it serves: its process and the address that it printed."""
    process = subprocess.Popen(
        [str(program), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=cwd or Path(__file__).resolve().parents[2],
    )
    try:
        lines = []
        for line in process.stdout:
            lines.append(line)
            if found := re.search(r"http://\S+", line):
                yield process, found.group()
                break
        else:
            pytest.fail("no address: " + "".join(lines) + process.stderr.read())
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def fetch(address, path="/", method="GET", **headers):
    """Status, headers and body, of exactly this path below the address."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=30)
    start = urlsplit(address).path.rstrip("/")  # what only its owner knows
    connection.request(method, f"{start}{path.removeprefix(start)}", headers=headers)
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    return reply.status, reply.headers, body


def page_of(html: bytes) -> dict:
    found = re.search(rb'<script id="footfall-page"[^>]*>(.*?)</script>', html, re.S)
    return json.loads(found.group(1))


def test_view_serves_a_run_and_ends_with_ctrl_c(program, run_file):
    with serving(program, "view", run_file) as (process, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", address)
        status, headers, html = fetch(address)
        page = page_of(html)
        assert (status, page["mode"]) == (200, "served")
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        times = page["runs"][0]["frames"]["time"]
        assert times["length"] > 10
        _, _, whole = fetch(address, page["data_url"])
        first, last = times["offset"], times["offset"] + 2 * times["length"] - 1
        status, headers, part = fetch(address, page["data_url"], Range=f"bytes={first}-{last}")
        assert status == 206
        assert headers["Content-Range"] == f"bytes {first}-{last}/{len(whole)}"
        assert part == whole[first : last + 1]
        assert sum(struct.unpack(f"<{times['length']}h", part)) * times["scale"] == pytest.approx(0.2)
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0


def test_view_refuses_what_is_not_its_own(program, run_file):
    (run_file.parents[1] / "secret.h5").write_text("no")
    (run_file.parent / "link.h5").symlink_to(run_file.parents[1] / "secret.h5")
    with serving(program, "view", run_file.parent) as (_, address):
        _, _, html = fetch(address)
        secret = urlsplit(address).path.strip("/")
        assert f'<a href="/{secret}/run/run.h5">'.encode() in html
        for guess in ("", secret[:-1], "0" * 32, secret + "x"):  # of another user of the machine
            assert fetch(f"http://{urlsplit(address).netloc}/{guess}", "/")[0] == 403, guess
        assert b"link.h5" not in html
        assert fetch(address, "/run/run.h5")[0] == 200
        hidden = run_file.parents[1] / "secret.h5"
        for path in ("/run/../secret.h5", "/run/%2e%2e/secret.h5", f"/run/{hidden}", f"/data//{hidden}",
                     "/run/link.h5", "/data/..%2fsecret.h5", "/run/report.html", "/etc/passwd"):
            assert fetch(address, path)[0] == 404, path
        assert fetch(address, Host="example.org")[0] == 403
        assert fetch(address, Origin="http://example.org")[0] == 403


@pytest.mark.parametrize(
    ("path", "says"),
    [("missing.h5", "cannot be read"), ("README.md", "README.md"), ("results-of-nobody", "cannot be read")],
)
def test_view_says_what_it_cannot_show(footfall, path, says):
    assert says in footfall("view", path, expect=2).stderr


def test_view_says_which_port_is_taken(program, footfall, run_file):
    with serving(program, "view", run_file) as (_, address):
        port = urlsplit(address).port
        assert f"port {port}" in footfall("view", run_file, "--port", port, expect=2).stderr


class Viewer(threading.Thread):
    """Reads the events of a live run until they end."""

    def __init__(self, address):
        super().__init__()
        self.address, self.frames, self.states = address, [], []
        self.start()

    def run(self):
        connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=60)
        connection.request("GET", urlsplit(self.address).path + "live")
        kind = "message"
        for line in connection.getresponse():
            if line.startswith(b"event: "):
                kind = line[7:].strip().decode()
            elif line.startswith(b"data: "):
                data = json.loads(line[6:])
                (self.states if kind == "state" else self.frames).append(data)
                kind = "message"
        connection.close()

    def wait_for(self, condition):
        for _ in range(1000):
            if condition(self):
                return
            time.sleep(0.02)
        pytest.fail(f"states {self.states}, last frame {self.frames[-1:]}")


def test_live_run_is_watched_paused_and_the_same(program, footfall, run_file, tmp_path):
    arguments = ("run", SCENARIO, *SHORT, "-o", tmp_path, "--live", "--live-speed", "0.5")
    with serving(program, *arguments) as (process, address):
        page = page_of(fetch(address)[2])
        assert (page["mode"], page["live_url"]) == ("live", "live")
        assert fetch(address, "/" + page["data_url"])[0] == 200
        secret = urlsplit(address).path.strip("/")
        assert len(secret) == 32
        for guess in ("", secret[:-1], secret[::-1], "0" * 32):  # as another user of the machine
            stranger = address.replace(secret, guess).rstrip("/") + "/"
            assert [fetch(stranger, path)[0] for path in ("/", "/data", "/live")] == [403] * 3
            assert fetch(stranger, "/live/pause", "POST")[0] == 403
        viewers = [Viewer(address), Viewer(address)]
        viewers[0].wait_for(lambda v: v.frames)
        assert fetch(address, "/live/pause", "POST")[0] == 204
        viewers[1].wait_for(lambda v: v.states[-1:] and v.states[-1]["state"] == "paused")
        time.sleep(0.3)  # the frame that was under way
        before = viewers[1].frames[-1]["time"]
        assert fetch(address, "/live/step?seconds=0.01", "POST")[0] == 204
        viewers[1].wait_for(lambda v: v.frames[-1]["time"] == pytest.approx(before + 0.01))
        time.sleep(0.1)
        assert viewers[1].frames[-1]["time"] == pytest.approx(before + 0.01)  # and no further
        assert fetch(address, "/live/resume", "POST")[0] == 204
        for viewer in viewers:
            viewer.join(60)
            assert viewer.states[-1]["state"] == "finished"
            assert viewer.frames[-1]["time"] == 0.2
            width = 1 + len(page["runs"][0]["channels"])
            rows = [row for frame in viewer.frames for row in frame.get("rows", [])]
            assert len(rows) == 200 * width  # every step, whether or not a frame showed it
            assert rows[::width] == pytest.approx([0.001 * (i + 1) for i in range(200)])
            assert viewer.states[-1]["report"]["page"]["mode"] == "embedded"
        assert process.wait(30) == 0
    files = (run_file, tmp_path / "run.h5")
    for file in files:
        footfall("export", file, file.with_suffix(".csv"))
    tables = [file.with_suffix(".csv").read_text().splitlines() for file in files]
    timed = [i for i, name in enumerate(tables[0][0].split(",")) if name.startswith("stages")]
    rows = [[[v for i, v in enumerate(line.split(",")) if i not in timed] for line in t] for t in tables]
    assert rows[0] == rows[1]


def test_ctrl_c_ends_a_live_run_and_keeps_what_was_done(program, footfall, tmp_path):
    arguments = ("run", SCENARIO, "-o", tmp_path, "--live")
    with serving(program, *arguments) as (process, address):
        viewer = Viewer(address)
        viewer.wait_for(lambda v: len(v.frames) > 2)
        fetch(address, "/live/pause", "POST")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        viewer.join(30)
        assert viewer.states[-1]["message"].startswith("interrupted after")
    footfall("export", tmp_path / "run.unfinished.h5", tmp_path / "run.csv")
    assert len((tmp_path / "run.csv").read_text().splitlines()) > 2


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--png", "a.jpg"), "ends in .png"),
        (("--png", "nowhere/a.png"), "folder does not exist"),
        (("--video", "a.mp4", "--size", "321x180"), "even numbers"),
        (("--png", "a.png", "--size", "big"), "1280x720"),
        (("--png", "a.png", "--theme", "blue"), "light or dark"),
    ],
)
def test_pictures_refuse_what_makes_no_sense(footfall, tmp_path, options, says):
    start = time.monotonic()
    done = footfall("run", Path.cwd() / SCENARIO, *options, cwd=tmp_path, expect=2)
    assert says in done.stderr
    assert time.monotonic() - start < 5
    assert list(tmp_path.iterdir()) == []


def test_pictures_without_chromium_say_what_to_install(program, tmp_path):
    command = [str(program), "run", str(Path.cwd() / SCENARIO), "--video", "a.mp4"]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | {"PATH": str(tmp_path)},
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "chromium and ffmpeg" in done.stderr
    assert "apt-get install chromium ffmpeg" in done.stderr


@pytest.fixture
def temporary():
    """A folder for temporary ones, of a short name as the sockets of Chromium want it; nothing may stay in it."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    yield folder
    assert list(folder.iterdir()) == []
    folder.rmdir()


def chromium_with(tmp_path, temporary, script: str) -> dict:
    """An environment whose Chromium is a shell script."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "chromium").write_text("#!/bin/sh\n" + script)
    (folder / "chromium").chmod(0o755)
    return os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "TMPDIR": str(temporary)}


def test_a_browser_that_crashes_is_quoted(program, run_file, tmp_path, temporary):
    done = subprocess.run(
        [str(program), "view", str(run_file), "--png", str(tmp_path / "a.png")],
        env=chromium_with(tmp_path, temporary, "echo no display >&2; exit 7\n"),
        capture_output=True, text=True, timeout=60,
    )
    assert done.returncode == 1
    assert "status 7" in done.stderr and "no display" in done.stderr
    assert not (tmp_path / "a.png").exists()


def test_ctrl_c_takes_the_browser_along(program, run_file, tmp_path, temporary):
    process = subprocess.Popen(
        [str(program), "view", str(run_file), "--png", str(tmp_path / "a.png")],
        env=chromium_with(tmp_path, temporary, f"sleep 300 & echo $! $$ > {tmp_path}/pids; wait\n"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )
    for _ in range(500):
        if (tmp_path / "pids").exists() and (tmp_path / "pids").read_text().endswith("\n"):
            break
        time.sleep(0.02)
    pids = (tmp_path / "pids").read_text().split()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=30)
    assert process.returncode == 130
    alive = [p for p in pids if Path(f"/proc/{p}/stat").exists()
             and Path(f"/proc/{p}/stat").read_text().split()[2] != "Z"]
    assert alive == []


@needs_browser
def test_a_picture_and_a_film(program, run_file, tmp_path, temporary):
    environment = os.environ | {"TMPDIR": str(temporary)}
    done = subprocess.run(
        [str(program), "view", str(run_file), "--png", "a.png", "--video", "a.mp4", "--size", "320x180",
         "--fps", "25", "--speed", "0.5", "--theme", "dark"],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300,
    )
    assert done.returncode == 0, done.stderr
    png = (tmp_path / "a.png").read_bytes()
    assert png.startswith(b"\x89PNG") and struct.unpack(">II", png[16:24]) == (320, 180)
    probe = subprocess.run(
        ["ffprobe", "-v", "error", "-count_frames", "-of", "json", "-show_entries",
         "stream=codec_name,width,height,pix_fmt,nb_read_frames", str(tmp_path / "a.mp4")],
        capture_output=True, text=True, check=True,
    )
    stream = json.loads(probe.stdout)["streams"][0]
    assert (stream["codec_name"], stream["pix_fmt"]) == ("h264", "yuv420p")
    assert (stream["width"], stream["height"]) == (320, 180)
    assert int(stream["nb_read_frames"]) == 11  # 0.2 s at half speed, both ends shown
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.mp4", "a.png"]
