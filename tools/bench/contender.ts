/** The benchmark's interface to a measured server. */
import type { Algorithm } from "./algorithms.ts";
import type { ClockPlace } from "./loop_clock.ts";
import type { PostgresCluster } from "./postgres_cluster.ts";
import type { ServerProcess } from "./processes.ts";

export interface Contender {
  /** Its name in `--contenders`. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The scenarios that it takes part in; all by default. */
  readonly scenarios?: readonly string[];
  /** Whether several processes share its work, so no single event loop shows all of it. */
  readonly several_processes?: true;
  /** Makes whatever can be made once; each call of the answer then starts a server on it. */
  readonly prepare: (workspace: Workspace) => Promise<(options: StartOptions) => Promise<RunningServer>>;
}

/** The input of the contenders in one run. */
export interface Workspace {
  /** The program of this server that is measured, where it is not the checkout's. */
  readonly program?: string | undefined;
  /** Makes a new folder of this name, on the disk where the databases are. */
  readonly makeFolder: (name: string) => Promise<string>;
  /** The one PostgreSQL of the run, started at its first use. */
  readonly postgres: () => Promise<PostgresCluster>;
  /**
   * How many tokens the database holds before the first start: none or as many as are to be looked up, and
   * more.
   */
  readonly rows: number;
  /** How many different tokens are asked about. */
  readonly tokens: number;
  /** How many users it holds in addition to those who sign in; 0 if no scenario lists them. */
  readonly users: number;
  /** How many apps, sessions and audit events it holds in addition; none if no scenario lists them. */
  readonly records?: number;
  /** The algorithms of access tokens and id_tokens, by choice of a record; all if it does not say. */
  readonly algorithms?: readonly Algorithm[];
  /** Lifetime of tokens in seconds; `access_token_ttl` if it does not say. */
  readonly token_ttl?: number;
  /** Results that other contenders of the same kind can copy, by an agreed name. */
  readonly made: Map<string, unknown>;
  readonly progress: (sentence: string) => void;
}

export interface StartOptions {
  /** Options of Node before the program's name. */
  readonly node_options?: readonly string[];
}

export interface RunningServer extends ServerProcess {
  /**
   * The processes that do its work, by name; each with all its descendants. The first is the server itself.
   */
  readonly watched: Readonly<Record<string, number>>;
  /** The address that reports its event loop; set by the benchmark. */
  readonly clock?: ClockPlace;
  /** False for a server of constants, which offers only its documents. */
  readonly issues_tokens: boolean;
  /** The algorithm of the tokens that these clients request. */
  readonly algorithm: Algorithm;
  /** The same server to clients whose tokens are signed by another algorithm, where it can do that. */
  readonly signingBy?: (algorithm: Algorithm) => RunningServer;
  /** The location of its database, to measure its size. */
  readonly database?: string;
  /** A client with client credentials, one that may introspect other clients' tokens, one with users. */
  readonly client: ClientCredentials;
  readonly introspector: ClientCredentials;
  readonly web_client: ClientCredentials;
  /** The form of a token request that is answered with a JWT access token. */
  readonly jwt_request: Readonly<Record<string, string>>;
  /** The form of one whose access token can be introspected. */
  readonly introspectable_request: Readonly<Record<string, string>>;
  /** Whether both are the same tokens. */
  readonly introspects_jwts: boolean;
  /** The status of its redirects. */
  readonly redirect_status: number;
  /**
   * Tokens that its database already holds, to be asked about; where it holds none, they are to be issued.
   */
  readonly stored_tokens?: readonly string[];
  /**
   * Further parameters of the web client's requests for a code and for tokens, so that access tokens are
   * JWTs.
   */
  readonly resource: Readonly<Record<string, string>>;
  /** The scopes of the web client's users; `scope` alone where it does not say. */
  readonly user_scope?: string;
  /**
   * Two web clients of the same scopes: tokens of the first have the user's organization, roles and groups,
   * those of the second have not.
   */
  readonly in_context?: readonly [AsClient, AsClient];
  /** Signs so many users in, each in a browser of their own; the Cookie headers of these. */
  readonly signIn: (users: number) => Promise<string[]>;
  /** The requests of the sign-in form, where the server has passwords. */
  readonly signInForm?: () => Promise<SignInForm>;
  /** An API key that may list every record, where the server lists records and holds some. */
  readonly management_key?: string;
}

/** A web client, and the scopes of its users. */
type AsClient = Pick<RunningServer, "web_client" | "user_scope">;

/** The browser's request for a filled login form. */
export interface SignInForm {
  readonly target: string;
  readonly cookie: string;
  /** All but `email`. */
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
/** The same client, with id_tokens by that algorithm. */
export function webClientOf(algorithm: Algorithm): ClientCredentials {
  if (algorithm === "RS256") return web_client;
  return { ...web_client, client_id: `${web_client.client_id}-${algorithm.toLowerCase()}` };
}
/** The resource (RFC 8707) whose access tokens are JWTs by that algorithm. */
export function resourceOf(algorithm: Algorithm): string {
  return `https://${algorithm.toLowerCase()}.example`;
}
/** The organization modes of the clients that are compared. */
export const contexts = ["auto", "none"] as const;
/** The same client again, in this mode. */
export function clientInContext(algorithm: Algorithm, mode: (typeof contexts)[number]): ClientCredentials {
  return { ...web_client, client_id: `${webClientOf(algorithm).client_id}-${mode}` };
}
/** Scopes of the claims about a membership. */
export const member_scopes = ["organization", "roles", "groups", "permissions"] as const;
/** A client with few tokens among the many of the others. */
export const seldom_client: ClientCredentials = {
  client_id: "seldom",
  client_secret: "a-secret-of-the-benchmark-for-the-seldom",
};
export const redirect_uri = "https://app.example/callback";

/** How many tokens and users the databases hold that many are compared with. */
export const fewRecords = 1000;

/** The clients' scopes; and the lifetime of access tokens, seconds, longer than every run. */
export const scope = "orders:read";
export const access_token_ttl = 14_400;

/** As many users as ever sign in at once. */
export const users = 64;
export function emailOf(user: number): string {
  return `user-${user % users}@example.com`;
}
export const password = "correct horse battery staple";
