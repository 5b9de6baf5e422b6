/** The benchmark's interface to a measured server. */
import type { Algorithm } from "./algorithms.ts";
import type { ClockPlace } from "./loop_clock.ts";
import type { PostgresCluster } from "./postgres_cluster.ts";
import type { ServerProcess } from "./processes.ts";

export interface Contender {
  /** The ID in `--contenders`. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The scenarios in which it takes part; by default all. */
  readonly scenarios?: readonly string[];
  /**
   * Whether the server has several processes. One event loop then shows only a part of its work, so the event
   * loop is not reported.
   */
  readonly several_processes?: true;
  /** Prepares the data once, and returns a function that starts a server on it. */
  readonly prepare: (workspace: Workspace) => Promise<(options: StartOptions) => Promise<RunningServer>>;
}

/** The input that all contenders of one run share. */
export interface Workspace {
  /** The path of the Postern program to measure; by default the checkout's. */
  readonly program?: string | undefined;
  /** Creates a folder with this name on the disk that has the databases. */
  readonly makeFolder: (name: string) => Promise<string>;
  /** The run's only PostgreSQL, started at its first use. */
  readonly postgres: () => Promise<PostgresCluster>;
  /** Number of tokens in the database before the first start: 0, or at least `tokens`. */
  readonly rows: number;
  /** Number of different tokens that are introspected. */
  readonly tokens: number;
  /** Number of users in addition to those who sign in; 0 if no scenario lists them. */
  readonly users: number;
  /**
   * Number of additional records of each kind (apps, sessions and audit events); omitted if no scenario lists
   * them.
   */
  readonly records?: number;
  /** The algorithms for which the records of apps and APIs are created; by default all. */
  readonly algorithms?: readonly Algorithm[];
  /** Lifetime of tokens in seconds; by default `access_token_ttl`. */
  readonly token_ttl?: number;
  /** Data that one contender has prepared and that others of the same kind copy, by a key that they share. */
  readonly made: Map<string, unknown>;
  readonly progress: (sentence: string) => void;
}

export interface StartOptions {
  /** Options of Node that precede the program's path. */
  readonly node_options?: readonly string[];
}

export interface RunningServer extends ServerProcess {
  /**
   * The process IDs of its processes by name, each measured with all descendants. The first is the server
   * itself.
   */
  readonly watched: Readonly<Record<string, number>>;
  /** Where the server reports the state of its event loop, if the benchmark has requested this. */
  readonly clock?: ClockPlace;
  /** False for a server that returns constants, which has only public documents. */
  readonly issues_tokens: boolean;
  /** The algorithm of the tokens that `client` and `web_client` get. */
  readonly algorithm: Algorithm;
  /**
   * Returns the same server with clients whose tokens are signed with another algorithm; undefined if
   * unsupported.
   */
  readonly signingBy?: (algorithm: Algorithm) => RunningServer;
  /** The path of its database, whose size is measured. */
  readonly database?: string;
  /**
   * `client` uses client credentials, `introspector` may introspect tokens of other clients, and `web_client`
   * has users.
   */
  readonly client: ClientCredentials;
  readonly introspector: ClientCredentials;
  readonly web_client: ClientCredentials;
  /** The form of a token request whose response has a JWT access token. */
  readonly jwt_request: Readonly<Record<string, string>>;
  /** The form of a token request whose access token can be introspected. */
  readonly introspectable_request: Readonly<Record<string, string>>;
  /** Whether `jwt_request` and `introspectable_request` return the same kind of token. */
  readonly introspects_jwts: boolean;
  readonly redirect_status: number;
  /**
   * Tokens in the server's database that the requests send. If undefined, the benchmark first issues tokens.
   */
  readonly stored_tokens?: readonly string[];
  /**
   * Additional parameters of the web client's authorization and token requests, which make its access tokens
   * JWTs.
   */
  readonly resource: Readonly<Record<string, string>>;
  /** The scopes of the web client's users; by default `scope`. */
  readonly user_scope?: string;
  /**
   * Two web clients with the same scopes. Tokens of the first contain the user's organization, roles and
   * groups; those of the second do not.
   */
  readonly in_context?: readonly [AsClient, AsClient];
  /** Signs in this number of users, each with a separate browser, and returns their Cookie headers. */
  readonly signIn: (users: number) => Promise<string[]>;
  /** Returns a request of the login form; undefined if the server has no passwords. */
  readonly signInForm?: () => Promise<SignInForm>;
  /** An API key that may list all records; undefined if the server has no lists or no records. */
  readonly management_key?: string;
}

type AsClient = Pick<RunningServer, "web_client" | "user_scope">;

/** The browser's request with the completed login form. */
export interface SignInForm {
  readonly target: string;
  readonly cookie: string;
  /** All fields except `email`. */
  readonly fields: Readonly<Record<string, string>>;
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
/** A confidential web client that needs no consent. */
export const web_client: ClientCredentials = {
  client_id: "web-app",
  client_secret: "a-secret-of-the-benchmark-for-the-web-app",
};
/** Returns the same client with id_tokens of this algorithm. */
export function webClientOf(algorithm: Algorithm): ClientCredentials {
  if (algorithm === "RS256") return web_client;
  return { ...web_client, client_id: `${web_client.client_id}-${algorithm.toLowerCase()}` };
}
/** Returns the resource (RFC 8707) whose access tokens are JWTs of this algorithm. */
export function resourceOf(algorithm: Algorithm): string {
  return `https://${algorithm.toLowerCase()}.example`;
}
/** The organization modes of the two clients in `in_context`. */
export const contexts = ["auto", "none"] as const;
/** Returns the same client with this organization mode. */
export function clientInContext(algorithm: Algorithm, mode: (typeof contexts)[number]): ClientCredentials {
  return { ...web_client, client_id: `${webClientOf(algorithm).client_id}-${mode}` };
}
/** Scopes of the claims about a membership. */
export const member_scopes = ["organization", "roles", "groups", "permissions"] as const;
/** A client with few tokens in a database with many tokens of others. */
export const seldom_client: ClientCredentials = {
  client_id: "seldom",
  client_secret: "a-secret-of-the-benchmark-for-the-seldom",
};
export const redirect_uri = "https://app.example/callback";

/** Number of tokens and of users in the small databases with which large ones are compared. */
export const fewRecords = 1000;

/** The clients' scope, and the lifetime of access tokens in seconds, which is longer than any run. */
export const scope = "orders:read";
export const access_token_ttl = 14_400;

/** The maximum number of users who are signed in at the same time. */
export const users = 64;
export function emailOf(user: number): string {
  return `user-${user % users}@example.com`;
}
export const password = "correct horse battery staple";
