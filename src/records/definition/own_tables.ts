/** Postern's own tables, in addition to the specification's twelve. */
import type { Evidence } from "../../errors.ts";
import {
  attributeRecords,
  attributeTypes,
  longestAttributeName,
  longestClaimName,
} from "../names/attributes.ts";
import { resourceClients, signingAlgorithms } from "../names/names.ts";
import { longestIdentifier } from "../names/resource_identifiers.ts";
import type { SignInMethod } from "../names/sign_in_methods.ts";
import { eventTables } from "./event_tables.ts";
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
import { givenRoles, roleTables } from "./role_tables.ts";
import { serverTables } from "./server_tables.ts";
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
import { webhookTables } from "./webhook_tables.ts";

export const ownTables = {
  sessions: table("a user's login in a browser", {
    id: id(),
    id_signature: signature("hash of the session cookie", { unique: true, sensitive: true }),
    user_id: reference("users", "the signed-in user", "cascade"),
    authenticated_at: time("when the user last authenticated"),
    acr: string("authentication level (acr)"),
    methods: optional(
      objects<SignInMethod>("methods that the user authenticated with; null means only a password", kept),
    ),
    satisfied_request: optional(
      signature("hash of the latest request whose required fresh sign-in took place in this session", {
        internal: true,
      }),
    ),
    last_seen_at: time("time of the last use"),
    expires_at: time("absolute expiry"),
    idle_ends_at: optional(time("expiry of an unused session; null means 12 hours after last_seen_at")),
    remembered: defaulting(bool("whether the user chose to stay signed in when the browser closes"), false),
    upstream_session: optional(
      signature("hash of the newest provider session among the methods", { internal: true }),
    ),
    ended_at: optional(time("when the session ended")),
    client_ip,
    user_agent,
    created_at,
  }).with({
    owner: { user: { column: "user_id" }, added_to: ["platform"] },
    indexes: { ordered: ["user_id"] },
    counted_as: "sessions",
  }),

  resources: table("APIs that tokens are issued for (RFC 8707)", {
    id: id(),
    identifier: string("absolute URI of the API, which is the audience of its tokens", {
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
      reference("organizations", "owning organization; null if the API belongs to the server", "cascade"),
    ),
    scopes: defaulting(
      object(
        "the API's scopes by name; each scope has a description: a string, an object that maps languages to strings, or null",
        {
          format: "resource_scopes",
        },
      ),
      {},
    ),
    default_scopes: defaulting(
      strings(
        "scopes granted to an open client that requests none; with client_credentials, an app of another owner gets only these, unless its `resources` contain the API",
        {
          format: "resource_default_scope",
          distinct: true,
        },
      ),
      [],
    ),
    who_may_ask: defaulting(
      oneOf("which clients may request tokens for the API", resourceClients),
      "registered",
    ),
    app_ids: defaulting(
      strings("apps that implement the API and may introspect its tokens", {
        ids_of: "oauth_apps",
        distinct: true,
        most: { items: 100, characters: 255 },
      }),
      [],
    ),
    access_token_signing_alg: optional(
      oneOf("signing algorithm of access tokens for the API; null means RS256", signingAlgorithms),
    ),
    dpop_bound_access_tokens_required: defaulting(
      bool("whether access tokens for the API must be bound to a key of the client (RFC 9449)"),
      false,
    ),
    trailing_slash_alias: defaulting(
      bool("whether the identifier also matches if a trailing slash is added or removed"),
      false,
    ),
    role_bound: defaulting(
      bool(
        "whether tokens are limited to the scopes of the API that are granted by the user's app roles in the token's organization; a token without an organization then contains none of them",
      ),
      false,
    ),
    sign_in_claims: defaulting(
      bool(
        "whether access tokens for the API and their introspection contain how and when the user signed in",
      ),
      false,
    ),
    claims: optional(
      object(
        "which tokens and responses may contain each claim about the membership; null means that the API does not restrict them",
        {
          format: "claim_surfaces",
        },
      ),
    ),
    active: defaulting(bool("whether tokens are issued for the API"), true),
    created_at,
    updated_at,
    identifier_key: optional(
      string("normalized identifier; null if another API has the same one", {
        internal: true,
        unique: true,
      }),
    ),
  }).with({
    owner: { organization: "organization_id", added_to: ["organization_id", "platform"] },
    indexes: { few: ["identifier", "identifier_key"], ordered: ["organization_id"] },
    counted_as: null,
  }),

  ...roleTables,
  attribute_definitions: table("attributes that records have, and their claims (docs/attributes.md)", {
    id: id(),
    name: string("name of the attribute, unique for its kind of record", {
      format: "attribute_name",
      immutable: true,
      not_empty: true,
      max_length: longestAttributeName,
    }),
    record_type: oneOf("the kind of record that has the attribute", attributeRecords, { immutable: true }),
    organization_id: optional(
      reference(
        "organizations",
        "owning organization; null if the attribute belongs to the server",
        "cascade",
        {
          immutable: true,
        },
      ),
    ),
    value_type: defaulting(oneOf("type of the values", attributeTypes, { immutable: true }), "string"),
    label: optional(string("name shown on pages", { plain: "line", max_length: 100 })),
    writers: defaulting(
      strings(
        "who may write values: `user` (the user of the record), `admin` (others who may change the record) or both, or only `provider` (sign-ins through a provider); if empty, only platform administrators may",
        {
          format: "attribute_writer",
          distinct: true,
        },
      ),
      ["admin"],
    ),
    readers: defaulting(
      strings(
        "who may read values: `user` (the user of the record), `admin` (others who may read the record) or both; platform administrators always may",
        {
          format: "attribute_reader",
          distinct: true,
        },
      ),
      ["user", "admin"],
    ),
    searchable: defaulting(bool("whether lists can be filtered by the attribute"), false),
    pattern: optional(
      string(
        "regular expression without groups and alternatives that the whole text, or each entry of a list, must match",
        {
          format: "attribute_pattern",
          max_length: 200,
        },
      ),
    ),
    max: optional(
      int("maximum number of characters of a text or of entries of a list, or maximum value of a number", {
        min: 0,
        max: 2_147_483_647,
      }),
    ),
    claim: optional(
      string("claim that contains the value; null means that no token contains it", {
        format: "claim_name",
        max_length: longestClaimName,
      }),
    ),
    scopes: defaulting(
      strings("scopes that release the claim; one of them is enough", {
        format: "scope",
        distinct: true,
        most: { items: 20, characters: 255 },
      }),
      [],
    ),
    created_at,
    updated_at,
    name_key: optional(string("owner, kind of record and name", { internal: true, unique: true })),
    claim_key: optional(string("owner and claim", { internal: true, unique: true })),
  }).with({
    owner: { organization: "organization_id", added_to: ["organization_id", "platform"] },
    indexes: { ordered: ["organization_id"] },
    counted_as: null,
  }),

  signing_keys: table("the keys that sign tokens (spec 4.6)", {
    id: id(),
    kid: string("RFC 7638 thumbprint", { unique: true, immutable: true, auto_create: true }),
    public_jwk: object("public key as a JWK"),
    algorithm: defaulting(oneOf("signing algorithm", signingAlgorithms, { immutable: true }), "RS256"),
    private_key_sealed: text("private key, encrypted", { sensitive: true, sealed_for: "signing_key" }),
    activates_at: time("when the key starts to sign"),
    retires_at: optional(time("when the key stops signing")),
    expires_at: optional(time("when the key is removed from the key set")),
    created_at,
  }).with({ ...ofServer, indexes: { few: ["kid"] } }),

  audit_events: table("events, appended and never changed", {
    id: id(),
    type: string("type of the event"),
    outcome: oneOf("outcome of the event", ["success", "failure"] as const),
    actor_kind: oneOf("kind of the actor", [
      "user",
      "client",
      "service_account",
      "api_key",
      "system",
      "anonymous",
    ] as const),
    actor_id: optional(string("identifier of the actor")),
    organization_id: optional(uuid("the affected organization, which may have been deleted since")),
    target_table: optional(string("table of the affected record")),
    target_id: optional(string("ID of the affected record")),
    client_ip,
    user_agent,
    request_id: optional(string("ID of the request that caused the event")),
    details: optional(object("further details, never a secret")),
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

  refusals: table("refused requests and the reasons, kept for some days", {
    id: id(),
    short_id: string("reference that the user or client sees: 10 characters in Crockford's base32", {
      unique: true,
      immutable: true,
      auto_create: true,
      max_length: 10,
    }),
    endpoint: string("path of the request"),
    error: string("error code of the response"),
    description: text("error description sent to the client or shown to the user", { format: "prose" }),
    app_id: optional(
      reference(
        "oauth_apps",
        "the app that sent the request; null if the server did not recognize the app",
        "cascade",
      ),
    ),
    user_id: optional(reference("users", "the signed-in user, if any", "cascade")),
    evidence: defaulting(objects<Evidence>("received and expected values, never a secret"), []),
    request_id: optional(string("ID of the refused request")),
    client_ip,
    user_agent,
    created_at,
    expires_at: time("when the refusal is deleted"),
  }).with({
    owner: { through: ["app_id"], added_to: ["platform"] },
    indexes: { few: ["short_id"], ordered: ["app_id"], wide: ["error"] },
    counted_as: null,
  }),

  invitations: table(
    "pending invitations to organizations (docs/decisions/registration-and-invitations.md)",
    {
      id: id(),
      organization_id: reference("organizations", "the organization to join", "cascade"),
      email: string("email address of the invited person", { not_empty: true, max_length: 320 }),
      role: string("role that the person will have", { not_empty: true, max_length: 64 }),
      invited_by: reference("users", "the inviting user", "cascade"),
      token_signature: signature("hash of the token in the link", { unique: true, sensitive: true }),
      expires_at: time("when the link stops working"),
      created_at,
      email_key: string("case-insensitive key of the email address", { internal: true }),
      mailed: defaulting(
        bool("whether the link was only emailed to the invited person and never shown to the inviting user", {
          internal: true,
        }),
        false,
      ),
      ...givenRoles,
    },
  ).with({
    unique: [["organization_id", "email_key"]],
    owner: { organization: "organization_id", added_to: ["platform"] },
    indexes: {},
    counted_as: null,
  }),

  ...serverTables,

  ...eventTables,

  ...webhookTables,

  manifest_records: table("records that `postern apply` or an import created", {
    id: id(),
    table_name: string("kind of the record", { internal: true }),
    record_id: uuid("the record", { internal: true }),
    created_at,
    source: optional(string("the source of the import that created it", { internal: true, max_length: 64 })),
    name: optional(string("its name in the manifest or in the file of the import", { internal: true })),
  }).with({
    ...ofServer,
    unique: [
      ["table_name", "record_id"],
      ["table_name", "source", "name"],
    ],
  }),
} as const satisfies Record<string, TableDefinition>;
