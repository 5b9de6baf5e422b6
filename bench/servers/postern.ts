import { randomBytes } from "node:crypto";
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hash } from "@node-rs/argon2";
import {
  access_token_ttl,
  type Contender,
  client,
  emailOf,
  type Ground,
  introspector,
  password,
  type RunningServer,
  redirect_uri,
  type SignInForm,
  type StartOptions,
  scope,
  users,
  web_client,
} from "../contender.ts";
import { freePort, runProgram, startServer } from "../processes.ts";
import { cookiesOf } from "../requests.ts";

const root = join(import.meta.dirname, "..", "..");
const program = join(root, "bin", "postern.js");

type Engine = "sqlite" | "postgres";
type Settings = Readonly<Record<string, string>>;

/** This server as it comes, durable: a token is on disk before it is answered. */
export async function postern(engine: Engine, workers: number): Promise<Contender> {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  const several = workers > 1;
  return {
    id: `postern-${engine}${several ? `-${workers}` : ""}`,
    name: `Postern, ${engine === "sqlite" ? "SQLite" : "PostgreSQL"}${several ? `, ${workers} workers` : ""}`,
    version,
    // What a second process is there for.
    ...(several && { scenarios: ["client-credentials", "introspection", "refresh", "code-flow", "sign-in"] }),
    prepare: (ground) => prepare(engine, workers, ground),
  };
}

/** A database with the clients and users, and as many tokens as the run wants. */
interface Filled {
  readonly settings: Settings;
  readonly stored_tokens: readonly string[] | undefined;
}

async function prepare(
  engine: Engine,
  workers: number,
  ground: Ground,
): Promise<(options: StartOptions) => Promise<RunningServer>> {
  const { settings, stored_tokens } = await copyOf(await filled(engine, ground), engine, workers, ground);
  const env = { ...settings, POSTERN_WORKERS: String(workers) };
  const cluster = engine === "postgres" ? await ground.postgres() : undefined;
  return async ({ node_options = [] }) => {
    const server = await startServer({
      // As `npm start` has it.
      args: [...node_options, "--max-semi-space-size=16", program, "serve"],
      env,
      ready_path: "/readyz",
    });
    return {
      ...server,
      ...(settings.POSTERN_DATABASE_URL && { database: settings.POSTERN_DATABASE_URL }),
      watched: { server: server.pid, ...(cluster && { PostgreSQL: cluster.pid }) },
      issues_tokens: true,
      client,
      introspector,
      web_client,
      jwt_request: { grant_type: "client_credentials", scope },
      introspectable_request: { grant_type: "client_credentials", scope },
      introspects_jwts: true,
      redirect_status: 302,
      ...(stored_tokens && { stored_tokens }),
      resource: {},
      signIn: (count) =>
        Promise.all(Array.from({ length: count }, (_, user) => signIn(server.url, emailOf(user)))),
      signInForm: () => openForm(server.url),
    };
  };
}

/** Filled once for each engine, and copied from then on. */
async function filled(engine: Engine, ground: Ground): Promise<Filled> {
  const key = `postern ${engine}`;
  const made = ground.made.get(key) as Promise<Filled> | undefined;
  if (made !== undefined) return made;
  const making = fill(engine, ground);
  ground.made.set(key, making);
  return making;
}

async function fill(engine: Engine, { makeFolder, postgres, rows, tokens, tell }: Ground): Promise<Filled> {
  const folder = await makeFolder(`postern_${engine}_template`);
  const cluster = engine === "postgres" ? await postgres() : undefined;
  const url = await cluster?.createDatabase("postern_template");
  const settings = {
    NODE_ENV: "production",
    POSTERN_DATABASE_URL: url ?? `sqlite:${join(folder, "postern.db")}`,
    POSTERN_SECRET_KEY: randomBytes(32).toString("hex"),
    // Always the same, because it is part of the issuer that stored tokens name.
    POSTERN_PORT: String(await freePort()),
    // One address makes all the requests.
    POSTERN_THROTTLE: "off",
    // The peers do not log requests either.
    POSTERN_LOG_LEVEL: "warn",
  };
  const file = join(folder, "manifest.json");
  await writeFile(file, JSON.stringify(await manifest()));
  await runProgram({ args: [program, "apply", file], env: settings }, 60);
  // The first start makes the signing key, which takes as long as chance wants.
  await (await startServer({ args: [program, "serve"], env: settings, ready_path: "/readyz" }))[
    Symbol.asyncDispose
  ]();
  if (rows === 0) return { settings, stored_tokens: undefined };

  tell(`  filling ${engine} with ${rows} tokens`);
  const output = await runProgram(
    {
      args: [join(import.meta.dirname, "postern_fill.ts")],
      env: settings,
      input: { rows, tokens, client, scope },
    },
    3600,
  );
  if (url !== undefined) await cluster?.settle(url);
  return { settings, stored_tokens: output.trim().split("\n") };
}

async function copyOf(
  { settings, stored_tokens }: Filled,
  engine: Engine,
  workers: number,
  { makeFolder, postgres }: Ground,
): Promise<Filled> {
  const name = `postern_${engine}_${workers}`;
  if (engine === "postgres") {
    const url = await (await postgres()).createDatabase(name, "postern_template");
    return { settings: { ...settings, POSTERN_DATABASE_URL: url }, stored_tokens };
  }
  const path = join(await makeFolder(name), "postern.db");
  await cp((settings.POSTERN_DATABASE_URL ?? "").replace("sqlite:", ""), path);
  return { settings: { ...settings, POSTERN_DATABASE_URL: `sqlite:${path}` }, stored_tokens };
}

/** What a browser does to sign a user in; its session cookie. */
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
    throw new Error(`signing in answered ${response.status}`);
  return session;
}

async function openForm(url: string): Promise<SignInForm> {
  const response = await fetch(new URL("/login", url));
  const page = await response.text();
  const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)?.[1];
  const [cookie] = cookiesOf(response);
  if (csrf_token === undefined || cookie === undefined)
    throw new Error("the login page has no form as expected");
  return { target: "/login", cookie, fields: { password, redirect: "", csrf_token } };
}

async function manifest(): Promise<object> {
  // Of the cost that the server itself would choose.
  const argon2id = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const owner = emailOf(0);
  return {
    users: Array.from({ length: users }, (_, user) => ({
      email: emailOf(user),
      name: `User ${user}`,
      password: { argon2id },
      is_platform_admin: user === 0,
    })),
    apps: [
      {
        client_id: client.client_id,
        name: "Worker",
        app_type: "machine",
        owner,
        allowed_scopes: [scope],
        allowed_grants: ["client_credentials"],
        access_token_ttl,
        secrets: [client.client_secret],
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
      {
        client_id: web_client.client_id,
        name: "Web",
        app_type: "web",
        owner,
        redirect_uris: [redirect_uri],
        allowed_scopes: ["openid", scope],
        allowed_grants: ["auth_code", "refresh"],
        first_party: true,
        access_token_ttl,
        secrets: [web_client.client_secret],
      },
    ],
  };
}
