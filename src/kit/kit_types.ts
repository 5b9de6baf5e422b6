/** The messages between a test and a server of the kit. */
import type { Row } from "../records/definition/definition.ts";

/** Names of the endpoints whose calls can be distinguished. */
export const endpoints = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  introspect: "/oauth/introspect",
  revoke: "/oauth/revoke",
  userinfo: "/oauth/userinfo",
  logout: "/oauth/logout",
  par: "/oauth/par",
  register: "/oauth/register",
  jwks: "/.well-known/jwks.json",
  configuration: "/.well-known/openid-configuration",
  metadata: "/.well-known/oauth-authorization-server",
} as const;

/** The name of an endpoint, or any path of the server. */
export type Endpoint = keyof typeof endpoints | `/${string}`;

/** Throws if there is no such endpoint: a test that misspells it would wait for nothing. */
export function pathOf(endpoint: Endpoint): string {
  if (endpoint.startsWith("/")) return endpoint;
  if (Object.hasOwn(endpoints, endpoint)) return endpoints[endpoint as keyof typeof endpoints];
  throw new Error(`${endpoint} is no endpoint: expected a path or ${Object.keys(endpoints).join(", ")}`);
}

export const namedFailures = [
  "timeout",
  "reset",
  "429",
  "500",
  "502",
  "503",
  "garbled",
  "expired",
  "revoked",
  "replay",
] as const;

/**
 * How a call fails. The server itself refuses `expired`, `revoked` and `replay`: the presented credential has
 * expired, was revoked or was just used by another caller. With `error` the answer has this error code; at
 * `authorize` it is the redirect back. With `delay` the correct answer is sent so many milliseconds later.
 */
export type Failure =
  | (typeof namedFailures)[number]
  | { readonly error: string; readonly description?: string; readonly status?: number }
  | { readonly delay: number };

export type Values = Readonly<Record<string, string | readonly string[]>>;

/** A received request, with its secrets, and its answer. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** When it came, by the clock of the server. */
  readonly at: Date;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The parameters in the query and the form of the body; for a repeated one, all values. */
  readonly parameters: Values;
  /** The body if it is JSON. */
  readonly json?: unknown;
  /** How the client proved itself. */
  readonly client?: {
    readonly method: "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none";
    readonly client_id: string | undefined;
    readonly client_secret?: string;
  };
  /** The token of the Authorization header. */
  readonly token?: string;
  /** The failure that the test wanted. */
  readonly failure?: Failure;
  /** Undefined while nothing was answered. */
  readonly status?: number;
  readonly location?: string;
  /** The answer: decoded where it is JSON, else its text. */
  readonly answer?: unknown;
}

export interface KitUser {
  /** The `sub` of tokens. */
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly password: string;
}

export interface KitApp {
  readonly id: string;
  readonly client_id: string;
  /** Undefined if the app is public. */
  readonly client_secret: string | undefined;
  readonly redirect_uris: readonly string[];
  readonly allowed_scopes: readonly string[];
}

/** A person signed in in a browser: its cookie. */
export interface KitSession {
  readonly name: string;
  readonly value: string;
  /** The header of a request. */
  readonly cookie: string;
}

/** The answer of the token endpoint (RFC 6749 5.1). */
export interface KitTokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope?: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
}

/** Members of a record as `postern apply` reads them. */
export type Fields = Readonly<Record<string, unknown>>;

/** A membership of a user: its organization by slug, which is created if it does not exist. */
export interface KitMembership {
  readonly organization: string;
  /** `member` when absent. */
  readonly role?: string;
}

/** The fields of a user in a manifest, and their memberships. */
export type UserFields = Fields & { readonly memberships?: readonly KitMembership[] };

export interface TokenOptions {
  readonly app: Pick<KitApp, "client_id">;
  /** The subject of the tokens; the app itself when absent. */
  readonly user?: Pick<KitUser, "id">;
  /** The app's by default. */
  readonly scope?: string;
  /** APIs that the token is for. */
  readonly resource?: string | readonly string[];
  readonly nonce?: string;
  /** Id or slug of the user's organization that the token is for; the app needs an `organization_mode`. */
  readonly organization?: string;
  /** The access token has expired a minute ago. */
  readonly expired?: boolean;
}

/** An event of the feed, as consumers are told. */
export type KitEvent = Omit<Row<"events">, "arrived">;

/** Which events are returned. */
export interface EventOptions {
  /** Only events after this position. */
  readonly after?: number;
  readonly types?: readonly string[];
}

/** The operations of the server's thread for a test; the arguments and answers can be cloned. */
export interface KitCommands {
  apply(manifest: Fields): Promise<{ readonly secrets: Readonly<Record<string, string>> }>;
  user(fields?: UserFields): Promise<KitUser>;
  app(fields?: Fields): Promise<KitApp>;
  session(user: Pick<KitUser, "id">): Promise<KitSession>;
  tokens(options: TokenOptions): Promise<KitTokens>;
  follow(
    url: string,
    user: Pick<KitUser, "id">,
    options?: { readonly decision?: "allow" | "deny"; readonly organization?: string },
  ): Promise<string>;
  revoke(token: string): Promise<void>;
  rotateKeys(): Promise<{ readonly kid: string }>;
  now(): Promise<Date>;
  advance(seconds: number): Promise<Date>;
  setClock(to: Date): Promise<Date>;
  fail(endpoint: Endpoint, failure: Failure, options?: { readonly times?: number }): Promise<void>;
  heal(): Promise<void>;
  requests(endpoint?: Endpoint): Promise<RecordedRequest[]>;
  /**
   * Every event of the feed so far, in the order of positions; nothing committed before the call is missing.
   * Needs the setting `extra_features: "events"`.
   */
  events(options?: EventOptions): Promise<KitEvent[]>;
  forget(): Promise<void>;
}
