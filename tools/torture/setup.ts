/** A server with its own database, and everything that a scenario may break. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { DatabaseAddress } from "../../src/storage/store.ts";
import { type ControlledPostgres, controlledPostgres } from "../../test/support/controlled_postgres.ts";
import { startTcpProxy, type TcpProxy } from "../../test/support/tcp_proxy.ts";
import { temporaryFolder } from "../../test/support/temp.ts";
import { until } from "../../test/support/until.ts";
import { manifest } from "./fixture.ts";
import { apply, type ServerProcess, serverProcess } from "./server_process.ts";
import { type SmallDisk, smallDisk } from "./small_disk.ts";

export interface SetupOptions {
  readonly database: "SQLite" | "PostgreSQL";
  readonly workers: 1 | 2;
  /** Whether a proxy is between the server and PostgreSQL. */
  readonly proxy?: boolean;
  /** Whether the database is on a disk of a few megabytes. */
  readonly small_disk?: boolean;
  /** Whether the log is a file next to the database. */
  readonly log_file?: boolean;
}

export interface Setup {
  readonly server: ServerProcess;
  /** Returns the current address of the database. */
  address(): DatabaseAddress;
  /**
   * `postgres`, `proxy` and `disk` throw if the setup lacks them, because the scenario then needs other
   * options.
   */
  readonly postgres: ControlledPostgres;
  readonly proxy: TcpProxy;
  readonly disk: SmallDisk;
  /** Makes this PostgreSQL the database, also behind the proxy. */
  failOverTo(postgres: ControlledPostgres): Promise<void>;
  /** Stops everything, and returns how the server exited. */
  end(): Promise<string>;
}

export async function openScenario(options: SetupOptions): Promise<Setup> {
  return options.database === "SQLite" ? onSqlite(options) : onPostgres(options);
}

const common = { POSTERN_THROTTLE: "off" };

function missing(what: string): never {
  throw new Error(`this stage has no ${what}`);
}

async function onSqlite({ workers, small_disk, log_file }: SetupOptions): Promise<Setup> {
  const disk = small_disk ? smallDisk() : undefined;
  const folder = disk?.folder ?? temporaryFolder();
  const path = join(folder, "data", "postern.db");
  const environment = {
    ...common,
    POSTERN_WORKERS: String(workers),
    POSTERN_DATABASE_URL: `sqlite:${path}`,
  };
  try {
    await apply(manifest, folder, environment);
    const log = log_file ? { log_file: join(folder, "server.log") } : {};
    const server = await serverProcess({ folder, environment, ...log });
    return {
      server,
      address: () => ({ kind: "sqlite", path }),
      get postgres() {
        return missing("PostgreSQL");
      },
      get proxy() {
        return missing("proxy");
      },
      get disk() {
        return disk ?? missing("small disk");
      },
      failOverTo: () => missing("PostgreSQL"),
      async end() {
        const ending = await server.stop();
        disk?.remove();
        return ending;
      },
    };
  } catch (error) {
    disk?.remove();
    throw error;
  }
}

async function onPostgres({ workers, proxy: proxied = false }: SetupOptions): Promise<Setup> {
  let postgres = await controlledPostgres();
  const earlier: ControlledPostgres[] = [];
  let proxy = proxied ? await startTcpProxy({ target: postgres.url }) : undefined;
  const url = await postgres.createDatabase("torture");
  const at = (port: number) => Object.assign(new URL(url), { port: String(port) }).href;
  const folder = temporaryFolder();
  const environment = {
    ...common,
    POSTERN_WORKERS: String(workers),
    POSTERN_SECRET_KEY: randomBytes(32).toString("base64"),
    POSTERN_DATABASE_URL: at(proxy?.port ?? postgres.port),
  };
  const removeAll = async () => {
    await proxy?.close();
    proxy = undefined;
    for (const each of [postgres, ...earlier]) await each.remove();
  };
  try {
    await apply(manifest, folder, environment);
    const server = await serverProcess({ folder, environment });
    // The log is read instead of `/healthz`, which returns 200 even while the workers still wait for the
    // database.
    await until(() => server.said().includes('"msg":"listening"'), "all workers are ready");
    return {
      server,
      address: () => ({ kind: "postgres", url: at(postgres.port) }),
      get postgres() {
        return postgres;
      },
      get proxy() {
        return proxy ?? missing("proxy");
      },
      get disk() {
        return missing("small disk");
      },
      async failOverTo(next) {
        earlier.push(postgres);
        postgres = next;
        proxy?.setTarget(next.url);
      },
      async end() {
        const ending = await server.stop();
        await removeAll();
        return ending;
      },
    };
  } catch (error) {
    await removeAll();
    throw error;
  }
}
