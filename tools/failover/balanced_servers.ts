/** Three Postern servers with one database, behind HAProxy with `deploy/ha/haproxy.cfg`. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../test/support/free_port.ts";
import { manifest } from "../torture/fixture.ts";
import { requesterOf } from "../torture/http.ts";
import { becomes } from "../torture/scenario.ts";
import { apply, type ServerProcess, serverProcess } from "../torture/server_process.ts";

const configuration = join(import.meta.dirname, "..", "..", "deploy", "ha", "haproxy.cfg");

export interface BalancedServers {
  /** The port of the load balancer, whose address is the issuer. */
  readonly port: number;
  readonly url: string;
  readonly servers: readonly ServerProcess[];
  /**
   * Returns how many acknowledged revocations still wait for the database, over all servers; undefined if
   * unknown.
   */
  revocationsWaiting(): Promise<number | undefined>;
  /** Stops everything, and returns how each server exited. */
  end(): Promise<string[]>;
}

/** Seconds in which a client that lost the response to a refresh may repeat it. */
const reuseWindow = 60;

export async function startServers(folder: string, database_url: string): Promise<BalancedServers> {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const environment = {
    POSTERN_THROTTLE: "off",
    POSTERN_LOG_LEVEL: "warn",
    POSTERN_BASE_URL: url,
    POSTERN_TRUST_PROXY: "127.0.0.1",
    POSTERN_SECRET_KEY: randomBytes(32).toString("base64"),
    POSTERN_DATABASE_URL: database_url,
    POSTERN_REFRESH_REUSE_WINDOW: String(reuseWindow),
  };
  mkdirSync(folder);
  await apply(manifest, folder, environment);
  const servers: ServerProcess[] = [];
  for (const name of ["one", "two", "three"]) {
    servers.push(await serverProcess({ folder, environment, log_file: join(folder, `${name}.log`) }));
  }
  const [one, two, three] = servers.map((server) => `127.0.0.1:${server.port}`);
  const balancer = spawn("/usr/sbin/haproxy", ["-db", "-f", configuration], {
    env: { LISTEN: `127.0.0.1:${port}`, SERVER_ONE: one, SERVER_TWO: two, SERVER_THREE: three },
    stdio: "ignore",
  });
  const requester = requesterOf(port);
  const answers = await becomes(
    async () => (await requester.ask({ path: "/readyz" })).status === 200,
    20_000,
  );
  requester.close();
  if (!answers) throw new Error(`no server is ready: ${servers.map((server) => server.said()).join("\n")}`);
  return {
    ...{ port, url, servers },
    async revocationsWaiting() {
      const each = await Promise.all(servers.map((server) => server.revocationsWaiting()));
      return each.reduce((sum, one) => (sum === undefined || one === undefined ? undefined : sum + one), 0);
    },
    async end() {
      const endings = await Promise.all(servers.map((server) => server.stop()));
      balancer.kill("SIGTERM");
      return endings;
    },
  };
}
