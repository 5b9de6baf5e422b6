import type { Scenario } from "../scenario.ts";

const setups = [{ database: "PostgreSQL", workers: 1, proxy: true }] as const;

export const cutConnections: Scenario = {
  id: "cut",
  title: "every connection cut (RST)",
  setups,
  rounds: 8,
  async round({ setup: { proxy } }) {
    proxy.cut();
  },
};

export const resetConnections: Scenario = {
  id: "reset",
  title: "every connection cut, none accepted for 10 s",
  setups,
  rounds: 2,
  async round({ setup: { proxy }, last }) {
    proxy.refuse();
    proxy.cut();
    await last(10);
    proxy.accept();
  },
};

export const stalledConnections: Scenario = {
  id: "stall",
  title: "the network stalls for 10 s",
  setups,
  rounds: 3,
  async round({ setup: { proxy }, last }) {
    proxy.stall();
    await last(10);
    proxy.resume();
  },
};

export const silentConnections: Scenario = {
  id: "silence",
  title: "connections dead without FIN or RST; new ones work",
  setups,
  rounds: 3,
  // Nothing marks the connections as closed: the server notices only when no response arrives within
  // POSTERN_DATABASE_QUERY_TIMEOUT.
  soon: 10_000,
  async round({ setup: { proxy } }) {
    proxy.blackhole();
  },
};
