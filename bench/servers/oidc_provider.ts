import { generateKeyPairSync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { access_token_ttl, type Contender, client, introspector, scope } from "../contender.ts";
import { startServer } from "../processes.ts";

/** What the process that runs `oidc-provider` is told on its standard input. */
export interface OidcProviderInput {
  /** A private JWK (RFC 7517). */
  readonly signing_key: object;
  readonly client: typeof client;
  readonly introspector: typeof introspector;
  readonly scope: string;
  readonly access_token_ttl: number;
  /** Resources (RFC 8707) whose access tokens are JWTs, or opaque. */
  readonly jwt_resource: string;
  readonly opaque_resource: string;
}

const jwt_resource = "https://jwt.example";
const opaque_resource = "https://opaque.example";

/** `oidc-provider` on a Map in its own memory; how it is configured stands in oidc_provider_process.ts. */
export async function oidcProvider(): Promise<Contender> {
  const path = join(import.meta.dirname, "..", "..", "node_modules", "oidc-provider", "package.json");
  const { version } = JSON.parse(await readFile(path, "utf8")) as { version: string };
  return { name: "oidc-provider", version, prepare };
}

async function prepare(folder: string): ReturnType<Contender["prepare"]> {
  // Made here, so that a cold start does not pay for it.
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const input: OidcProviderInput = {
    signing_key: privateKey.export({ format: "jwk" }),
    client,
    introspector,
    scope,
    access_token_ttl,
    jwt_resource,
    opaque_resource,
  };
  const request = { grant_type: "client_credentials", scope };
  return async () => {
    const server = await startServer({
      args: [join(import.meta.dirname, "oidc_provider_process.ts")],
      env: {
        NODE_ENV: "production",
        // Both are what Postern does for itself: compiled modules are kept, and every core can sign.
        NODE_COMPILE_CACHE: join(folder, "compile_cache"),
        UV_THREADPOOL_SIZE: String(Math.max(4, availableParallelism())),
      },
      input,
      ready_path: "/.well-known/openid-configuration",
    });
    return {
      ...server,
      client,
      introspector,
      jwt_request: { ...request, resource: jwt_resource },
      introspectable_request: { ...request, resource: opaque_resource },
      introspects_jwts: false,
    };
  };
}
