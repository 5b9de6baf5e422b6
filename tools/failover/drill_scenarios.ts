/** The steps of the drill, one after the other, under load. */
import type { BalancedServers } from "./balanced_servers.ts";
import type { PatroniCluster } from "./patroni_cluster.ts";

export interface DrillSetup {
  readonly cluster: PatroniCluster;
  readonly front: BalancedServers;
  /** Where the programs of the PostgreSQL are that the nodes are upgraded to. */
  readonly upgrade_to: string;
}

export interface DrillScenario {
  /** As `--scenarios` names it. */
  readonly id: string;
  readonly title: string;
  /** The action. */
  readonly happen: (setup: DrillSetup) => Promise<DrillFault>;
}

interface DrillFault {
  /** Resolves when the part that was broken has been taken over; what clients feel must end soon after. */
  readonly over: Promise<void>;
  /** Puts everything back. */
  readonly mend: () => Promise<void>;
}

const nothing = async () => {};

/** A failure of the leader until another node has taken over. */
function ofPrimary(
  happen: (primary: PatroniCluster["nodes"][number], cluster: PatroniCluster) => void | Promise<void>,
  mend: (primary: PatroniCluster["nodes"][number], cluster: PatroniCluster) => void,
): DrillScenario["happen"] {
  return async ({ cluster }) => {
    const primary = await cluster.leader();
    await happen(primary, cluster);
    return { over: cluster.takenOver(primary), mend: async () => mend(primary, cluster) };
  };
}

export const drillScenarios: readonly DrillScenario[] = [
  {
    id: "kill",
    title: "the primary's machine dies (kill -9 of PostgreSQL, Patroni and etcd)",
    happen: ofPrimary(
      (primary) => primary.kill(),
      (primary, cluster) => cluster.start(primary),
    ),
  },
  {
    id: "freeze",
    title: "the primary's machine is paused (SIGSTOP) until after the failover",
    happen: ofPrimary(
      (primary) => primary.freeze(),
      (primary) => primary.thaw(),
    ),
  },
  {
    id: "cut",
    title: "the primary loses its network",
    happen: ofPrimary(
      (primary) => primary.cutOff(),
      (primary) => primary.heal(),
    ),
  },
  {
    id: "part",
    title: "the primary loses its nodes, not the servers",
    happen: ofPrimary(
      (primary, { nodes }) => primary.cutOffFrom(nodes.filter((node) => node !== primary)),
      (primary) => primary.heal(),
    ),
  },
  {
    id: "standby",
    title: "the synchronous standby's machine dies",
    async happen({ cluster }) {
      const standby = await cluster.synchronous();
      await standby.kill();
      return { over: cluster.takenOver(undefined), mend: async () => cluster.start(standby) };
    },
  },
  {
    id: "server",
    title: "a server of three dies (kill -9)",
    async happen({ front: { servers } }) {
      const [victim] = servers;
      await victim?.kill();
      return { over: Promise.resolve(), mend: async () => victim?.start() };
    },
  },
  {
    id: "rolling",
    title: "rolling restart of the servers (SIGTERM, start)",
    async happen({ front: { servers } }) {
      for (const server of servers) {
        await server.stop();
        await server.start();
      }
      return { over: Promise.resolve(), mend: nothing };
    },
  },
  {
    id: "switchover",
    title: "planned switchover (POST /switchover)",
    async happen({ cluster }) {
      const primary = await cluster.leader();
      const over = cluster.takenOver(primary);
      await cluster.switchOver();
      return { over, mend: nothing };
    },
  },
  {
    id: "upgrade",
    title: "PostgreSQL upgrade: standbys, switchover, former primary",
    async happen({ cluster, upgrade_to }) {
      const primary = await cluster.leader();
      for (const standby of cluster.nodes.filter((node) => node !== primary)) {
        await cluster.restart(standby, upgrade_to);
        await cluster.whole();
      }
      const over = cluster.takenOver(primary);
      await cluster.switchOver();
      await over;
      return { over, mend: () => cluster.restart(primary, upgrade_to) };
    },
  },
];
