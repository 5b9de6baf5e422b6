import type { Row } from "../records/definition/definition.ts";

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

export type Endpoint = keyof typeof endpoints | `/${string}`;

/** Returns the path. Throws if there is no such endpoint: a misspelled name would match no request. */
export function pathOf(endpoint: Endpoint): string {
  if (endpoint.startsWith("/")) return endpoint;
  if (Object.hasOwn(endpoints, endpoint)) return endpoints[endpoint as keyof typeof endpoints];
  throw new Error(`${endpoint} is not an endpoint: expected a path or ${Object.keys(endpoints).join(", ")}`);
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
 * How a call fails. With `expired`, `revoked` and `replay`, the server itself refuses the call. With `error`,
 * the response has this error code; for `follow`, the redirect to the app has it. `delay` is in milliseconds.
 */
export type Failure =
  | (typeof namedFailures)[number]
  | { readonly error: string; readonly description?: string; readonly status?: number }
  | { readonly delay: number };

export type Values = Readonly<Record<string, string | readonly string[]>>;

/** A received request, including its secrets, and its response. */
export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  /** By the server's clock. */
  readonly at: Date;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** From the query and the form body. */
  readonly parameters: Values;
  readonly json?: unknown;
  readonly client?: {
    readonly method: "client_secret_basic" | "client_secret_post" | "private_key_jwt" | "none";
    readonly client_id: string | undefined;
    readonly client_secret?: string;
  };
  readonly token?: string;
  readonly failure?: Failure;
  /** Undefined until the response is sent. */
  readonly status?: number;
  readonly location?: string;
  /** The response body: decoded if it is JSON, otherwise its text. Undefined if it is compressed. */
  readonly answer?: unknown;
}

export interface KitUser {
  /** The `sub` of the user's tokens. */
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

export interface KitSession {
  readonly name: string;
  readonly value: string;
  readonly cookie: string;
}

/** The response of the token endpoint (RFC 6749, section 5.1). */
export interface KitTokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope?: string;
  readonly refresh_token?: string;
  readonly id_token?: string;
}

/** Fields of a record, in the form that `postern apply` reads. */
export type Fields = Readonly<Record<string, unknown>>;

/** `organization` is a slug; the organization is created if it does not exist. */
export interface KitMembership {
  readonly organization: string;
  /** The name of the role; `member` if absent. */
  readonly role?: string;
}

export type UserFields = Fields & { readonly memberships?: readonly KitMembership[] };

export interface TokenOptions {
  readonly app: Pick<KitApp, "client_id">;
  /** The subject of the tokens; the app itself if absent. */
  readonly user?: Pick<KitUser, "id">;
  /** The requested scopes; all of the app's allowed scopes if absent. */
  readonly scope?: string;
  /** The identifiers of the APIs that the token is for. */
  readonly resource?: string | readonly string[];
  readonly nonce?: string;
  /**
   * ID or slug of the user's organization that the token is for; the app needs an `organization_mode` other
   * than `none`.
   */
  readonly organization?: string;
  /** Whether to issue an access token that expired a minute ago. */
  readonly expired?: boolean;
}

export type KitEvent = Omit<Row<"events">, "arrived">;

export interface EventOptions {
  readonly after?: number;
  readonly types?: readonly string[];
}

/** The server's thread performs these operations, so arguments and results are structured-cloned. */
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
   * Returns the events of the feed in the order of positions, including all that were committed before the
   * call. Needs the setting `extra_features: "events"`.
   */
  events(options?: EventOptions): Promise<KitEvent[]>;
  forget(): Promise<void>;
}
