/** The failures of the drill, in order. */
import type { BalancedServers } from "./balanced_servers.ts";
import type { PatroniCluster } from "./patroni_cluster.ts";

export interface DrillSetup {
  readonly cluster: PatroniCluster;
  readonly front: BalancedServers;
  /** The folder with the programs of the PostgreSQL version that the nodes are upgraded to. */
  readonly upgrade_to: string;
}

export interface DrillScenario {
  /** The ID in `--scenarios`. */
  readonly id: string;
  readonly title: string;
  /** Causes the failure. */
  readonly happen: (setup: DrillSetup) => Promise<DrillFault>;
}

interface DrillFault {
  /** Resolves when another component has taken over. Soon afterwards, clients must no longer get errors. */
  readonly over: Promise<void>;
  /** Repairs everything. */
  readonly mend: () => Promise<void>;
}

const nothing = async () => {};

/**
 * Returns the `happen` of a scenario in which the leader fails. The failure is over when another node has
 * become the leader.
 */
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
    title: "the primary loses the other database machines, but still reaches the Postern servers",
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
    title: "one of the three Postern servers dies (kill -9)",
    async happen({ front: { servers } }) {
      const [victim] = servers;
      await victim?.kill();
      return { over: Promise.resolve(), mend: async () => victim?.start() };
    },
  },
  {
    id: "rolling",
    title: "the Postern servers are restarted one after the other (SIGTERM, start)",
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
    title: "planned switchover (`POST /switchover` to Patroni)",
    async happen({ cluster }) {
      const primary = await cluster.leader();
      const over = cluster.takenOver(primary);
      await cluster.switchOver();
      return { over, mend: nothing };
    },
  },
  {
    id: "upgrade",
    title: "PostgreSQL is upgraded as described [below](#upgrading)",
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
