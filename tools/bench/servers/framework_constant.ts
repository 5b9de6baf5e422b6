import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { discover, discoveryPath } from "../checks.ts";
import { type Contender, client, introspector, type Workspace, web_client } from "../contender.ts";
import { startServer } from "../processes.ts";

/** Documents of a real server, by path. */
export interface FrameworkConstantInput {
  readonly documents: Readonly<Record<string, string>>;
}

/**
 * A server that uses Postern's framework and returns Postern's documents as constants. Its rate is the limit
 * for discovery and JWKS.
 */
export async function frameworkConstant(model: Contender): Promise<Contender> {
  const path = join(import.meta.dirname, "..", "..", "..", "node_modules", "fastify", "package.json");
  const { version } = JSON.parse(await readFile(path, "utf8")) as { version: string };
  return {
    id: "fastify",
    name: "Fastify, constant",
    version,
    scenarios: ["discovery", "jwks"],
    prepare: async (workspace) => {
      const input = { documents: await documentsOf(model, workspace) };
      return async ({ node_options = [] }) => {
        const server = await startServer({
          args: [...node_options, join(import.meta.dirname, "framework_constant_process.ts")],
          env: { NODE_ENV: "production" },
          input,
          ready_path: discoveryPath,
        });
        return {
          ...server,
          watched: { server: server.pid },
          issues_tokens: false,
          algorithm: "RS256",
          client,
          introspector,
          web_client,
          jwt_request: {},
          introspectable_request: {},
          introspects_jwts: false,
          redirect_status: 302,
          resource: {},
          signIn: async () => [],
        };
      };
    },
  };
}

async function documentsOf(
  model: Contender,
  workspace: Workspace,
): Promise<FrameworkConstantInput["documents"]> {
  await using server = await (
    await model.prepare({
      ...workspace,
      rows: 0,
      users: 0,
      made: new Map(),
      makeFolder: (name) => workspace.makeFolder(`model_${name}`),
    })
  )({});
  const { jwks_uri } = await discover(server);
  const paths = [discoveryPath, new URL(jwks_uri).pathname];
  return Object.fromEntries(
    await Promise.all(
      paths.map(async (path) => [path, await (await fetch(new URL(path, server.url))).text()]),
    ),
  );
}
