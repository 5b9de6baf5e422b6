import { randomBytes } from "node:crypto";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hash } from "@node-rs/argon2";
import { type Algorithm, chosenAlgorithms } from "../algorithms.ts";
import {
  access_token_ttl,
  type Contender,
  client,
  clientInContext,
  contexts,
  emailOf,
  fewRecords,
  introspector,
  member_scopes,
  password,
  type RunningServer,
  redirect_uri,
  resourceOf,
  type SignInForm,
  type StartOptions,
  scope,
  seldom_client,
  users,
  type Workspace,
  web_client,
  webClientOf,
} from "../contender.ts";
import { runProgram, startServer } from "../processes.ts";
import { cookiesOf } from "../requests.ts";
import type { PosternFillInput } from "./postern_fill.ts";
import type { PosternFillRecordsInput } from "./postern_fill_records.ts";
import type { PosternFillUsersInput } from "./postern_fill_users.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const ours = join(root, "bin", "postern.js");

type Engine = "sqlite" | "postgres";
type Settings = Readonly<Record<string, string>>;

const ofSeveralWorkers = [
  ...["client-credentials", "refresh", "code-flow"].flatMap((id) => [
    id,
    ...chosenAlgorithms.map((algorithm) => `${id}-${algorithm.toLowerCase()}`),
  ]),
  "introspection",
  "sign-in",
];

/** This server with default settings, so tokens are on disk before they are sent. */
export async function postern(engine: Engine, workers: number): Promise<Contender> {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const several = workers > 1;
  return {
    id: `postern-${engine}${several ? `-${workers}` : ""}`,
    name: `Postern, ${engine === "sqlite" ? "SQLite" : "PostgreSQL"}${several ? `, ${workers} workers` : ""}`,
    version,
    // Only these scenarios can benefit from a second process.
    ...(several && { scenarios: ofSeveralWorkers, several_processes: true }),
    prepare: (workspace) => prepare(engine, workers, workspace),
  };
}

/**
 * The same server with few records in its database, to show which costs do not depend on the number of
 * records.
 */
export async function posternOfFew(engine: Engine): Promise<Contender> {
  const usual = await postern(engine, 1);
  return {
    ...usual,
    id: `${usual.id}-few`,
    name: `${usual.name}, ${fewRecords.toLocaleString("en")} records`,
    scenarios: ["list-users", "list-tokens", "console-list-users"],
    prepare: (workspace) =>
      prepare(engine, 1, {
        ...workspace,
        rows: fewRecords,
        users: fewRecords,
        // Some rows must be copies of real tokens, because only copies belong to `seldom_client` or are
        // revoked.
        tokens: Math.min(fewRecords / 10, workspace.tokens),
      }),
  };
}

/** A database with clients, users, tokens and additional users, as the run requires. */
interface Filled {
  readonly settings: Settings;
  readonly stored_tokens: readonly string[] | undefined;
  readonly management_key: string;
  /** The name of the template database on the cluster. */
  readonly template: string;
}

async function prepare(
  engine: Engine,
  workers: number,
  workspace: Workspace,
): Promise<(options: StartOptions) => Promise<RunningServer>> {
  const { settings, stored_tokens, management_key } = await copyOf(
    await filled(engine, workspace),
    engine,
    workers,
    workspace,
  );
  const env = { ...settings, POSTERN_WORKERS: String(workers) };
  const cluster = engine === "postgres" ? await workspace.postgres() : undefined;
  return async ({ node_options = [] }) => {
    const server = await startServer({
      // The same heap option as `npm start`.
      args: [...node_options, "--max-semi-space-size=16", workspace.program ?? ours, "serve"],
      env,
      ready_path: "/readyz",
    });
    const running: RunningServer = {
      ...server,
      ...(settings.POSTERN_DATABASE_URL && { database: settings.POSTERN_DATABASE_URL }),
      watched: { server: server.pid, ...(cluster && { PostgreSQL: cluster.pid }) },
      issues_tokens: true,
      algorithm: "RS256",
      signingBy: (algorithm) => signingBy(algorithm, running),
      client,
      introspector,
      web_client,
      jwt_request: { grant_type: "client_credentials", scope },
      introspectable_request: { grant_type: "client_credentials", scope },
      introspects_jwts: true,
      redirect_status: 302,
      ...(stored_tokens && { stored_tokens, management_key }),
      resource: {},
      signIn: (count) =>
        Promise.all(Array.from({ length: count }, (_, user) => signIn(server.url, emailOf(user)))),
      signInForm: () => openForm(server.url),
    };
    return running;
  };
}

function signingBy(algorithm: Algorithm, server: RunningServer): RunningServer {
  if (algorithm === "RS256") return server;
  const resource = { resource: resourceOf(algorithm) };
  const request = { ...server.jwt_request, ...resource };
  const user_scope = [scope, ...member_scopes].join(" ");
  const inContext = (mode: (typeof contexts)[number]) => ({
    web_client: clientInContext(algorithm, mode),
    user_scope,
  });
  return {
    ...server,
    algorithm,
    web_client: webClientOf(algorithm),
    in_context: [inContext("auto"), inContext("none")],
    jwt_request: request,
    introspectable_request: request,
    resource,
  };
}

/** Filled once per engine and size, and then copied. */
async function filled(engine: Engine, workspace: Workspace): Promise<Filled> {
  const key = `postern ${engine} ${workspace.rows}`;
  const made = workspace.made.get(key) as Promise<Filled> | undefined;
  if (made !== undefined) return made;
  const making = fill(engine, workspace);
  workspace.made.set(key, making);
  return making;
}

async function fill(engine: Engine, workspace: Workspace): Promise<Filled> {
  const { program = ours, makeFolder, postgres, rows, tokens, users, records = 0, progress } = workspace;
  const template = `postern_template_${rows}`;
  const folder = await makeFolder(`${engine}_${template}`);
  const cluster = engine === "postgres" ? await postgres() : undefined;
  const url = await cluster?.createDatabase(template);
  const at_first = {
    NODE_ENV: "production",
    POSTERN_DATABASE_URL: url ?? `sqlite:${join(folder, "postern.db")}`,
    POSTERN_SECRET_KEY: randomBytes(32).toString("hex"),
    POSTERN_PORT: "0",
    // All requests come from one address, so throttling would reject them.
    POSTERN_THROTTLE: "off",
    // The compared servers do not log requests either.
    POSTERN_LOG_LEVEL: "warn",
  };
  const file = join(folder, "manifest.json");
  await writeFile(file, JSON.stringify(await manifest(workspace)));
  await runProgram({ args: [program, "apply", file], env: at_first }, 60);
  if (workspace.algorithms?.length !== 0) {
    const args = [join(import.meta.dirname, "postern_fill_groups.ts")];
    await runProgram({ args, env: at_first }, 60);
  }
  // The first start generates the signing key, which takes a random time.
  const first = await startServer({ args: [program, "serve"], env: at_first, ready_path: "/readyz" });
  await first[Symbol.asyncDispose]();
  // The port must stay the same, because stored tokens contain the issuer.
  const settings = { ...at_first, POSTERN_PORT: new URL(first.url).port };
  const management_key = await makeManagementKey(program, settings);
  if (rows === 0) return { settings, stored_tokens: undefined, management_key, template };

  progress(`  filling ${engine} with ${rows} tokens`);
  const output = await runProgram(
    {
      args: [join(import.meta.dirname, "postern_fill.ts")],
      env: settings,
      input: { rows, tokens, client, seldom_client, scope } satisfies PosternFillInput,
    },
    3600,
  );
  if (users > 0) {
    progress(`  filling ${engine} with ${users} users`);
    const input: PosternFillUsersInput = { users };
    await runProgram(
      { args: [join(import.meta.dirname, "postern_fill_users.ts")], env: settings, input },
      3600,
    );
  }
  if (records > 0) {
    progress(`  filling ${engine} with ${records} apps, sessions and audit events`);
    const input: PosternFillRecordsInput = { records, client_id: client.client_id };
    await runProgram(
      { args: [join(import.meta.dirname, "postern_fill_records.ts")], env: settings, input },
      3600,
    );
  }
  if (url !== undefined) await cluster?.settle(url);
  return { settings, stored_tokens: output.trim().split("\n"), management_key, template };
}

/** Creates an API key of the platform administrator, which may read all records. */
async function makeManagementKey(program: string, settings: Settings): Promise<string> {
  const output = await runProgram(
    {
      args: [
        program,
        ...["api-key", "create", "--json", "--name", "benchmark", "--user", emailOf(0)],
        ...["--scopes", "postern:read"],
      ],
      env: settings,
    },
    60,
  );
  return (JSON.parse(output) as { key: string }).key;
}

async function copyOf(
  filled: Filled,
  engine: Engine,
  workers: number,
  { makeFolder, postgres, rows, made }: Workspace,
): Promise<Filled> {
  const { settings, template } = filled;
  // Several contenders may copy the same database, so each copy has a number.
  const copies = `postern copies ${engine} ${workers} ${rows}`;
  const number = Number(made.get(copies) ?? 0) + 1;
  made.set(copies, number);
  const name = `postern_${engine}_${workers}_${rows}_${number}`;
  if (engine === "postgres") {
    const url = await (await postgres()).createDatabase(name, template);
    return { ...filled, settings: { ...settings, POSTERN_DATABASE_URL: url } };
  }
  const path = join(await makeFolder(name), "postern.db");
  await cp((settings.POSTERN_DATABASE_URL ?? "").replace("sqlite:", ""), path);
  return { ...filled, settings: { ...settings, POSTERN_DATABASE_URL: `sqlite:${path}` } };
}

/** Signs a user in as a browser does, and returns the session cookie. */
async function signIn(url: string, email: string): Promise<string> {
  const { target, cookie, fields } = await openForm(url);
  const response = await fetch(new URL(target, url), {
    method: "POST",
    headers: { cookie },
    body: new URLSearchParams({ email, ...fields }),
    redirect: "manual",
  });
  const session = cookiesOf(response).find((each) => each.includes("session="));
  if (response.status !== 302 || session === undefined)
    throw new Error(`the sign-in returned ${response.status}`);
  return session;
}

async function openForm(url: string): Promise<SignInForm> {
  const response = await fetch(new URL("/login", url));
  const page = await response.text();
  const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1];
  const [cookie] = cookiesOf(response);
  if (csrf_token === undefined || cookie === undefined)
    throw new Error("the login page does not have the expected form");
  return { target: "/login", cookie, fields: { password, redirect: "", csrf_token } };
}

async function manifest({ token_ttl, algorithms = chosenAlgorithms }: Workspace): Promise<object> {
  const lifetimes = {
    access_token_ttl: token_ttl ?? access_token_ttl,
    ...(token_ttl !== undefined && { refresh_token_ttl: token_ttl }),
  };
  // With the parameters that the server itself would use.
  const argon2id = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const owner = emailOf(0);
  const resources = algorithms.map(resourceOf);
  const web = {
    name: "Web",
    app_type: "web",
    owner,
    redirect_uris: [redirect_uri],
    allowed_scopes: ["openid", scope],
    allowed_grants: ["auth_code", "refresh"],
    first_party: true,
    ...lifetimes,
  };
  const organization = "acme";
  const [first = "", ...further] = ["clerk", "auditor", "approver", "seller"];
  const roles = [first, ...further];
  const ofMembers = algorithms.length > 0 && {
    organizations: [{ slug: organization, name: "Acme" }],
    roles: roles.map((name) => ({ organization, name, permissions: [`orders:${name}`] })),
    memberships: Array.from({ length: users }, (_, user) => ({
      ...{ user: emailOf(user), organization, role: "member", roles: [first] },
    })),
    groups: further.map((name) => ({ organization, display_name: `Group of ${name}`, roles: [name] })),
  };
  return {
    users: Array.from({ length: users }, (_, user) => ({
      email: emailOf(user),
      name: `User ${user}`,
      password: { argon2id },
      is_platform_admin: user === 0,
    })),
    ...ofMembers,
    ...(algorithms.length > 0 && {
      resources: algorithms.map((algorithm) => ({
        identifier: resourceOf(algorithm),
        name: `Orders, ${algorithm}`,
        access_token_signing_alg: algorithm,
      })),
    }),
    apps: [
      {
        client_id: client.client_id,
        name: "Worker",
        app_type: "machine",
        owner,
        allowed_scopes: [scope],
        allowed_grants: ["client_credentials"],
        ...lifetimes,
        ...(algorithms.length > 0 && { resources }),
        secrets: [client.client_secret],
      },
      {
        client_id: seldom_client.client_id,
        name: "Seldom",
        app_type: "machine",
        owner,
        allowed_scopes: [scope],
        allowed_grants: ["client_credentials"],
        secrets: [seldom_client.client_secret],
      },
      {
        client_id: introspector.client_id,
        name: "Orders API",
        app_type: "service",
        owner,
        allowed_scopes: ["token:introspect"],
        allowed_grants: ["client_credentials"],
        secrets: [introspector.client_secret],
      },
      { ...web, client_id: web_client.client_id, secrets: [web_client.client_secret] },
      ...algorithms.map((algorithm) => ({
        ...web,
        client_id: webClientOf(algorithm).client_id,
        id_token_signed_response_alg: algorithm,
        resources: [resourceOf(algorithm)],
        secrets: [web_client.client_secret],
      })),
      ...algorithms.flatMap((algorithm) =>
        contexts.map((organization_mode) => ({
          ...web,
          client_id: clientInContext(algorithm, organization_mode).client_id,
          allowed_scopes: [...web.allowed_scopes, ...member_scopes],
          organization_mode,
          id_token_signed_response_alg: algorithm,
          resources: [resourceOf(algorithm)],
          secrets: [web_client.client_secret],
        })),
      ),
    ],
  };
}
