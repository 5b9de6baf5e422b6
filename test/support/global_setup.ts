/** What `node --test --test-global-setup` does before and after all test files: see the script `test` of package.json. */
import { clusterVariable, type PostgresCluster, startPostgres } from "./postgres.ts";

let cluster: PostgresCluster | undefined;

/** Starts one PostgreSQL for the whole run, unless the caller named one. Test processes inherit its address. */
export async function globalSetup(): Promise<void> {
  const started = performance.now();
  if (!process.env[clusterVariable]) {
    cluster = await startPostgres();
    process.env[clusterVariable] = cluster.url;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Node ${process.version}, PostgreSQL ready in ${seconds} s`);
}

export async function globalTeardown(): Promise<void> {
  await cluster?.stop();
}
