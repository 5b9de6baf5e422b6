import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { access_token_ttl, type Contender, client, introspector, scope } from "../contender.ts";
import { runProgram, startServer } from "../processes.ts";

const root = join(import.meta.dirname, "..", "..");
const program = join(root, "bin", "postern.js");

/** This server as it comes, one process on SQLite with `synchronous=FULL`: a token is on disk before it is answered. */
export async function postern(): Promise<Contender> {
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };
  return { name: "Postern", version, prepare };
}

async function prepare(folder: string): ReturnType<Contender["prepare"]> {
  const template = join(folder, "template");
  await mkdir(template, { mode: 0o700 });
  const file = join(folder, "manifest.json");
  await writeFile(file, JSON.stringify(manifest));
  await runProgram({ args: [program, "apply", file], env: settings(template) }, 30);
  // The first start makes the signing key, which takes as long as chance wants.
  await (await serve(template))[Symbol.asyncDispose]();

  let starts = 0;
  return async () => {
    starts += 1;
    const copy = join(folder, `start_${starts}`);
    await cp(template, copy, { recursive: true });
    const server = await serve(copy);
    const request = { grant_type: "client_credentials", scope };
    return {
      ...server,
      client,
      introspector,
      jwt_request: request,
      introspectable_request: request,
      introspects_jwts: true,
    };
  };
}

function serve(folder: string): ReturnType<typeof startServer> {
  return startServer({ args: [program, "serve"], env: settings(folder), ready_path: "/readyz" });
}

function settings(folder: string): Record<string, string> {
  return {
    NODE_ENV: "production",
    POSTERN_DATABASE_URL: `sqlite:${join(folder, "postern.db")}`,
    POSTERN_PORT: "0",
    // One address makes all the requests.
    POSTERN_THROTTLE: "off",
    // The peers do not log requests either.
    POSTERN_LOG_LEVEL: "warn",
  };
}

const manifest = {
  users: [
    {
      email: "ada@example.com",
      name: "Ada",
      password: "correct horse battery staple",
      is_platform_admin: true,
    },
  ],
  apps: [
    {
      client_id: client.client_id,
      name: "Worker",
      app_type: "machine",
      owner: "ada@example.com",
      allowed_scopes: [scope],
      allowed_grants: ["client_credentials"],
      access_token_ttl,
      secrets: [client.client_secret],
    },
    {
      client_id: introspector.client_id,
      name: "Orders API",
      app_type: "service",
      owner: "ada@example.com",
      allowed_scopes: ["token:introspect"],
      allowed_grants: ["client_credentials"],
      secrets: [introspector.client_secret],
    },
  ],
};
