/** Fills an empty database with the code of a release: with actions of users, and unusual rows. */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { fieldsOf, TableName } from "../../../src/records/definition/definition.ts";
import type { DatabaseAddress, openStore, Store } from "../../../src/storage/store.ts";
import { formBrowser, goThrough } from "../../support/form_browser.ts";
import { type Dump, issuer, secretKey } from "./releases.ts";

const person = { email: "ada@example.com", password: "correct horse battery staple" };
const web = { client_id: "web-app", client_secret: "web-app-secret-of-the-dump" };
const introspecting = { client_id: "orders-api", client_secret: "orders-api-secret-of-the-dump" };
const worker = { client_id: "worker + 1", client_secret: "worker-secret-of-the-dump" };
const redirect_uri = "http://127.0.0.1:9000/cb";
const code_verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const longest = "Ω".repeat(255);
const foreign = "Größe & Söhne <b>株式会社</b> 🚀 é";
/** Includes input that the first release accepted: a change of direction, and a letter in two code points. */
const odd = `${foreign} \u202eabc e\u0301`;

const manifest = {
  organizations: [
    { slug: "acme", name: "Acme", plan: "pro" },
    { slug: "groesse", name: foreign },
    { slug: "closed", name: "Closed", active: false },
  ],
  users: [
    { ...person, name: "Ada Lovelace", is_platform_admin: true },
    { email: "Grace.HOPPER@example.com", name: foreign, password: "another horse battery staple" },
    { email: "left@example.com", name: longest, active: false },
  ],
  memberships: [
    { user: person.email, organization: "acme", role: "owner" },
    { user: "Grace.HOPPER@example.com", organization: "groesse", role: "owner" },
  ],
  apps: [
    {
      client_id: web.client_id,
      name: "Web",
      app_type: "web",
      owner: person.email,
      organization: "acme",
      redirect_uris: [redirect_uri],
      allowed_scopes: ["openid", "profile", "email", "offline_access", "orders:read"],
      allowed_grants: ["auth_code", "refresh"],
      secrets: [web.client_secret],
    },
    {
      client_id: worker.client_id,
      name: foreign,
      app_type: "machine",
      owner: person.email,
      organization: "acme",
      allowed_scopes: ["orders:read"],
      allowed_grants: ["client_credentials"],
      secrets: [worker.client_secret],
    },
    {
      client_id: introspecting.client_id,
      name: "Orders API",
      app_type: "service",
      owner: person.email,
      organization: "acme",
      allowed_scopes: ["token:introspect"],
      allowed_grants: ["client_credentials"],
      secrets: [introspecting.client_secret],
    },
  ],
  service_accounts: [
    {
      email: "ci@acme.example",
      name: "CI",
      organization: "acme",
      created_by: person.email,
      allowed_scopes: ["orders:read"],
    },
  ],
};

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
}

/** Creates a client of a running server, with the calls that the dumps need. */
function clientOf(url: string) {
  const post = async (
    path: string,
    { client_id, client_secret }: typeof web,
    fields: Record<string, string>,
  ) => {
    const encode = (text: string) => encodeURIComponent(text).replaceAll("%20", "+");
    const credentials = Buffer.from(`${encode(client_id)}:${encode(client_secret)}`).toString("base64");
    const answer = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams(fields),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    const text = await answer.text();
    return (text === "" ? {} : JSON.parse(text)) as TokenAnswer;
  };
  const browser = formBrowser();
  const code = async () => {
    const requested = new URL(`${url}/oauth/authorize`);
    requested.search = new URLSearchParams({
      response_type: "code",
      client_id: web.client_id,
      redirect_uri,
      scope: "openid offline_access orders:read",
      state: "s",
      code_challenge,
      code_challenge_method: "S256",
    }).toString();
    const answer = await goThrough(browser, requested, person);
    const values = answer.searchParams.get("code");
    if (values === null) throw new Error(`no code: ${answer.href}`);
    return values;
  };
  const redeem = async () =>
    post("/oauth/token", web, {
      grant_type: "authorization_code",
      code: await code(),
      redirect_uri,
      code_verifier,
    });
  const refresh = ({ refresh_token }: TokenAnswer) =>
    post("/oauth/token", web, { grant_type: "refresh_token", refresh_token });
  return { post, browser, code, redeem, refresh };
}

/** Performs actions of users and programs on a server of the release. */
async function use(url: string): Promise<Omit<Dump, "moment" | "api_key" | "rows">> {
  const { post, browser, code, redeem, refresh } = clientOf(url);
  const spent = await redeem();
  const live = await refresh(spent);
  const revoked = await redeem();
  await post("/oauth/revoke", web, { token: revoked.refresh_token });
  const machine = await post("/oauth/token", worker, {
    grant_type: "client_credentials",
    scope: "orders:read",
  });
  // The server refuses this, so the dump contains a refusal.
  await post("/oauth/token", web, { grant_type: "authorization_code", code: "none" }).catch(() => {});
  const stranger = formBrowser();
  await stranger.submit(await stranger.get(`${url}/login`), { email: person.email, password: "wrong" });
  return {
    ...person,
    ...web,
    redirect_uri,
    introspecting,
    cookies: Object.fromEntries(browser.cookies),
    code: await code(),
    code_verifier,
    tokens: { spent, live, revoked, of_machine: machine.access_token },
  };
}

type AnyRow = Readonly<Record<string, unknown>> & { readonly id: string };
type Make = (store: Store, values: Record<string, unknown>) => Promise<AnyRow>;

/** The modules of the release that a dump needs, with the current types. */
interface Modules {
  readonly store: { readonly openStore: typeof openStore };
  readonly definition: { readonly fieldsOf: typeof fieldsOf };
  readonly builders: Readonly<Record<string, Make>>;
  readonly rows: {
    readonly tableNames: readonly TableName[];
    readonly makeReferences: (store: Store) => Promise<Record<string, string>>;
    readonly insertAny: (
      store: Store,
      table: TableName,
      references: Record<string, string>,
      values: Record<string, unknown>,
    ) => Promise<unknown>;
  };
  readonly sealing: typeof import("../../../src/crypto/sealing.ts");
}

async function modulesOf(tree: string): Promise<Modules> {
  const load = (path: string) => import(pathToFileURL(join(tree, path)).href);
  return {
    store: await load("src/storage/store.ts"),
    definition: await load("src/records/definition/definition.ts"),
    builders: await load("test/support/builders.ts"),
    rows: await load("test/storage/any_row.ts"),
    sealing: await load("src/crypto/sealing.ts"),
  };
}

/** Adds rows in every state that a record can have, and one to each table that is still empty. */
async function addOddRows(store: Store, { builders, rows, definition, sealing }: Modules): Promise<void> {
  const make = async (name: string, values: Record<string, unknown> = {}): Promise<AnyRow> => {
    const builder = builders[name];
    if (builder === undefined) throw new Error(`the release has no builder ${name}`);
    return builder(store, { created_at: new Date(Date.now() - 3_600_000), ...values });
  };
  const [past, later] = [new Date(Date.now() - 60_000), new Date(Date.now() + 86_400_000)];
  const sealer = sealing.sealer([Buffer.from(secretKey, "base64")]);
  const [ada] = await store
    .find("users", { email: person.email })
    .then((user) => [user as unknown as AnyRow]);
  const [app] = await store
    .find("oauth_apps", { client_id: web.client_id })
    .then((found) => [found as unknown as AnyRow]);
  const acme = (await store.find("organizations", { slug: "acme" })) as unknown as AnyRow;
  if (ada === undefined || app === undefined) throw new Error("the manifest was not applied");
  const shared = { user_id: ada.id, app_id: app.id };

  const sealed = store.newId(new Date());
  await make("anOAuthAccount", {
    id: sealed,
    user_id: ada.id,
    access_token: sealer.seal("linked_account", "at a provider", sealed),
  });
  await make("aUser", { name: longest, email: `${"x".repeat(64)}@${"y".repeat(60)}.example` });
  await make("anOrganization", { name: odd, settings: { "": [null, { "🚀": odd }] } });
  await make("aMembership", { organization_id: acme.id, role: "developer", permissions: ["apps:read"] });
  await make("anInvitation", { organization_id: acme.id, invited_by: ada.id, role: "member" });
  await make("anInvitation", { organization_id: acme.id, invited_by: ada.id, expires_at: past });
  const account = await make("aServiceAccount", { organization_id: acme.id, created_by: ada.id, name: odd });
  await make("aKeyPair", { service_account_id: account.id, revoked: true, revoked_at: past });
  await make("aSecret", { app_id: app.id, expires_at: past });
  await make("aSecret", { app_id: app.id, revoked: true, revoked_at: past });
  await make("anApiKey", { user_id: ada.id, name: longest, revoked: true });
  await make("anApiKey", { organization_id: acme.id, name: odd, expires_at: past });
  await make("aSession", { user_id: ada.id, ended_at: past });
  await make("aSession", { user_id: ada.id, expires_at: past, user_agent: odd });
  await make("aCode", { ...shared, expires_at: past, used: true, used_at: past, state: odd });
  await make("aToken", { ...shared, access_expires_at: past, refresh_expires_at: past });
  await make("aToken", { ...shared, revoked: true, revoked_at: past, revoked_reason: odd, scopes: [] });
  await make("aToken", { ...shared, access_expires_at: later, rotated_at: past });
  await make("aConsent", { app_id: (await make("anApp", { owner_id: ada.id, active: false })).id });
  // App metadata that named APIs before APIs were records (docs/decisions/resources-and-scopes.md).
  for (const metadata of [
    { resource: "https://carried.example", note: odd },
    { resources: ["https://carried.example", "https://CARRIED.example:443/", "no uri"] },
    { resource: 7, post_logout_redirect_uris: ["https://app.example/bye"], refresh_reuse_window: 10 },
  ]) {
    const { id } = await make("anApp", { owner_id: ada.id, organization_id: acme.id, name: odd });
    await store.update("oauth_apps", { id }, { metadata });
  }
  await make("anApp", { owner_id: ada.id, revoked_at: past, name: longest, redirect_uris: [] });
  for (let index = 0; index < 60; index += 1)
    await make("aUser", { name: `Person ${index} of many`, email: `many-${index}@example.com` });

  const [session] = await store.list("sessions", {}, { limit: 1 });
  const references = { ...(session && { sessions: session.id }), ...(await rows.makeReferences(store)) };
  for (const table of rows.tableNames) {
    if ((await store.count(table, {})) > 0) continue;
    const id = store.newId(new Date());
    const values: Record<string, unknown> = { id };
    for (const [name, field] of Object.entries(definition.fieldsOf(table)))
      if (field.sealed_for !== undefined) values[name] = sealer.seal(field.sealed_for, "of the dump", id);
    await rows.insertAny(store, table, references, values);
  }
}

/**
 * Fills the database, and returns what a test needs to know about it. The version's code is in the folder
 * `tree`.
 */
export async function fillDatabase(tree: string, address: DatabaseAddress): Promise<Dump> {
  const { PATH = "" } = process.env;
  const env = {
    PATH,
    POSTERN_DATABASE_URL: address.kind === "sqlite" ? `sqlite:${address.path}` : address.url,
    POSTERN_SECRET_KEY: secretKey,
    POSTERN_BASE_URL: issuer,
    // The pages link to the issuer.
    POSTERN_PORT: new URL(issuer).port,
  };
  const program = join(tree, "bin", "postern.js");
  const postern = (args: readonly string[], input = "") =>
    execFileSync(process.execPath, [program, ...args], { env, cwd: tree, input, encoding: "utf8" });
  postern(["apply", "-", "--json"], JSON.stringify(manifest));
  const { key: api_key } = JSON.parse(
    postern([
      "api-key",
      "create",
      "--json",
      "--name",
      "lists",
      "--user",
      person.email,
      "--scopes",
      "postern:users:read",
    ]),
  ) as { key: string };

  const server = spawn(process.execPath, [program, "serve"], {
    env,
    cwd: tree,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "close");
  let used: Awaited<ReturnType<typeof use>>;
  try {
    const listening = new Promise<void>((resolve) => {
      createInterface(server.stdout).on("line", (line) => {
        if (line.includes('"msg":"listening"')) resolve();
      });
    });
    const failed = ended.then(() => Promise.reject(new Error("the server ended")));
    failed.catch(() => {});
    await Promise.race([listening, failed]);
    used = await use(issuer);
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
  const modules = await modulesOf(tree);
  const store = await modules.store.openStore(address);
  try {
    await addOddRows(store, modules);
    const rows: Record<string, number> = {};
    for (const table of modules.rows.tableNames) rows[table] = await store.count(table, {});
    return { moment: new Date().toISOString(), ...used, api_key, rows };
  } finally {
    await store.close();
  }
}
