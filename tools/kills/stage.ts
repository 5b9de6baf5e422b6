/** The server, its database and its receivers. */
import { type DatabaseAddress, openStore } from "../../src/storage/store.ts";
import { bearer, call, expectStatus, operatorsKey, places } from "../../test/interop/management.ts";
import { basic } from "../../test/support/flows.ts";
import { temporaryFolder } from "../../test/support/temp.ts";
import { until } from "../../test/support/until.ts";
import type { Random } from "../torture/random.ts";
import { apply, serverProcess } from "../torture/server_process.ts";
import { appNames, startReceivers } from "./receivers.ts";

const password = "correct horse battery staple";
export const secret = "the secret of an application";
export const redirect_uri = "http://127.0.0.1:9000/cb";

const emailOf = (name: string) => `${name}@example.com`;

export interface StageOptions {
  readonly database: "SQLite" | "PostgreSQL";
  readonly workers: 1 | 2;
  /** Number of users who sign in concurrently. */
  readonly users: number;
  readonly random: Random;
}

export async function openStage({ database, workers, users, random }: StageOptions) {
  const place = places.find(({ name }) => name === database);
  if (place === undefined) throw new Error(`no ${database}`);
  const receivers = await startReceivers(random);
  const { environment: where, drop } = await place.open();
  const folder = temporaryFolder();
  const environment = {
    POSTERN_DATABASE_URL: `sqlite:${folder}/data/postern.db`,
    ...where,
    ...receivers.environment,
    ...{ POSTERN_WORKERS: String(workers), POSTERN_THROTTLE: "off" },
    POSTERN_EXTRA_FEATURES: "events,logout_notices,ssf",
  };
  const names = Array.from({ length: users }, (_, index) => `user${index}`);
  const owned = { owner: emailOf("root"), secrets: [secret] };
  const manifest = {
    users: [
      { email: emailOf("root"), name: "Root", password, is_platform_admin: true },
      ...names.map((name) => ({ email: emailOf(name), name, password })),
    ],
    apps: [
      ...appNames.map((name) => ({
        ...{ ...owned, client_id: name, name, first_party: true, allowed_scopes: ["openid"] },
        ...{ redirect_uris: [redirect_uri], backchannel_logout_internal: true },
        backchannel_logout_uri: receivers.addressOf(name),
      })),
      {
        ...{ ...owned, client_id: "receiver", name: "Receiver", app_type: "machine" },
        ...{ allowed_scopes: ["ssf.manage"], allowed_grants: ["client_credentials"] },
      },
    ],
  };
  await apply(manifest, folder, environment);
  const server = await serverProcess({ folder, environment });
  const proof = bearer(await operatorsKey({ folder, environment }, emailOf("root")));
  const ask = async (method: string, path: string, body?: unknown) =>
    expectStatus(await call(server.url, method, `/api/v1/${path}`, { proof, body }), 200, 201, 204).json;

  const address: DatabaseAddress =
    database === "SQLite"
      ? { kind: "sqlite", path: `${folder}/data/postern.db` }
      : { kind: "postgres", url: where.POSTERN_DATABASE_URL ?? "" };
  const store = await openStore(address, { connections: 2 });
  // A webhook endpoint receives only events after its creation, so the last earlier position is noted.
  await until(async () => (await store.count("events", { position: null })) === 0);
  const { newest: since } = await store.feedBounds();
  const endpoint = { url: receivers.addressOf("webhook"), internal: true };
  await ask("POST", "webhook-endpoints", endpoint);
  const granted = await fetch(`${server.url}/oauth/token`, {
    method: "POST",
    headers: { authorization: basic("receiver", secret) },
    body: new URLSearchParams({ grant_type: "client_credentials", scope: "ssf.manage" }),
  });
  const said = await granted.text();
  if (!granted.ok) throw new Error(`the receiver got no token: ${granted.status} ${said}`);
  const { access_token } = JSON.parse(said) as { readonly access_token: string };
  const delivery = { method: "urn:ietf:rfc:8935", endpoint_url: receivers.streamAddress };
  const body = { delivery };
  expectStatus(await call(server.url, "POST", "/ssf/streams", { proof: bearer(access_token), body }), 201);

  const people = await store.list("users", {});
  const idOf = (name: string) => people.find(({ email }) => email === emailOf(name))?.id ?? "";
  return {
    receivers,
    server,
    store,
    since,
    ask,
    users: names.map((name) => ({ id: idOf(name), email: emailOf(name), password })),
    apps: new Map((await store.list("oauth_apps", {})).map(({ id, client_id }) => [id, client_id])),
    async close() {
      await server.stop();
      receivers.close();
      await store.close();
      await drop();
    },
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
