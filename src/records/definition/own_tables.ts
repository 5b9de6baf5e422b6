/** Postern's own tables, in addition to the specification's twelve. */
import type { Evidence } from "../../errors.ts";
import {
  attributeRecords,
  attributeTypes,
  longestAttributeName,
  longestClaimName,
} from "../names/attributes.ts";
import { longestOwnClientId, resourceClients, signingAlgorithms } from "../names/names.ts";
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
import { created_at, kept, ofServer, requestOf, type TableDefinition, table, updated_at } from "./table.ts";
import { webhookTables } from "./webhook_tables.ts";

export const ownTables = {
  sessions: table("a user's login in a browser", {
    id: id(),
    id_signature: signature("hash of the session cookie", { unique: true, sensitive: true }),
    user_id: reference("users", "the signed-in user", "cascade"),
    authenticated_at: time("when the user last authenticated"),
    acr: string("`acr` of the sign-in"),
    methods: optional(
      objects<SignInMethod>("methods with which the user authenticated; null means only a password", kept),
    ),
    satisfied_request: optional(
      signature("hash of the latest request whose required fresh sign-in took place in this session", {
        internal: true,
      }),
    ),
    last_seen_at: time("when the session was last used"),
    expires_at: time("when the session expires, even if it is used"),
    idle_ends_at: optional(
      time("when the session expires unless it is used; null means 12 hours after `last_seen_at`"),
    ),
    remembered: defaulting(bool("whether the user stays signed in when the browser is closed"), false),
    upstream_session: optional(
      signature("hash of the newest provider session among the methods", { internal: true }),
    ),
    ended_at: optional(time("when the session was ended before its expiry; otherwise null")),
    ...requestOf("the sign-in"),
    created_at,
  }).with({
    owner: { user: { column: "user_id" }, added_to: ["platform"] },
    indexes: { ordered: ["user_id"] },
    counted_as: "sessions",
  }),

  resources: table("APIs that tokens are issued for (RFC 8707)", {
    id: id(),
    identifier: string("absolute URI of the API; the audience of its access tokens", {
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
        "scopes of the API, each with its description: a text, an object with a text per language, or null",
        {
          format: "resource_scopes",
        },
      ),
      {},
    ),
    default_scopes: defaulting(
      strings(
        "scopes that an app gets if it requests none and its `provenance` is not `registered`. With client_credentials, an app with another `organization_id` gets only these scopes of the API, unless its `resources` contain the API",
        {
          format: "resource_default_scope",
          distinct: true,
        },
      ),
      [],
    ),
    who_may_ask: defaulting(
      oneOf(
        "which apps may request tokens. `listed`: apps whose `resources` contain the API. `registered`: also all apps and service accounts of the API's organization. If the API belongs to the server, also all service accounts, and all apps whose `provenance` is `registered`. `any`: every client",
        resourceClients,
      ),
      "registered",
    ),
    app_ids: defaulting(
      strings("IDs of the apps that implement the API and may introspect its tokens", {
        named_as: { words: "IDs or client_ids", characters: longestOwnClientId },
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
      bool("whether requests may add or omit a trailing slash of the identifier"),
      false,
    ),
    role_bound: defaulting(
      bool(
        "whether a user's token contains a scope of the API only if an app role of the user grants it. Tokens for no organization then contain none of these scopes",
      ),
      false,
    ),
    sign_in_claims: defaulting(
      bool(
        "whether access tokens for the API contain `acr`, `amr` and `auth_time` even if the server offers neither passkeys nor authenticator apps",
      ),
      false,
    ),
    claims: optional(
      object(
        "for each claim, which of access_token and introspection may contain it. Claims that are not named are not restricted",
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
    name: string("name of the attribute, unique per owner and kind of record", {
      format: "attribute_name",
      immutable: true,
      not_empty: true,
      max_length: longestAttributeName,
    }),
    record_type: oneOf("kind of records that have the attribute", attributeRecords, { immutable: true }),
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
    label: optional(string("name that pages show; null means `name`", { plain: "line", max_length: 100 })),
    writers: defaulting(
      strings(
        "who may write values. `user`: the record's own user. `admin`: others who may change the record. `provider`, only alone: sign-ins through a provider. If empty, only platform administrators",
        {
          format: "attribute_writer",
          distinct: true,
        },
      ),
      ["admin"],
    ),
    readers: defaulting(
      strings(
        "who may read values: `user`, the record's own user; `admin`, others who may read the record. Platform administrators always may",
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
        "regular expression that the whole text, or each entry of a list, must match; without groups and alternatives",
        {
          format: "attribute_pattern",
          max_length: 200,
        },
      ),
    ),
    max: optional(
      int(
        "maximum value of a number, length of a text in characters, or number of entries of a list. If null, a number has no maximum, a text has up to 256 characters, and a list up to 100 entries",
        {
          min: 0,
          max: 2_147_483_647,
        },
      ),
    ),
    claim: optional(
      string("claim that contains the value; null means no claim", {
        format: "claim_name",
        max_length: longestClaimName,
      }),
    ),
    scopes: defaulting(
      strings("scopes that release the claim. A token needs at least one of them, unless the list is empty", {
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
    kid: string("key ID: the RFC 7638 thumbprint of the key", {
      unique: true,
      immutable: true,
      auto_create: true,
    }),
    public_jwk: object("public key as a JWK (RFC 7517)"),
    algorithm: defaulting(oneOf("signing algorithm", signingAlgorithms, { immutable: true }), "RS256"),
    private_key_sealed: text("private key, encrypted", { sensitive: true, sealed_for: "signing_key" }),
    activates_at: time("when the key starts to sign"),
    retires_at: optional(time("when the key stops signing; null until another key replaces it")),
    expires_at: optional(
      time("when the key is removed from the key set; null until another key replaces it"),
    ),
    created_at,
  }).with({ ...ofServer, indexes: { few: ["kid"] } }),

  audit_events: table("events, appended and never changed", {
    id: id(),
    type: string("type of the event"),
    outcome: oneOf("outcome of the event", ["success", "failure"] as const),
    actor_kind: oneOf("kind of the actor that caused the event", [
      "user",
      "client",
      "service_account",
      "api_key",
      "system",
      "anonymous",
    ] as const),
    actor_id: optional(
      string(
        "ID of a user, service account or API key, client_id of a client, or name of a process; null for anonymous actors",
      ),
    ),
    organization_id: optional(uuid("affected organization; null if none")),
    target_table: optional(string("table of the affected record, such as oauth_apps")),
    target_id: optional(string("ID of the affected record")),
    ...requestOf("the request that caused the event"),
    request_id: optional(string("ID of the request that caused the event")),
    details: optional(object("further details, without secrets")),
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
    short_id: string("short reference that the error page or response contains", {
      unique: true,
      immutable: true,
      auto_create: true,
      max_length: 10,
    }),
    endpoint: string("path of the refused request"),
    error: string("error code of the response"),
    description: text("error description that the client or user got", { format: "prose" }),
    app_id: optional(
      reference(
        "oauth_apps",
        "app that sent the request; null if the server did not recognize it",
        "cascade",
      ),
    ),
    user_id: optional(reference("users", "user who was signed in; null if none", "cascade")),
    evidence: defaulting(
      objects<Evidence>("values that the server received and expected, without secrets"),
      [],
    ),
    request_id: optional(string("ID of the refused request")),
    ...requestOf("the refused request"),
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
      organization_id: reference("organizations", "organization to join", "cascade"),
      email: string("email address of the invited person", { not_empty: true, max_length: 320 }),
      role: string("role that the member will have", { not_empty: true, max_length: 64 }),
      invited_by: reference("users", "user who sent the invitation", "cascade"),
      token_signature: signature("hash of the token in the link", { unique: true, sensitive: true }),
      expires_at: time("when the link in the invitation stops working"),
      created_at,
      email_key: string("case-insensitive key of the email address", { internal: true }),
      mailed: defaulting(
        bool("whether the link was only emailed to the invited person and never shown to the inviting user", {
          internal: true,
        }),
        false,
      ),
      ...givenRoles((roles) => `the ${roles} that the member will have`),
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
    name: optional(string("its name in the file of the import", { internal: true })),
  }).with({
    ...ofServer,
    unique: [
      ["table_name", "record_id"],
      ["table_name", "source", "name"],
    ],
  }),

  manifest_names: table("names in manifests, each with the record that it meant (H-66)", {
    id: id(),
    table_name: string("kind of the record", { internal: true }),
    name: string("the name; for users, a hash of the email address", { internal: true }),
    record_id: uuid("the record, which may have been deleted since", { internal: true }),
    created_at,
    by_entry: defaulting(
      bool("whether an entry had the name, not only a reference", { internal: true }),
      false,
    ),
  }).with({ ...ofServer, unique: [["table_name", "name"]] }),
} as const satisfies Record<string, TableDefinition>;
