/** Three nodes, each with PostgreSQL under Patroni and a member of etcd, from `deploy/ha/patroni.yml`. */
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, chownSync, copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { type DrillNode, openNode } from "./node_network.ts";

const configuration = join(import.meta.dirname, "..", "..", "deploy", "ha", "patroni.yml");

/** Maximum milliseconds until the cluster is complete. */
const maxWait = 120_000;

/** A node as Patroni's REST API reports it (`GET /cluster`). */
interface Member {
  readonly name: string;
  readonly role: "leader" | "sync_standby" | "replica";
  readonly state: string;
  readonly lag?: number | string;
}

export interface PatroniCluster {
  readonly nodes: readonly DrillNode[];
  /**
   * The database address for the servers, with all hosts. The database is new, and its owner is
   * `postern`.
   */
  readonly database_url: string;
  /** Returns the node with the leader lock. Throws if there is none. */
  leader(): Promise<DrillNode>;
  /** Waits until one node is the leader and all others follow, one of them synchronously. */
  whole(): Promise<void>;
  /** Returns the synchronous standby, which commits wait for. Throws if there is none. */
  synchronous(): Promise<DrillNode>;
  /** Resolves when a node other than this one commits as the primary. */
  takenOver(from: DrillNode | undefined): Promise<void>;
  /** Starts the processes of a killed node again. */
  start(node: DrillNode): void;
  /** Shuts down Patroni and PostgreSQL on a node cleanly, and starts them with the programs in `bin`. */
  restart(node: DrillNode, bin: string): Promise<void>;
  /** Makes the synchronous standby the leader, as an operator does before maintenance of the primary. */
  switchOver(): Promise<void>;
  /** Returns the version of the PostgreSQL that runs on this node, such as `15.18`. */
  version(node: DrillNode): Promise<string>;
  /** Returns the last lines of Patroni's log on this node. */
  said(node: DrillNode): string;
}

export async function startCluster(folder: string, bin: string): Promise<PatroniCluster> {
  const account = accountOf("postgres");
  chmodSync(folder, 0o755);
  const password = () => randomBytes(16).toString("hex");
  const passwords = { superuser: password(), replication: password(), postern: password() };
  const file = join(folder, "patroni.yml");
  copyFileSync(configuration, file);
  const nodes: DrillNode[] = [];
  const folderOf = ({ name }: DrillNode) => join(folder, name);
  for (const [at, name] of ["one", "two", "three"].entries()) {
    const own = join(folder, name);
    mkdirSync(own, { mode: 0o755 });
    chownSync(own, account.uid, account.gid);
    nodes.push(await openNode(name, at + 1, own));
  }
  const members = nodes.map(({ name, address }) => `${name}=http://${address}:2380`).join(",");
  const programs = new Map(nodes.map((node) => [node, bin]));
  const patronis = new Map<DrillNode, ChildProcess>();

  function startEtcd({ name, address, run }: DrillNode): void {
    run("etcd", ["/usr/bin/etcd"], {
      ETCD_NAME: name,
      ETCD_DATA_DIR: join(folder, name, "etcd"),
      ETCD_LISTEN_PEER_URLS: `http://${address}:2380`,
      ETCD_INITIAL_ADVERTISE_PEER_URLS: `http://${address}:2380`,
      ETCD_LISTEN_CLIENT_URLS: `http://${address}:2379`,
      ETCD_ADVERTISE_CLIENT_URLS: `http://${address}:2379`,
      ETCD_INITIAL_CLUSTER: members,
      ETCD_INITIAL_CLUSTER_STATE: "new",
      ETCD_ENABLE_V2: "true",
    });
  }

  function startPatroni(node: DrillNode): void {
    const { name, address } = node;
    const started = node.run("patroni", ["/usr/bin/patroni", file], {
      PATRONI_NAME: name,
      PATRONI_RESTAPI_LISTEN: `${address}:8008`,
      PATRONI_RESTAPI_CONNECT_ADDRESS: `${address}:8008`,
      PATRONI_POSTGRESQL_LISTEN: `${address}:5432`,
      PATRONI_POSTGRESQL_CONNECT_ADDRESS: `${address}:5432`,
      PATRONI_POSTGRESQL_DATA_DIR: join(folderOf(node), "data"),
      PATRONI_POSTGRESQL_BIN_DIR: programs.get(node) ?? bin,
      PATRONI_POSTGRESQL_PGPASS: join(folderOf(node), "pgpass"),
      PATRONI_ETCD_HOSTS: nodes.map((each) => `'${each.address}:2379'`).join(","),
      PATRONI_SUPERUSER_PASSWORD: passwords.superuser,
      PATRONI_REPLICATION_PASSWORD: passwords.replication,
    });
    patronis.set(node, started);
  }

  async function ask(address: string, path: string, post?: object): Promise<Response> {
    return fetch(`http://${address}:8008${path}`, {
      ...(post && { method: "POST", body: JSON.stringify(post) }),
      signal: AbortSignal.timeout(post === undefined ? 2000 : maxWait),
    });
  }

  /** Returns the members as reported by the first node that responds; empty if none does. */
  async function membership(): Promise<readonly Member[]> {
    for (const { address } of nodes) {
      const said = await ask(address, "/cluster").then(
        (answer) => answer.json() as Promise<{ members?: Member[] }>,
        () => undefined,
      );
      if (said?.members !== undefined) return said.members;
    }
    return [];
  }

  /** Runs one statement as the superuser. */
  async function query(node: DrillNode, sql: string, database = "postgres"): Promise<string> {
    const client = new pg.Client({
      ...{ host: node.address, user: "postgres", password: passwords.superuser, database },
      ...{ connectionTimeoutMillis: 1000, query_timeout: 3000 },
    });
    client.on("error", () => {});
    try {
      await client.connect();
      const { rows } = await client.query({ text: sql, rowMode: "array" });
      return String(rows[0]?.[0] ?? "");
    } finally {
      client.connection.stream.destroy();
    }
  }

  const named = (name: string | undefined) => nodes.find((node) => node.name === name);
  async function inRole(wanted: Member["role"]): Promise<DrillNode> {
    const node = named((await membership()).find(({ role }) => role === wanted)?.name);
    if (node === undefined) throw new Error(`no node is ${wanted}`);
    return node;
  }
  const cluster: PatroniCluster = {
    nodes,
    database_url: `postgres://postern:${passwords.postern}@${nodes
      .map(({ address }) => `${address}:5432`)
      .join(",")}/postern?target_session_attrs=read-write`,
    leader: () => inRole("leader"),
    synchronous: () => inRole("sync_standby"),
    async whole() {
      let last: readonly Member[] = [];
      for (const deadline = Date.now() + maxWait; Date.now() < deadline; await wait(250)) {
        last = await membership();
        const well = ({ state, role, lag }: Member) =>
          role === "leader" ? state === "running" : /^(running|streaming)$/.test(state) && lag === 0;
        const roles = last.map(({ role }) => role).sort();
        if (last.every(well) && roles.join() === "leader,replica,sync_standby") return;
      }
      const said = nodes.map((node) => `--- ${node.name}\n${cluster.said(node)}`).join("\n");
      throw new Error(`the cluster did not become complete: ${JSON.stringify(last)}\n${said}`);
    },
    async takenOver(from) {
      const others = nodes.filter((node) => node !== from);
      const commits = (node: DrillNode) =>
        query(node, "INSERT INTO probe DEFAULT VALUES").then(
          () => true,
          () => false,
        );
      for (const deadline = Date.now() + maxWait; Date.now() < deadline; await wait(100)) {
        if ((await Promise.all(others.map(commits))).some(Boolean)) return;
      }
      throw new Error("no node took over");
    },
    start(node) {
      startEtcd(node);
      startPatroni(node);
    },
    async restart(node, input) {
      programs.set(node, input);
      const running = patronis.get(node);
      if (running === undefined || running.exitCode !== null) throw new Error(`${node.name} is not running`);
      const ended = once(running, "exit");
      running.kill("SIGTERM");
      await ended;
      startPatroni(node);
    },
    async switchOver() {
      const last = await membership();
      const leader = last.find(({ role }) => role === "leader")?.name;
      const candidate = last.find(({ role }) => role === "sync_standby")?.name;
      const address = named(leader)?.address ?? "";
      const answer = await ask(address, "/switchover", { leader, candidate });
      if (!answer.ok) throw new Error(`the switchover was refused: ${await answer.text()}`);
    },
    version: async (node) => (await query(node, "SHOW server_version")).split(" ")[0] ?? "",
    said: (node) =>
      readFileSync(join(folderOf(node), "patroni.log"), "utf8")
        .split("\n")
        .slice(-30)
        .join("\n"),
  };

  for (const node of nodes) startEtcd(node);
  for (const node of nodes) startPatroni(node);
  await cluster.whole();
  const leader = await cluster.leader();
  await query(leader, `CREATE ROLE postern LOGIN PASSWORD '${passwords.postern}'`);
  await query(leader, "CREATE DATABASE postern OWNER postern");
  await query(leader, "CREATE TABLE probe (at timestamptz DEFAULT now())");
  return cluster;
}

function accountOf(name: string): { uid: number; gid: number } {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((each) => each.startsWith(`${name}:`));
  if (line === undefined) throw new Error(`there is no account ${name}`);
  const [, , uid, gid] = line.split(":").map(Number);
  return { uid: uid ?? 0, gid: gid ?? 0 };
}
