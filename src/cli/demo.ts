/** The demo data, and the server on them with a page that walks a newcomer through the code flow. */
import type { AdminContext } from "../admin/actor.ts";
import { applyManifest } from "../admin/manifest.ts";
import type { Config } from "../config.ts";
import { createLog } from "../ops/log.ts";
import { demandDemoDatabase, demandLoopback, markDemoDatabase } from "./demo_bounds.ts";
import { addDemoHistory } from "./demo_history.ts";
import { openEnvironment } from "./environment.ts";
import { baseUrlOf, choosePort, type Demo, startServer } from "./server.ts";
import { sayListening, sayWarnings } from "./serving.ts";
import { standardLines } from "./standard_lines.ts";
import { stopOnSignal } from "./stopping.ts";
import type { Terminal } from "./terminal.ts";

const user = { email: "ada@example.com", name: "Ada Lovelace", password: "correct horse battery staple" };
const organization = "acme";

const clients = [
  {
    client_id: "demo-web",
    name: "Acme Orders",
    kind: "confidential",
    secret: "demo-web-secret-for-this-machine",
    scope: "openid profile email orders:read",
    signsPeopleIn: true,
  },
  {
    client_id: "demo-spa",
    name: "Acme Shop",
    kind: "public",
    scope: "openid profile",
    signsPeopleIn: true,
  },
  {
    client_id: "demo-machine",
    name: "Acme Nightly Report",
    kind: "machine",
    secret: "demo-machine-secret-for-this-machine",
    scope: "orders:read",
    signsPeopleIn: false,
  },
] as const;

function demoManifest(base_url: string) {
  const redirect_uris = [`${base_url}/dev/callback`];
  const owned = { owner: user.email, organization };
  const [web, spa, machine] = clients;
  return {
    organizations: [{ slug: organization, name: "Acme" }],
    users: [{ ...user, is_platform_admin: true }],
    memberships: [{ user: user.email, organization, role: "owner" }],
    apps: [
      {
        ...owned,
        client_id: web.client_id,
        name: web.name,
        description: "Shows a customer their orders.",
        app_type: "web",
        redirect_uris,
        allowed_scopes: web.scope.split(" "),
        secrets: [web.secret],
      },
      {
        ...owned,
        client_id: spa.client_id,
        name: spa.name,
        app_type: "spa",
        public: true,
        first_party: true,
        redirect_uris,
        allowed_scopes: spa.scope.split(" "),
      },
      {
        ...owned,
        client_id: machine.client_id,
        name: machine.name,
        app_type: "machine",
        allowed_scopes: machine.scope.split(" "),
        allowed_grants: ["client_credentials"],
        secrets: [machine.secret],
      },
    ],
  };
}

/**
 * Runs the server on demo data until a signal stops it. Throws, with nothing written, for a database that holds anything
 * else, and for settings that would let others in.
 */
export async function serveDemo(settings: Config, terminal: Terminal): Promise<void> {
  demandLoopback(settings);
  await demandDemoDatabase(settings, terminal.now());
  const config: Config = { ...settings, port: await choosePort(settings) };
  const log = createLog({ level: config.log_level, destination: standardLines(1), now: terminal.now });
  const base_url = baseUrlOf(config, config.port);
  const environment = await openEnvironment(config, { now: terminal.now });
  try {
    await markDemoDatabase(environment.store, terminal.now());
    const actor = { kind: "system", label: "postern dev" } as const;
    const context: AdminContext = { ...environment, now: terminal.now, actor };
    await applyManifest(demoManifest(base_url), context);
    await addDemoHistory(environment.store, terminal.now());
  } finally {
    await environment.close();
  }
  const demo: Demo = { clients, users: [user] };
  sayWarnings(log, config);
  const server = await startServer({ config, log, now: terminal.now, demo });
  stopOnSignal(log, () => server.close(), terminal.launcher);
  sayListening(terminal, config, server.url);
  standardLines(2).write(
    `\nWalk through the code flow: ${base_url}/dev\nSign in as ${user.email} with the password “${user.password}”.\n\n`,
  );
}
