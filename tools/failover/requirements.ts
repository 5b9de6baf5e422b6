/** Checks the requirements of the drill: Linux, root, and packages of Debian or Ubuntu. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync } from "node:fs";

interface Program {
  readonly path: string;
  /** The distribution's package that contains the program. */
  readonly from: string;
}

const programs: readonly Program[] = [
  { path: "/usr/bin/patroni", from: "patroni" },
  { path: "/usr/bin/etcd", from: "etcd-server" },
  { path: "/usr/sbin/haproxy", from: "haproxy" },
  { path: "/usr/bin/nsenter", from: "util-linux" },
  { path: "/usr/bin/setpriv", from: "util-linux" },
  { path: "/usr/sbin/ip", from: "iproute2" },
  { path: "/usr/sbin/iptables", from: "iptables" },
];

/** Returns the folder of the newest PostgreSQL installed by the distribution; undefined if there is none. */
export function installedPostgres(): string | undefined {
  const folders = globSync("/usr/lib/postgresql/*/bin").filter((folder) => existsSync(`${folder}/initdb`));
  const version = (folder: string) => Number(/postgresql\/(\d+)\//.exec(folder)?.[1]);
  return folders.sort((one, other) => version(other) - version(one))[0];
}

/** Returns the version of the programs in this folder, such as `15.18`. Throws if there is no PostgreSQL. */
export function postgresVersion(bin: string): string {
  const { stdout } = spawnSync(`${bin}/postgres`, ["--version"], { encoding: "utf8" });
  const version = /(\d+\.\d+)/.exec(stdout ?? "")?.[1];
  if (version === undefined) throw new Error(`${bin}/postgres prints no version`);
  return version;
}

/** Returns why the drill cannot run on this machine and how to change that; undefined if it can. */
export function missingForDrill(): string | undefined {
  if (process.platform !== "linux") return "the drill needs Linux, because it creates network namespaces";
  const packages = programs.filter(({ path }) => !existsSync(path)).map(({ from }) => from);
  if (installedPostgres() === undefined) packages.push("postgresql");
  if (packages.length > 0) {
    const names = [...new Set(packages)].join(" ");
    return `the drill needs these packages: apt-get install --no-install-recommends ${names}`;
  }
  if (process.getuid?.() !== 0) return "the drill must run as root, because it creates network namespaces";
  return undefined;
}
