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

/**
 * Everything that the protocol needs. It is passed to each operation, so a test can replace any part of it.
 */
export interface AuthorizationServer {
  /** The issuer identifier: the configured `base_url` without any change. */
  readonly issuer: string;
  readonly store: ProtocolStore;
  /**
   * Returns the current signing keys, which follow a rotation without a restart. With `remembered`, returns
   * the last known keys if the database does not respond; these may verify, but never sign.
   */
  readonly keys: (options?: { remembered: boolean }) => Promise<KeyRing>;
  readonly passwords: PasswordHasher;
  readonly verifiedSecrets: VerifiedSecrets;
  readonly guesses?: GuessLimits | undefined;
  readonly sealer: Sealer;
  readonly now: () => Date;
  readonly report: (event: SecurityEvent) => void;
  /**
   * Holds revocations that the database could not store. Without a backlog, such revocations are abandoned
   * immediately.
   */
  readonly unfinished?: RevocationBacklog;
  readonly settings: Settings;
  readonly memory: ServerMemory;
  readonly grants: readonly Grant[];
  readonly clientAuthenticationMethods: readonly ClientAuthenticationMethod[];
  /**
   * The caches of clients' published key sets. `open` has those of clients that no administrator registered,
   * so that anonymous callers cannot slow down registered apps. Key sets of organizations' apps are fetched
   * from public addresses only (FO-4).
   */
  readonly clientKeySets: Readonly<Record<"registered" | "organization" | "open", ClientKeySets>>;
  readonly clientDocuments: ClientDocuments;
  /**
   * Returns whether many users share the IP address, which is then exempt from limits per address. Without
   * this function, no address is exempt.
   */
  readonly isSharedAddress?: (client_ip: string) => boolean;
}

export interface Settings {
  /** Lifetime of authorization codes in seconds. */
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
  /** Maximum seconds from an authorization to the end of its last refresh token (design 6.11). */
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
  /** Management API requests per minute for each credential; 0 or unset means no limit. */
  readonly api_rate_limit?: number;
  readonly api_origins?: readonly string[];
  /** Profiles that every app must follow; the features that they require are switched on. */
  readonly profiles?: readonly Profile[];
  /** Which clients may register themselves (RFC 7591); none by default. */
  readonly registration?: RegistrationMode;
  /** Patterns of hosts whose client documents are accepted; all by default. */
  readonly client_hosts?: readonly string[];
  readonly client_hosts_denied?: readonly string[];
  readonly require_pushed_requests?: boolean;
  /**
   * When DPoP proofs need a nonce from this server. The default, `clock`, requires one if `iat` is not close
   * to the server's clock.
   */
  readonly dpop_nonce?: (typeof noncePolicies)[number];
  readonly service_documentation?: string | undefined;
  readonly op_policy_uri?: string | undefined;
  readonly op_tos_uri?: string | undefined;
  /** Days that refusals are stored; 7 by default. */
  readonly refusal_retention?: number;
}

/** Actions that cost the sender nothing. Each process counts and limits them in its own memory. */
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
  /** When the app's pushed requests were last counted, in Unix time in milliseconds. */
  readonly at: number;
  /**
   * Number of pushed requests to accept before the next count; negative if the last count reached the
   * maximum.
   */
  left: number;
}

/**
 * The bounded state that the protocol keeps between requests. It is created once per server (`memory.ts`).
 */
export interface ServerMemory {
  /** The counters of each rate limit, at most 2,000 each. */
  readonly limits: Readonly<Record<Limited, LeakyBuckets>>;
  /** The last count of each app's pushed requests, by `lastingId`; at most 1,000. */
  readonly pushes: Map<string, PushCount>;
  /** Number of revocation requests in progress. Beyond 200, a request does not wait for the database. */
  readonly waiting: { revocations: number };
  readonly offers: WeakMap<AuthorizationServer, Offer>;
  /** Client secrets whose hash is being computed; the hasher's queues limit their number. */
  readonly verifying: Map<string, Promise<OAuthAppSecret | undefined>>;
  /**
   * The names of all apps that administrators registered, reduced so that similar-looking names are equal
   * (PR-11); reloaded after a minute.
   */
  app_names?: { readonly read_at: number; readonly skeletons: Promise<ReadonlySet<string>> } | undefined;
}

export interface Offer {
  readonly grants: ReadonlyMap<string, Grant>;
  readonly methods: readonly ClientAuthenticationMethod[];
  readonly features: ReadonlySet<Feature>;
  /** The rules of each app, computed once per app record. */
  readonly rules: WeakMap<OAuthApp, Rules>;
}

/** A grant that clients redeem at the token endpoint: an object in the list of `all_grants.ts`. */
export interface Grant {
  readonly grant_type: string;
  readonly allowed_as: AllowedGrant;
  readonly statistic: TokenKind;
  /**
   * The event to report when a code or refresh token was redeemed twice and its tokens were revoked;
   * undefined for a grant without replay detection.
   */
  readonly replay_event: "code_replay" | "refresh_replay" | undefined;
  /**
   * Returns the client to use for a request that names none (RFC 7521 4.1). Undefined if requests with this
   * grant must name a client.
   */
  readonly defaultClient?: (
    server: AuthorizationServer,
    origin: RequestOrigin,
  ) => Promise<AuthenticatedClient>;
  /** Returns the authorization for the parameters, or throws an `OAuthError`. Writes nothing. */
  validate(
    params: Params,
    client: AuthenticatedClient,
    server: AuthorizationServer,
    origin: RequestOrigin,
  ): Promise<Authorization>;
}

/** The credentials in a request. A header whose encoding is ambiguous can be read as several of these. */
export interface PresentedClient {
  readonly client_id: string;
}

export interface AuthenticationAttempt {
  /** The caller's network, for rate limits. */
  readonly source: string;
  readonly queue: HashingQueue;
  /** A request counts as one guess, even if its credentials have several readings. */
  guess?: Guess;
}

/** A client authentication method (RFC 6749 2.3): an object in the list of `all_methods.ts`. */
export interface ClientAuthenticationMethod<P extends PresentedClient = PresentedClient> {
  readonly name: string;
  readonly client_type: "confidential" | "public";
  readonly credential: { readonly in: "header" | "form"; readonly name: string };
  readonly metadata?: (demands: Demands) => Readonly<Record<string, unknown>>;
  /**
   * Returns the credentials that this method finds in the request, in the order in which to try them; none if
   * the request does not use the method. Throws an `OAuthError` if the credentials cannot be read.
   */
  present(request: EndpointRequest): readonly P[];
  /**
   * Returns the proof, or undefined if the credentials are wrong. `client` is undefined if the client is
   * unknown, inactive or may not use the method; the check must then take as long as one of wrong credentials
   * (C-4). Throws `invalid_client` with details that only a client that holds the key or secret may see.
   */
  verify(
    presented: P,
    client: ClientRecord | undefined,
    attempt: AuthenticationAttempt,
    server: AuthorizationServer,
  ): Promise<MachineProof | undefined>;
  /**
   * Returns why the credentials were wrong, without quoting them. Called after `verify` has returned
   * undefined.
   */
  whyFailed?(presented: P, client: ClientRecord, now: Date): Pieces<WhyUnproven>;
}

export interface AuthenticatedClient extends ClientRecord {
  readonly method: string;
  readonly proof: MachineProof;
}

export interface EndpointRequest {
  readonly params: Params;
  readonly authorization: string | undefined;
  /** The `DPoP` header as sent; read at the token and the pushed request endpoint. */
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
  /** The error that caused the event. It is only logged. */
  readonly cause?: unknown;
}
