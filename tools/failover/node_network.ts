/**
 * A private network: each node is a network namespace with an address, connected by a bridge. The
 * namespaces have no route out, so no packet reaches the machine's own network.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** The address of everything that is not a node: servers, load balancer and clients. */
const hostAddress = "10.90.0.1";

export interface DrillNode {
  readonly name: string;
  readonly address: string;
  /**
   * Starts a program on this node with the user `postgres`. Its output is written to
   * `<folder>/<log>.log`. It runs until the node is killed.
   */
  run(log: string, command: readonly string[], environment: Readonly<Record<string, string>>): ChildProcess;
  /** Sends SIGKILL to every process, repeatedly until none remains. */
  kill(): Promise<void>;
  /** Sends SIGSTOP to every process. */
  freeze(): void;
  thaw(): void;
  /** Disconnects the node completely. */
  cutOff(): void;
  /** Drops packets from and to these nodes only. */
  cutOffFrom(others: readonly DrillNode[]): void;
  /** Reverses `cutOff` and `cutOffFrom`. */
  heal(): void;
}

const ip = (...args: string[]) => execFileSync("/usr/sbin/ip", args);

/** Creates the bridge in the namespace of this process. */
export function openNetwork(): void {
  ip("link", "set", "lo", "up");
  ip("link", "add", "drill", "type", "bridge");
  ip("addr", "add", `${hostAddress}/24`, "dev", "drill");
  ip("link", "set", "drill", "up");
}

/** Creates the node with this number, with files in `folder`. */
export async function openNode(name: string, number: number, folder: string): Promise<DrillNode> {
  const address = `10.90.0.${10 + number}`;
  const cable = `node${number}`;
  // This process keeps the namespaces alive while no other process of the node runs. Each node has its own
  // /run/postgresql, because PostgreSQL creates its sockets there.
  const ownRun = "mount -t tmpfs -o mode=1777 tmpfs /run/postgresql && exec sleep infinity";
  const keeper = spawn("/usr/bin/unshare", ["--net", "--mount", "sh", "-c", ownRun], { stdio: "ignore" });
  await once(keeper, "spawn");
  const pid = keeper.pid ?? 0;
  const own = namespaceOf(process.pid);
  while (namespaceOf(pid) === own) await wait(10);
  const inside = [`--net=/proc/${pid}/ns/net`, `--mount=/proc/${pid}/ns/mnt`, "--"];
  const within = (...command: string[]) => execFileSync("/usr/bin/nsenter", [...inside, ...command]);
  ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", String(pid));
  ip("link", "set", cable, "master", "drill", "up");
  within("/usr/sbin/ip", "link", "set", "lo", "up");
  within("/usr/sbin/ip", "addr", "add", `${address}/24`, "dev", "eth0");
  within("/usr/sbin/ip", "link", "set", "eth0", "up");

  const space = namespaceOf(pid);
  const processes = () => processIds().filter((id) => id !== pid && namespaceOf(id) === space);
  const signal = (name: NodeJS.Signals) => {
    for (const id of processes()) signalTo(id, name);
  };
  return {
    ...{ name, address },
    run(log, command, environment) {
      const out = openSync(join(folder, `${log}.log`), "a");
      const asPostgres = ["/usr/bin/setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"];
      return spawn("/usr/bin/nsenter", [...inside, ...asPostgres, "--", ...command], {
        cwd: folder,
        env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", LANG: "C.UTF-8", ...environment },
        stdio: ["ignore", out, out],
      });
    },
    async kill() {
      while (processes().length > 0) {
        signal("SIGKILL");
        await wait(20);
      }
    },
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    cutOff: () => void ip("link", "set", cable, "down"),
    cutOffFrom(others) {
      for (const { address: other } of others) {
        within("/usr/sbin/iptables", "-A", "INPUT", "-s", other, "-j", "DROP");
        within("/usr/sbin/iptables", "-A", "OUTPUT", "-d", other, "-j", "DROP");
      }
    },
    heal() {
      ip("link", "set", cable, "up");
      within("/usr/sbin/iptables", "-F");
    },
  };
}

const processIds = () =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

/** Returns undefined for a process that has exited. */
function namespaceOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/net`);
  } catch {
    return undefined;
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process exited in the meantime.
  }
}
