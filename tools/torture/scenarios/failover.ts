import type { Scenario } from "../scenario.ts";

export const failover: Scenario = {
  id: "failover",
  title: "the primary killed, its synchronous standby promoted",
  setups: [{ database: "PostgreSQL", workers: 1, proxy: true }],
  rounds: 3,
  async round({ setup, ledger }) {
    const standby = await setup.postgres.addStandby();
    // The primary was stopped while its files were copied to the standby, so requests must succeed again
    // before it is killed.
    await ledger.nextSuccess(20_000);
    await ledger.answers(200, 20_000);
    await setup.postgres.kill();
    await standby.query("SELECT pg_promote()");
    await setup.failOverTo(standby);
  },
};
