/** The tables that are ours, beside the specification's twelve. */
import type { Evidence } from "../../errors.ts";
import { resourceClients, signingAlgorithms } from "../names/names.ts";
import { longestIdentifier } from "../names/resource_identifiers.ts";
import type { SignInMethod } from "../names/sign_in_methods.ts";
import { statisticKinds } from "../names/statistics.ts";
import {
  bool,
  defaulting,
  id,
  int,
  object,
  objects,
  oneOf,
  optional,
  reference,
  signature,
  string,
  strings,
  text,
  time,
  uuid,
} from "./field.ts";
import {
  client_ip,
  created_at,
  kept,
  ofServer,
  type TableDefinition,
  table,
  updated_at,
  user_agent,
} from "./table.ts";

export const ownTables = {
  sessions: table("a person's login in a browser", {
    id: id(),
    id_signature: signature("hash of the session cookie", { unique: true, sensitive: true }),
    user_id: reference("users", "who signed in", "cascade"),
    authenticated_at: time("when the person last proved who they are"),
    acr: string("how they proved it"),
    methods: optional(
      objects<SignInMethod>("what they proved it with; one password at that moment when null", kept),
    ),
    satisfied_request: optional(
      signature("the request that asked for a fresh sign-in and got it", { internal: true }),
    ),
    last_seen_at: time("last use"),
    expires_at: time("absolute end"),
    ended_at: optional(time("when it was ended")),
    client_ip,
    user_agent,
    created_at,
  }).with({
    owner: { user: { column: "user_id" }, added_to: ["platform"] },
    indexes: { ordered: ["user_id"] },
    counted_as: "sessions",
  }),

  resources: table("the APIs that tokens are for (RFC 8707)", {
    id: id(),
    identifier: string("absolute URI, the audience of its tokens", {
      format: "resource_identifier",
      unique: true,
      immutable: true,
      not_empty: true,
      max_length: longestIdentifier,
      searchable: true,
    }),
    name: string("display name", { plain: "line", not_empty: true, max_length: 255, searchable: true }),
    description: optional(string("description", { plain: "lines", max_length: 1000 })),
    organization_id: optional(
      reference("organizations", "owning organization; the server's own when null", "cascade"),
    ),
    scopes: defaulting(
      object("its scopes, each with a description as text or by language, or null", {
        format: "resource_scopes",
      }),
      {},
    ),
    default_scopes: defaulting(
      strings("what a client is granted that asks for no scope", {
        format: "resource_default_scope",
        distinct: true,
      }),
      [],
    ),
    who_may_ask: defaulting(oneOf("which clients may ask for its tokens", resourceClients), "registered"),
    app_ids: defaulting(
      strings("the apps that are this API: they introspect its tokens", {
        ids_of: "oauth_apps",
        distinct: true,
        most: { items: 100, characters: 255 },
      }),
      [],
    ),
    access_token_signing_alg: optional(
      oneOf("what its access tokens are signed by; RS256 when null", signingAlgorithms),
    ),
    dpop_bound_access_tokens_required: defaulting(
      bool("its tokens are bound to a key of the client (RFC 9449)"),
      false,
    ),
    trailing_slash_alias: defaulting(
      bool("its path with and without a slash at the end are the same"),
      false,
    ),
    active: defaulting(bool("tokens are issued for it"), true),
    created_at,
    updated_at,
    identifier_key: optional(
      string("the normal form of the identifier; null where another API has the same", {
        internal: true,
        unique: true,
      }),
    ),
  }).with({
    owner: { organization: "organization_id", added_to: ["organization_id", "platform"] },
    indexes: { few: ["identifier", "identifier_key"], ordered: ["organization_id"] },
    counted_as: null,
  }),

  signing_keys: table("the keys that sign tokens (spec 4.6)", {
    id: id(),
    kid: string("RFC 7638 thumbprint", { unique: true, immutable: true, auto_create: true }),
    public_jwk: object("public half"),
    algorithm: defaulting(oneOf("algorithm it signs by", signingAlgorithms, { immutable: true }), "RS256"),
    private_key_sealed: text("private half, sealed", { sensitive: true, sealed_for: "signing_key" }),
    activates_at: time("signs from then on"),
    retires_at: optional(time("signs no more from then on")),
    expires_at: optional(time("leaves the key set then")),
    created_at,
  }).with({ ...ofServer, indexes: { few: ["kid"] } }),

  audit_events: table("what happened, appended and never changed", {
    id: id(),
    type: string("what happened"),
    outcome: oneOf("how it ended", ["success", "failure"] as const),
    actor_kind: oneOf("who did it", [
      "user",
      "client",
      "service_account",
      "api_key",
      "system",
      "anonymous",
    ] as const),
    actor_id: optional(string("their identifier")),
    organization_id: optional(uuid("the organization that it concerns, which may be gone since")),
    target_table: optional(string("kind of the record it was done to")),
    target_id: optional(string("the record it was done to")),
    client_ip,
    user_agent,
    request_id: optional(string("the request it was done by")),
    details: optional(object("more, never a secret")),
    created_at,
  }).with({
    owner: {
      user: { column: "actor_id", where: { actor_kind: "user" } },
      organization: "organization_id",
      added_to: ["platform"],
    },
    indexes: {
      ordered: ["target_id", "actor_id", "organization_id"],
      probed: ["target_id", "actor_id"],
      wide: ["type"],
    },
    counted_as: null,
  }),

  refusals: table("what was refused and why, kept for some days", {
    id: id(),
    short_id: string("what the person or client was told to quote: 10 characters of Crockford's base32", {
      unique: true,
      immutable: true,
      auto_create: true,
      max_length: 10,
    }),
    endpoint: string("path of the request"),
    error: string("error code of the answer"),
    description: text("what the caller was told", { format: "prose" }),
    app_id: optional(reference("oauth_apps", "the app, where the client was known", "cascade")),
    user_id: optional(reference("users", "who was signed in", "cascade")),
    evidence: defaulting(objects<Evidence>("what was received beside what was expected, never a secret"), []),
    request_id: optional(string("the request that was refused")),
    client_ip,
    user_agent,
    created_at,
    expires_at: time("when it is forgotten"),
  }).with({
    owner: { through: ["app_id"], added_to: ["platform"] },
    indexes: { few: ["short_id"], ordered: ["app_id"], wide: ["error"] },
    counted_as: null,
  }),

  invitations: table(
    "who is asked to join which organization (docs/decisions/registration-and-invitations.md)",
    {
      id: id(),
      organization_id: reference("organizations", "the organization to join", "cascade"),
      email: string("whom it is for", { not_empty: true, max_length: 320 }),
      role: string("the role they will have", { not_empty: true, max_length: 64 }),
      invited_by: reference("users", "who invited them", "cascade"),
      token_signature: signature("hash of the token in the link", { unique: true, sensitive: true }),
      expires_at: time("when the link stops working"),
      created_at,
      email_key: string("the e-mail without regard to case", { internal: true }),
      mailed: defaulting(bool("its link went to the address alone", { internal: true }), false),
    },
  ).with({
    unique: [["organization_id", "email_key"]],
    owner: { organization: "organization_id", added_to: ["platform"] },
    indexes: {},
    counted_as: null,
  }),

  statistics: table("how often things happened, by the hour", {
    id: id(),
    kind: oneOf("what is counted", statisticKinds),
    subject: uuid("the app or organization; the nil UUID for the whole server"),
    hour: time("when the hour began"),
    count: int("how often", { min: 1 }),
  }).with({ ...ofServer, unique: [["subject", "kind", "hour"]] }),

  ephemera: table("what lives for minutes: one-time marks, replayable answers, throttle counters", {
    id: id(),
    kind: string("which of them"),
    key: signature("hash of what it is found by", { sensitive: true }),
    value: optional(text("sealed content", { sensitive: true })),
    count: defaulting(int("how often"), 0),
    expires_at: time("when it may be swept"),
    created_at,
  }).with({ ...ofServer, unique: [["kind", "key"]] }),

  client_documents: table("when the document of a client was fetched", {
    id: id(),
    app_id: reference("oauth_apps", "the client", "cascade", { unique: true }),
    fetched_at: time("when it last came"),
    expires_at: time("until when it is believed"),
    created_at,
  }).with({ ...ofServer, indexes: { few: ["app_id"] } }),

  manifest_records: table("what an earlier `postern apply` made, and a later one may therefore prune", {
    id: id(),
    table_name: string("kind of the record", { internal: true }),
    record_id: uuid("the record", { internal: true }),
    created_at,
  }).with({ ...ofServer, unique: [["table_name", "record_id"]] }),
} as const satisfies Record<string, TableDefinition>;
