/** What the benchmark knows of a server that it measures. */
import type { ServerProcess } from "./processes.ts";

export interface Contender {
  readonly name: string;
  readonly version: string;
  /** Makes in `folder` whatever can be made once; each call of the answer then starts a server in the same state. */
  readonly prepare: (folder: string) => Promise<() => Promise<RunningServer>>;
}

export interface RunningServer extends ServerProcess {
  /** A client that may use client credentials, and one that may introspect the tokens of others. */
  readonly client: ClientCredentials;
  readonly introspector: ClientCredentials;
  /** The form of a token request that is answered with a JWT access token. */
  readonly jwt_request: Readonly<Record<string, string>>;
  /** The form of one whose access token can be introspected. */
  readonly introspectable_request: Readonly<Record<string, string>>;
  /** Whether both are the same tokens. */
  readonly introspects_jwts: boolean;
}

export interface ClientCredentials {
  readonly client_id: string;
  readonly client_secret: string;
}

/** The clients that every contender registers. */
export const client: ClientCredentials = {
  client_id: "worker",
  client_secret: "a-secret-of-the-benchmark-for-the-worker",
};
export const introspector: ClientCredentials = {
  client_id: "orders-api",
  client_secret: "a-secret-of-the-benchmark-for-the-api",
};
/** What the client asks for; and the lifetime of its tokens, seconds, which outlasts every run. */
export const scope = "orders:read";
export const access_token_ttl = 3600;
