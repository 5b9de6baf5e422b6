import { setTimeout as wait } from "node:timers/promises";
import { becomes, demandNotReady, type Scenario, type Scene } from "../scenario.ts";

const alone = { database: "PostgreSQL", workers: 1 } as const;
const two = { database: "PostgreSQL", workers: 2 } as const;

export const restartedDatabase: Scenario = {
  id: "restart",
  title: "PostgreSQL stopped (immediate) and started",
  setups: [alone, two],
  rounds: 15,
  async round({ setup: { postgres }, random }) {
    await postgres.stop("immediate");
    await wait(random.between(0, 300));
    await postgres.start();
  },
};

export const databaseOutage: Scenario = {
  id: "outage",
  title: "PostgreSQL down for 6 s",
  setups: [alone, two],
  rounds: 6,
  async round(scene) {
    const { postgres } = scene.setup;
    await postgres.stop("immediate");
    await demandNotReady(scene);
    await scene.last(6);
    await postgres.start();
  },
};

export const workersKilledMeanwhile: Scenario = {
  id: "kill-workers-in-outage",
  title: "both workers killed while PostgreSQL is down for 5 s",
  setups: [two],
  rounds: 3,
  unplayable: () => (process.platform === "linux" ? undefined : "workers are found in /proc only"),
  async round({ setup: { postgres, server }, last }) {
    await postgres.stop("immediate");
    for (const pid of server.workers()) server.killWorker(pid);
    await last(5);
    await postgres.start();
  },
};

export const terminatedConnections: Scenario = {
  id: "terminate",
  title: "pg_terminate_backend of all connections",
  setups: [alone, two],
  rounds: 8,
  async round({ setup: { postgres } }) {
    await postgres.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'torture' AND pid <> pg_backend_pid()",
    );
  },
};

export const frozenDatabase: Scenario = {
  id: "freeze",
  title: "PostgreSQL frozen (SIGSTOP) for 10 s",
  setups: [alone],
  rounds: 3,
  async round(scene) {
    const { postgres } = scene.setup;
    await postgres.freeze();
    await scene.last(10);
    await postgres.thaw();
  },
};

export const readOnlyDatabase: Scenario = {
  id: "read-only",
  title: "default_transaction_read_only on for 3 s",
  setups: [alone],
  rounds: 3,
  async round(scene) {
    const { postgres } = scene.setup;
    const set = async (command: string) => {
      await postgres.query(`ALTER SYSTEM ${command}`);
      await postgres.query("SELECT pg_reload_conf()");
    };
    await set("SET default_transaction_read_only = on");
    await demandNotReady(scene);
    await scene.last(3);
    await set("RESET default_transaction_read_only");
    // pg_reload_conf returns before the setting takes effect.
    await becomes(async () => {
      const [row] = await postgres.query("SELECT current_setting('transaction_read_only') AS now");
      return row?.now === "off";
    }, 10_000);
  },
};

export const demotedPrimary: Scenario = {
  id: "demoted",
  title: "PostgreSQL returns as a standby, promoted after 3 s",
  setups: [alone],
  rounds: 3,
  async round(scene) {
    const { postgres } = scene.setup;
    await postgres.stop("fast");
    await postgres.start("standby");
    await demandNotReady(scene);
    await scene.last(3);
    await postgres.query("SELECT pg_promote()");
  },
};

export const lateDatabase: Scenario = {
  id: "late-database",
  title: "the server starts 3 s before PostgreSQL",
  setups: [alone, two],
  rounds: 3,
  async round(scene: Scene) {
    const { postgres, server } = scene.setup;
    await server.stop();
    await postgres.stop("immediate");
    server.launch();
    const listens = server.listens().then(
      () => true,
      () => false,
    );
    scene.demand(await listens, "/healthz did not return 200 while the database was unavailable");
    if (server.is_running)
      scene.demand(!(await server.isReady()), "/readyz returned 200 while the database was unavailable");
    await scene.last(3);
    await postgres.start();
  },
  async afterwards({ setup: { server }, demand }) {
    demand(await becomes(() => server.isReady(), 30_000), "/readyz did not return 200 again");
  },
};
