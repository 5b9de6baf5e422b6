/**
 * The setup and cleanup of `node --test --test-global-setup` around all test files: see the script `test` of
 * package.json.
 */
import { fileURLToPath } from "node:url";
import { clusterVariable, type PostgresCluster, startPostgres } from "./postgres.ts";
import {
  type PostgresTemplate,
  postgresTemplate,
  shapeVariable,
  templateVariable,
} from "./postgres_template.ts";
import { makeSqliteTemplate } from "./sqlite_template.ts";

let cluster: PostgresCluster | undefined;
let template: PostgresTemplate | undefined;

/**
 * Starts one PostgreSQL for the whole run, unless the caller named one, and creates the databases that others
 * are copied from. Test processes inherit the address and the name.
 */
export async function globalSetup(): Promise<void> {
  const started = performance.now();
  // Most test processes compile the same modules.
  process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
    new URL("../../node_modules/.cache/tests", import.meta.url),
  );
  if (!process.env[clusterVariable]) {
    cluster = await startPostgres();
    process.env[clusterVariable] = cluster.url;
  }
  await makeSqliteTemplate();
  template = await postgresTemplate();
  process.env[templateVariable] = template.name;
  process.env[shapeVariable] = template.shape;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`Node ${process.version}, PostgreSQL ready in ${seconds} s`);
}

export async function globalTeardown(): Promise<void> {
  await template?.drop();
  await cluster?.stop();
}
