/** The demo: a server with sample data, and a page that walks through the code flow. */

import type { AdminContext } from "../../admin/access/actor.ts";
import { applyManifest } from "../../admin/manifest/apply_manifest.ts";
import { baseUrlOf } from "../../config/base_url.ts";
import type { Config } from "../../config.ts";
import { createListener, type Listener } from "../../http/serving/listener.ts";
import { createLog } from "../../ops/log.ts";
import { withoutAuditStreams } from "../audit/audit_streams.ts";
import { openEnvironment } from "../environment.ts";
import { sayListening, sayWarnings } from "../serve.ts";
import type { ServerProcess } from "../server_process.ts";
import { standardLines } from "../standard_lines.ts";
import { type Demo, startServer } from "../start_server.ts";
import { stopOnSignal } from "../stop_on_signal.ts";
import { demandDemoDatabase, demandLoopback, markDemoDatabase } from "./demo_bounds.ts";
import { addDemoHistory } from "./demo_history.ts";

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
        metadata: { scope_descriptions: { "orders:read": "See your orders" } },
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
 * Runs the demo server until a signal stops it. Throws before it writes anything if the database contains
 * other data.
 */
export async function serveDemo(input: Config, own: ServerProcess): Promise<void> {
  // The demo sends no data to other machines.
  const config = withoutAuditStreams(input);
  demandLoopback(config);
  await demandDemoDatabase(config, own.now());
  const listener = createListener(config);
  try {
    await serveDemoOn(listener, config, own);
  } catch (error) {
    await listener.close();
    throw error;
  }
}

async function serveDemoOn(listener: Listener, config: Config, own: ServerProcess): Promise<void> {
  const log = createLog({ level: config.log_level, destination: standardLines(1), now: own.now });
  const base_url = baseUrlOf(config, await listener.port());
  const environment = await openEnvironment(config, { now: own.now });
  try {
    await markDemoDatabase(environment.store, own.now());
    const actor = { kind: "system", label: "postern dev" } as const;
    const now = own.now;
    const context: AdminContext = { ...environment, now, issuer: base_url, actor, switches: config };
    await applyManifest(demoManifest(base_url), context);
    await addDemoHistory(environment.store, own.now());
  } finally {
    await environment.close();
  }
  const demo: Demo = { clients, users: [user] };
  sayWarnings(log, config, { has_outbox: true });
  const server = await startServer({ config, log, now: own.now, listener, demo, own_process: true });
  stopOnSignal(log, () => server.close(), own.launcher);
  sayListening(own, config, server.url);
  standardLines(2).write(
    `\nWalk through the code flow: ${base_url}/dev\nSign in as ${user.email} with the password “${user.password}”.\n${saySwitches(config)}\n`,
  );
}

function saySwitches({ extra_sign_in, sign_up, self_service }: Config): string {
  const on = [
    ["POSTERN_EXTRA_SIGN_IN", extra_sign_in.join(",")],
    ["POSTERN_SIGN_UP", sign_up === "closed" ? "" : sign_up],
    ["POSTERN_SELF_SERVICE", self_service.join(",")],
  ].flatMap(([name, value]) => (value === "" ? [] : [`${name}=${value}`]));
  return on.length === 0 ? "" : `Enabled here, but off in \`postern serve\`: ${on.join(" ")}\n`;
}
