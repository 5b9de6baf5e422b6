import type { Guess, GuessLimits } from "../../crypto/guess_limits.ts";
import type { HashingQueue } from "../../crypto/hash_pool.ts";
import type { PasswordHasher } from "../../crypto/passwords.ts";
import type { Sealer } from "../../crypto/sealing.ts";
import type { KeyRing } from "../../crypto/signing_keys.ts";
import type { VerifiedSecrets } from "../../crypto/verified_secrets.ts";
import type { AuditEvent, OAuthApp, OAuthAppSecret } from "../../records/definition/definition.ts";
import type { SecurityEventType } from "../../records/definition/event_types.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import type { LeakyBuckets } from "../../records/names/leaky_buckets.ts";
import type {
  AllowedGrant,
  ExtraSignIn,
  Feature,
  noncePolicies,
  Profile,
  RegistrationMode,
  SelfService,
  SignUpPolicy,
} from "../../records/names/names.ts";
import type { Demands } from "../../records/names/profiles.ts";
import type { TokenKind } from "../../records/names/statistics.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type {
  Audit,
  Clients,
  Codes,
  Commits,
  Consents,
  Deliveries,
  Keys,
  Rows,
  Sessions,
  Tokens,
} from "../../storage/ports.ts";
import type { MachineProof } from "../../storage/tokens/families.ts";
import type { ClientDocuments } from "../client_metadata/client_documents.ts";
import type { ClientKeySets } from "../client_metadata/client_key_sets.ts";
import type { Pieces } from "../refusals/catalogued.ts";
import type { WhyUnproven } from "../refusals/client_refusals.ts";
import type { Authorization } from "./authorization.ts";
import type { Params } from "./params.ts";
import type { RevocationBacklog } from "./revocation_backlog.ts";
import type { Rules } from "./rules.ts";

type ProtocolStore = Rows &
  Clients &
  Codes &
  Tokens &
  Sessions &
  Consents &
  Deliveries &
  Keys &
  Commits &
  Audit;

/** The server is passed to each operation, so a test can replace any part of it. */
export interface AuthorizationServer {
  /** The configured `base_url` without any change. */
  readonly issuer: string;
  readonly store: ProtocolStore;
  /**
   * With `remembered`, returns the last known keys if the database does not respond; these may verify, but
   * never sign.
   */
  readonly keys: (options?: { remembered: boolean }) => Promise<KeyRing>;
  readonly passwords: PasswordHasher;
  readonly verifiedSecrets: VerifiedSecrets;
  readonly guesses?: GuessLimits | undefined;
  readonly sealer: Sealer;
  readonly now: () => Date;
  readonly report: (event: SecurityEvent) => void;
  /** Without a backlog, revocations that the database could not store are abandoned immediately. */
  readonly unfinished?: RevocationBacklog;
  readonly settings: Settings;
  readonly memory: ServerMemory;
  readonly grants: readonly Grant[];
  readonly clientAuthenticationMethods: readonly ClientAuthenticationMethod[];
  /**
   * `open` has the key sets of clients that no administrator registered, so that anonymous callers cannot
   * slow down registered apps. Key sets of organizations' apps are fetched from public addresses only (FO-4).
   */
  readonly clientKeySets: Readonly<Record<"registered" | "organization" | "open", ClientKeySets>>;
  readonly clientDocuments: ClientDocuments;
  /** Returns whether many users share the IP address, which is then exempt from limits per address. */
  readonly isSharedAddress?: (client_ip: string) => boolean;
}

export interface Settings {
  /** Seconds. */
  readonly authorization_code_ttl: number;
  /**
   * Seconds after a rotation in which the previous refresh token is still answered (design 6.9). With 0,
   * every reuse counts as a replay. An app's `metadata.refresh_reuse_window` overrides it.
   */
  readonly refresh_reuse_window: number;
  /** The `refresh_reuse_window` of clients that no administrator registered; 60 by default. */
  readonly open_reuse_window?: number;
  /** Whether apps that may use localhost redirects may name any port; true by default. */
  readonly localhost_any_port?: boolean;
  /** Seconds from an authorization to the end of its last refresh token (design 6.11). */
  readonly refresh_family_max_age: number;
  readonly extra_grants?: readonly string[];
  readonly extra_client_auth?: readonly string[];
  readonly extra_features?: readonly Feature[];
  readonly extra_sign_in?: readonly ExtraSignIn[];
  /** Which users may register an account; none by default. */
  readonly sign_up?: SignUpPolicy;
  readonly self_service?: readonly SelfService[];
  /** Hours before a recovery of lost second factors takes effect; 0 or unset switches recovery off. */
  readonly recovery_delay_hours?: number;
  /** When passwords hashed by another program stop working; never by default. */
  readonly foreign_passwords_until?: Date | undefined;
  /**
   * Maximum seconds since the sign-in for sensitive management API calls (RFC 9470). If 0 or unset, tokens
   * have no maximum, and browser sessions have the usual one (`sudoAge`).
   */
  readonly api_step_up_age?: number;
  /** Requests per minute for each credential; 0 or unset means no limit. */
  readonly api_rate_limit?: number;
  readonly api_origins?: readonly string[];
  /** Every app must follow these profiles; the features that they require are switched on. */
  readonly profiles?: readonly Profile[];
  /** Which clients may register themselves (RFC 7591); none by default. */
  readonly registration?: RegistrationMode;
  /** All hosts by default. */
  readonly client_hosts?: readonly string[];
  readonly client_hosts_denied?: readonly string[];
  readonly require_pushed_requests?: boolean;
  /** The default, `clock`, requires a nonce if `iat` is not close to the server's clock. */
  readonly dpop_nonce?: (typeof noncePolicies)[number];
  readonly service_documentation?: string | undefined;
  readonly op_policy_uri?: string | undefined;
  readonly op_tos_uri?: string | undefined;
  /** Days; 7 by default. */
  readonly refusal_retention?: number;
}

/** Each process counts and limits these actions in its own memory, because they cost the sender nothing. */
export type Limited =
  | "pushed_requests"
  | "pushed_visits"
  | "registrations"
  | "client_documents"
  | "client_assertions"
  | "refusals"
  | "mails"
  | "provider_sign_ins";

interface PushCount {
  /** Unix time in milliseconds. */
  readonly at: number;
  /** Negative if the last count reached the maximum. */
  left: number;
}

/** The bounded state that the protocol keeps between requests, created once per server (`memory.ts`). */
export interface ServerMemory {
  /** At most 2,000 counters of each rate limit. */
  readonly limits: Readonly<Record<Limited, LeakyBuckets>>;
  /** The last count of each app's pushed requests, by `lastingId`, for at most 1,000 apps. */
  readonly pushes: Map<string, PushCount>;
  readonly waiting: { revocations: number };
  readonly offers: WeakMap<AuthorizationServer, Offer>;
  /** Client secrets whose hash is being computed; the hasher's queues limit their number. */
  readonly verifying: Map<string, Promise<OAuthAppSecret | undefined>>;
  /**
   * The names of all apps that administrators registered, reduced so that similar-looking names are equal
   * (PR-11).
   */
  app_names?: { readonly read_at: number; readonly skeletons: Promise<ReadonlySet<string>> } | undefined;
}

export interface Offer {
  readonly grants: ReadonlyMap<string, Grant>;
  readonly methods: readonly ClientAuthenticationMethod[];
  readonly features: ReadonlySet<Feature>;
  readonly rules: WeakMap<OAuthApp, Rules>;
}

export interface Grant {
  readonly grant_type: string;
  readonly allowed_as: AllowedGrant;
  readonly statistic: TokenKind;
  /** Undefined for a grant without replay detection. */
  readonly replay_event: "code_replay" | "refresh_replay" | undefined;
  /**
   * Returns the client to use for a request that names none (RFC 7521 4.1). Undefined if requests with this
   * grant must name a client.
   */
  readonly defaultClient?: (
    server: AuthorizationServer,
    origin: RequestOrigin,
  ) => Promise<AuthenticatedClient>;
  /** Checks a token request. Throws an `OAuthError` if the request is refused. Writes nothing. */
  validate(
    params: Params,
    client: AuthenticatedClient,
    server: AuthorizationServer,
    origin: RequestOrigin,
  ): Promise<Authorization>;
}

/**
 * The client that credentials name. A header whose encoding is ambiguous can be read as several pairs of
 * credentials.
 */
export interface PresentedClient {
  readonly client_id: string;
}

export interface AuthenticationAttempt {
  readonly source: string;
  readonly queue: HashingQueue;
  /** A request counts as one guess, even if its credentials have several readings. */
  guess?: Guess;
}

/** A client authentication method (RFC 6749 2.3), listed in `all_methods.ts`. */
export interface ClientAuthenticationMethod<P extends PresentedClient = PresentedClient> {
  readonly name: string;
  readonly client_type: "confidential" | "public";
  readonly credential: { readonly in: "header" | "form"; readonly name: string };
  readonly metadata?: (demands: Demands) => Readonly<Record<string, unknown>>;
  /**
   * Returns the credentials in the order in which to try them; none if the request does not use the method.
   * Throws an `OAuthError` if the credentials cannot be read.
   */
  present(request: EndpointRequest): readonly P[];
  /**
   * Returns undefined if the credentials are wrong. `client` is undefined if the client is unknown, inactive
   * or may not use the method; the check must then take as long as one of wrong credentials (C-4). Throws
   * `invalid_client` with details that only a client that holds the key or secret may see.
   */
  verify(
    presented: P,
    client: ClientRecord | undefined,
    attempt: AuthenticationAttempt,
    server: AuthorizationServer,
  ): Promise<MachineProof | undefined>;
  /** Returns why the credentials were wrong, without quoting them. */
  whyFailed?(presented: P, client: ClientRecord, now: Date): Pieces<WhyUnproven>;
}

export interface AuthenticatedClient extends ClientRecord {
  readonly method: string;
  readonly proof: MachineProof;
}

export interface EndpointRequest {
  readonly params: Params;
  readonly authorization: string | undefined;
  readonly dpop?: string | undefined;
  readonly origin: RequestOrigin;
}

/**
 * An event for operators. It becomes an audit event, a log line and a metric, and never contains a secret.
 */
export interface SecurityEvent {
  readonly type: SecurityEventType;
  readonly outcome: "success" | "failure";
  readonly actor: { readonly kind: AuditEvent["actor_kind"]; readonly id?: string };
  readonly target?: { readonly table: string; readonly id: string };
  /** The organization that owns the audit event; looked up if omitted. */
  readonly organization_id?: string | null;
  readonly app_id?: string;
  readonly counted_as?: TokenKind;
  readonly origin: RequestOrigin;
  readonly details?: Readonly<Record<string, string | number | boolean>>;
  /** The error is only logged. */
  readonly cause?: unknown;
}
