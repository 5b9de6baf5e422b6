import { becomes, type Scenario } from "../scenario.ts";

const [sqlite, postgres] = [
  { database: "SQLite", workers: 1 },
  { database: "PostgreSQL", workers: 1 },
] as const;

export const killedServer: Scenario = {
  id: "kill",
  title: "kill -9 of the server, and a new start",
  setups: [sqlite, postgres],
  rounds: 20,
  async round({ setup: { server } }) {
    await server.kill();
    await server.start();
  },
};

export const killedWorker: Scenario = {
  id: "kill-worker",
  title: "kill -9 of one of two workers",
  setups: [
    { ...sqlite, workers: 2 },
    { ...postgres, workers: 2 },
  ],
  rounds: 10,
  unplayable: () => (process.platform === "linux" ? undefined : "workers are found in /proc only"),
  async round({ setup: { server }, random, demand }) {
    const before = server.workers();
    const victim = random.pick(before);
    if (victim === undefined) throw new Error("the server has no workers");
    server.killWorker(victim);
    const replaced = await becomes(() => {
      const now = server.workers();
      return now.length === before.length && !now.includes(victim);
    }, 10_000);
    demand(replaced, "no new worker replaced the killed one");
  },
};
