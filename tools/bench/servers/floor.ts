import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { algorithms } from "../algorithms.ts";
import { discoveryPath } from "../checks.ts";
import {
  access_token_ttl,
  type ClientCredentials,
  type Contender,
  client,
  introspector,
  type RunningServer,
  redirect_uri,
  resourceOf,
  scope,
  users,
  web_client,
  webClientOf,
} from "../contender.ts";
import { startServer } from "../processes.ts";
import { floorServer } from "../results.ts";

export interface FloorInput {
  /** The path of its database, which is recreated. */
  readonly database: string;
  readonly clients: readonly ClientCredentials[];
  /** Cookies of signed-in users; each has a session of a different user. */
  readonly sessions: readonly string[];
  readonly redirect_uri: string;
  readonly scope: string;
  readonly access_token_ttl: number;
  /** The algorithm of tokens, by the resource (RFC 8707) in the request. */
  readonly algorithms: Readonly<Record<string, (typeof algorithms)[number]>>;
}

const byAlgorithm = ["client-credentials", "client-credentials-one", "refresh", "code-flow"];

/**
 * The floor: a server that does only the minimum that a durable server has to do per request in this runtime.
 * The processor time that another server takes beyond the floor is due to that server's own code, on every
 * machine.
 */
export function floor(): Contender {
  return {
    id: floorServer,
    name: "floor",
    version: "node:http",
    scenarios: [
      ...byAlgorithm.flatMap((id) => [id, `${id}-es256`, `${id}-eddsa`]),
      ...["introspection", "userinfo", "revocation", "discovery", "jwks", "discovery-under-load"],
    ],
    async prepare(workspace) {
      const sessions = Array.from({ length: users }, () => randomBytes(32).toString("base64url"));
      const input: FloorInput = {
        database: join(await workspace.makeFolder("floor"), "floor.db"),
        clients: [client, introspector, ...algorithms.map(webClientOf)],
        sessions,
        redirect_uri,
        scope,
        access_token_ttl,
        algorithms: Object.fromEntries(algorithms.map((algorithm) => [resourceOf(algorithm), algorithm])),
      };
      return async ({ node_options = [] }) => {
        const server = await startServer({
          // The same heap option as `npm start` of Postern.
          args: [...node_options, "--max-semi-space-size=16", join(import.meta.dirname, "floor_process.ts")],
          env: { NODE_ENV: "production" },
          input,
          ready_path: discoveryPath,
        });
        const signingBy = (algorithm: (typeof algorithms)[number]): RunningServer => {
          const resource = { resource: resourceOf(algorithm) };
          const request = { grant_type: "client_credentials", scope, ...resource };
          return {
            ...server,
            watched: { server: server.pid },
            issues_tokens: true,
            algorithm,
            signingBy,
            client,
            introspector,
            web_client: algorithm === "RS256" ? web_client : webClientOf(algorithm),
            jwt_request: request,
            introspectable_request: request,
            introspects_jwts: true,
            redirect_status: 302,
            resource,
            signIn: async (count) => sessions.slice(0, count).map((cookie) => `session=${cookie}`),
          };
        };
        return signingBy("RS256");
      };
    },
  };
}
