#!/usr/bin/env python3
"""Trains and evaluates with ranks on two hosts: two network namespaces, joined by a pair of veth.

    hosts.py DUCTUS

The hosts have names and addresses of their own, so that Open MPI sends over TCP between them. Where the
kernel has netem, packets are delayed and lost. Then the cable is cut in the middle of a training. Prints
what is skipped, and exits with 0, where namespaces are not allowed.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from ranks import GLYPHS, LINES, LONG, Runs, evaluated, fail
HOSTS = ["nodea", "nodeb"]
DELAY = ["delay", "2ms", "1ms", "loss", "0.5%"]

# Open MPI calls this instead of ssh, with a host and a command.
AGENT = """#!/bin/sh
host=$1
shift
exec ip netns exec ductus-%d-$host unshare --uts sh -c 'hostname "$1"; shift; exec sh -c "$*"' sh "$host" "$@"
"""


def say(text):
    print("hosts: %s" % text, flush=True)


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


class Cable:
    """Two namespaces and what joins them."""

    def __init__(self):
        self.names = ["ductus-%d-%s" % (os.getpid(), host) for host in HOSTS]

    def connect(self):
        """Nil, or the reason why there are no namespaces."""
        pair = ["dx%d%s" % (os.getpid() % 100000, side) for side in "ab"]
        commands = [["netns", "add", name] for name in self.names]
        commands.append(["link", "add", pair[0], "type", "veth", "peer", "name", pair[1]])
        for number, name in enumerate(self.names):
            commands += [
                ["link", "set", pair[number], "netns", name, "name", "eth0"],
                ["-n", name, "address", "add", "10.77.0.%d/24" % (number + 1), "dev", "eth0"],
                ["-n", name, "link", "set", "eth0", "up"], ["-n", name, "link", "set", "lo", "up"]]
        for command in commands:
            result = run("ip", *command)
            if result.returncode:
                return "ip %s: %s" % (" ".join(command), result.stderr.strip())
        return None

    def disturb(self):
        """Delays and loses packets. Nil, or the reason why not."""
        if shutil.which("tc") is None:
            return "no tc"
        for name in self.names:
            result = run(
                "ip", "netns", "exec", name, "tc", "qdisc", "add", "dev", "eth0", "root", "netem",
                *DELAY)
            if result.returncode:
                return result.stderr.strip().splitlines()[-1]
        return None

    def cut(self):
        run("ip", "-n", self.names[1], "link", "set", "eth0", "down")

    def join(self):
        run("ip", "-n", self.names[1], "link", "set", "eth0", "up")

    def processes(self):
        return [int(pid) for name in self.names for pid in run("ip", "netns", "pids", name).stdout.split()]

    def end(self):
        """Ends what still runs on the hosts, and removes them."""
        for pid in self.processes():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        for name in self.names:
            run("ip", "netns", "delete", name)


class HostRuns(Runs):
    """Runs whose ranks are on both hosts, one after the other; those without ranks are here."""

    def __init__(self, ductus, folder, cable):
        super().__init__(ductus, folder)
        agent = pathlib.Path(folder, "agent")
        agent.write_text(AGENT % os.getpid())
        agent.chmod(0o755)
        self.prefix = [
            "ip", "netns", "exec", cable.names[0], "unshare", "--uts", "sh", "-c",
            'hostname %s; exec "$@"' % HOSTS[0], "sh"]
        self.environment.update({
            # Open MPI 4 and 5 have other names for the same settings.
            "OMPI_MCA_plm_rsh_agent": str(agent), "PRTE_MCA_plm_ssh_agent": str(agent),
            "OMPI_MCA_btl": "tcp,self", "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "PRTE_ALLOW_RUN_AS_ROOT": "1",
            "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1"})

    def launcher(self, count):
        slots = ",".join("%s:%d" % (host, (count + 1 - number) // 2)
                         for number, host in enumerate(HOSTS) if (count + 1 - number) // 2)
        return self.prefix + ["mpirun", "--host", slots, "--map-by", "node", "--bind-to", "none", "-n",
                              str(count)]


def same_bits(runs):
    glyphs = None
    for name, arguments, count in [("glyphs", GLYPHS, 2), ("lines", LINES, 2)]:
        alone, apart = runs.output(), runs.output()
        runs.run(None, arguments, alone)
        started = time.monotonic()
        text = runs.run(count, arguments, apart)
        glyphs = glyphs or alone
        if "%d ranks on 2 machines" % count not in text:
            fail("not two machines:\n%s" % text)
        if runs.weights(alone) != runs.weights(apart):
            fail("%s: %d ranks on two hosts give other weights" % (name, count))
        say("%s: %d ranks on two hosts give the weights of one process, in %.0f s" % (
            name, count, time.monotonic() - started))
    one = evaluated(runs, None, ["--model", glyphs])
    if evaluated(runs, 2, ["--model", glyphs]) != one:
        fail("an evaluation on two hosts has other figures")
    say("evaluate: two hosts give the report of one process")


def cut(runs, cable):
    """The cable is cut: the ranks end with an error, and the run resumes to the same bits."""
    alone, output = runs.output(), runs.output()
    runs.run(None, LONG, alone)
    process = runs.start(2, LONG, output, ["--rank-timeout", "5"])
    if not runs.trains(output, 2, process):
        fail("the run to cut ended by itself:\n%s" % runs.end(process))
    cable.cut()
    # The ranks notice; mpirun itself may wait longer for its other half.
    end = time.monotonic() + 30
    while time.monotonic() < end and runs.ranks_of(output):
        time.sleep(0.2)
    if runs.ranks_of(output):
        fail("ranks are left 30 s after the cable was cut: %s" % runs.ranks_of(output))
    for pid in cable.processes():
        os.kill(pid, signal.SIGKILL)
    text = runs.end(process, 30)
    if "rank 1 on %s" % HOSTS[1] not in text:
        fail("no error names rank 1:\n%s" % text)
    cable.join()
    runs.run(2, LONG, output, ["--resume"])
    if runs.weights(output) != runs.weights(alone):
        fail("the run whose cable was cut gives other weights")
    say("the cable was cut: an error names rank 1, and the run went on to the same weights")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for program in ["mpirun", "ip", "unshare"]:
        if shutil.which(program) is None:
            return say("skipped: no %s" % program)
    if os.geteuid() != 0:
        return say("skipped: network namespaces need root")
    cable = Cable()
    try:
        reason = cable.connect()
        if reason:
            return say("skipped: no network namespaces: %s" % reason)
        reason = cable.disturb()
        say("packets are delayed and lost: netem %s" % " ".join(DELAY) if reason is None
            else "skipped: delay and loss: %s" % reason)
        with tempfile.TemporaryDirectory() as folder:
            runs = HostRuns(os.path.abspath(sys.argv[1]), folder, cable)
            same_bits(runs)
            cut(runs, cable)
    finally:
        cable.end()
    say("passed")


if __name__ == "__main__":
    main()
