"""Two hosts on one machine, for one mpirun: a network and a UTS namespace each, joined by a cable.

The namespaces have no names anywhere. Each is held by a process that ends when its standard input
does, so that nothing is left however the test ends.
"""

import contextlib
import os
import pathlib
import shutil
import subprocess
import sys

import launch

# What mpirun asks to start its daemon on another host, as it would ask ssh.
AGENT = """\
#!/bin/sh
case "$1" in
{cases}
*) echo "no host $1" >&2; exit 255;;
esac
"""
HOLDER = "import socket, sys; socket.sethostname(sys.argv[1]); print('up', flush=True); sys.stdin.read()"
TOOLS = ("ip", "unshare", "nsenter")


def become_root_of_namespaces():
    """Starts this program anew as root of a user namespace, for those who are not root."""
    as_root = ["unshare", "--user", "--map-root-user"]
    if os.geteuid() == 0 or not shutil.which("unshare"):
        return
    if subprocess.run([*as_root, "true"], capture_output=True, check=False).returncode == 0:
        os.execvp(as_root[0], [*as_root, sys.executable, *sys.argv])


class Host:
    """A host as long as its holder lives."""

    def __init__(self, name, address):
        self.name = name
        self.address = address
        self._holder = subprocess.Popen(
            ["unshare", "--net", "--uts", sys.executable, "-c", HOLDER, name],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if self._holder.stdout.readline().strip() != "up":
            refusal = self._holder.stderr.read().strip()
            self.close()
            raise launch.Skip(f"namespaces are not permitted here: {refusal}")

    @property
    def pid(self):
        return str(self._holder.pid)

    @property
    def enter(self):
        return ["nsenter", "--target", self.pid, "--net", "--uts", "--"]

    def close(self):
        for pipe in (self._holder.stdin, self._holder.stdout, self._holder.stderr):
            pipe.close()
        self._holder.wait(10)


def ip(host, *words):
    """Configures the host's network."""
    command = [*host.enter, "ip", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise launch.Skip(f"ip {' '.join(words)}: {done.stderr.strip()}")


@contextlib.contextmanager
def two_hosts(folder):
    """Yields (hosts, agent): both hosts, reachable from each other only, and mpirun's agent."""
    # Where `ip` lies, and not everybody looks.
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if missing:
        raise launch.Skip(f"not installed: {', '.join(missing)}")
    with contextlib.ExitStack() as cleanup:
        hosts = []
        for name, address in (("ithaca-a", "10.77.0.1"), ("ithaca-b", "10.77.0.2")):
            hosts.append(Host(name, address))
            cleanup.callback(hosts[-1].close)
        # Made inside the namespaces, the cable goes with them.
        far_end = ("peer", "name", "cable", "netns", hosts[1].pid)
        ip(hosts[0], "link", "add", "cable", "type", "veth", *far_end)
        for host in hosts:
            ip(host, "addr", "add", f"{host.address}/24", "dev", "cable")
            ip(host, "link", "set", "cable", "up")
            ip(host, "link", "set", "lo", "up")
        agent = pathlib.Path(folder) / "agent"
        cases = "\n".join(
            f'{host.name}) shift; exec {" ".join(host.enter)} sh -c "$*";;' for host in hosts)
        agent.write_text(AGENT.format(cases=cases), encoding="utf-8")
        agent.chmod(0o755)
        yield hosts, agent


def mpirun(hosts, agent, slots, mapping, *job):
    """Starts the ranks of `job` from the first host; `slots` by host, placed by `mapping`."""
    where = ",".join(f"{host.name}:{number}" for host, number in zip(hosts, slots))
    command = [
        *hosts[0].enter, os.environ["ITHACA_MPIEXEC"], *launch.MPIRUN_FLAGS,
        *("--mca", "plm_rsh_agent", agent, "--host", where, "--map-by", mapping),
        *job,
    ]
    return launch.run(command)
