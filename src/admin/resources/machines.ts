import { apiKeyText } from "../../crypto/api_keys.ts";
import { changeEventTypes, eventTypes } from "../../records/definition/event_types.ts";
import { defaulting, int, object, omissible, oneOf, text } from "../../records/definition/field.ts";
import { removal } from "../changes/ready_made.ts";
import { resource } from "../manage/resource.ts";
import { apiKeyTextMember } from "../manifest/members/api_key_text.ts";
import { columnsOf } from "../manifest/members/entry.ts";
import { keyPairsMember } from "../manifest/members/key_pairs.ts";
import {
  apiKeyServerSet,
  createApiKey,
  draftApiKey,
  draftApiKeyChange,
  revokeApiKey,
  updateApiKey,
  withOwner,
} from "../records/api_keys.ts";
import { createKeyPair, deleteKeyPair, revokeKeyPair, updateKeyPair } from "../records/key_pairs.ts";
import {
  createServiceAccount,
  draftServiceAccount,
  draftServiceAccountChange,
  updateServiceAccount,
} from "../records/service_accounts.ts";
import { createSigningKey, dropSigningKey } from "../records/signing_keys.ts";
import { created, email, equal, search, searchAmong, typeFilter } from "./filters.ts";

export const apiKeys = resource("api_keys", {
  filters: [...equal("api_keys", "user_id", "organization_id", "revoked"), search("name"), ...created],
  columns: ["id", "name", "key_prefix", "expires_at", "last_used_at", "revoked"],
  output: { key: text("API key; returned only in this response", { sensitive: true }) },
  server_set: apiKeyServerSet,
  fixed: ["user_id", "organization_id"],
  made_when_absent: {
    user_id: "the calling user, unless `organization_id` is present",
    organization_id: "the organization of the calling API key",
  },
  complete: withOwner,
  called_by: ["name"],
  manifest: {
    known_by: ["user_id", "organization_id", "name"],
    members: [apiKeyTextMember],
    // `apiKeyTextMember` replaces this text when the record is written.
    draft: (context, input) => draftApiKey(context, input, apiKeyText(context.now())),
    change: (_, current, input) => draftApiKeyChange(current, input),
  },
  async create(context, input) {
    const { row, key } = await createApiKey(context, input);
    return { row, once: { key } };
  },
  update: updateApiKey,
  remove: removal("api_keys"),
  revoke: revokeApiKey,
});

const jwk = (meaning: string) =>
  omissible(object(meaning, { members: { kty: oneOf("type of the key", ["RSA", "EC"]) } }));

const instead = "public key as a JWK (RFC 7517), in place of `public_key_pem`";

export const keyPairs = resource("key_pairs", {
  filters: [
    ...equal("service_account_key_pairs", "service_account_id", "key_id", "algorithm", "active", "revoked"),
    searchAmong("service_account_key_pairs"),
    ...created,
  ],
  columns: ["id", "service_account_id", "key_id", "algorithm", "expires_at", "active", "revoked"],
  input: {
    create: {
      jwk: jwk(
        `${instead}. Without either, the server generates a key, by default for RS256 or, with \`key_type\` ec, for ES256`,
      ),
    },
    update: { jwk: jwk(instead) },
  },
  output: {
    private_key_pem: text(
      "private key in PKCS #8, if the request had no public key. The server does not store it",
      { sensitive: true },
    ),
  },
  server_set: ["last_used_at"],
  fixed: ["service_account_id"],
  made_when_absent: {
    key_id: "`kid` of `jwk`, otherwise the RFC 7638 thumbprint",
    key_type: "the type of the public key",
    algorithm: "`alg` of `jwk`, otherwise one that fits the key",
    public_key_pem: "the key in `jwk`",
  },
  async create(context, input) {
    const { row, private_key_pem } = await createKeyPair(context, input);
    return { row, ...(private_key_pem === undefined ? {} : { once: { private_key_pem } }) };
  },
  update: updateKeyPair,
  remove: deleteKeyPair,
  revoke: revokeKeyPair,
});

export const serviceAccounts = resource("service_accounts", {
  filters: [
    email,
    ...equal("service_accounts", "organization_id", "created_by", "active"),
    search("name or email address"),
    ...created,
  ],
  columns: ["email", "name", "active", "last_used_at", "id"],
  server_set: ["last_used_at"],
  made_when_absent: { created_by: "the calling user" },
  manifest: {
    members: [keyPairsMember(columnsOf(keyPairs))],
    draft: draftServiceAccount,
    change: (_, current, input) => draftServiceAccountChange(current, input),
  },
  create: async (context, input) => ({ row: await createServiceAccount(context, input) }),
  update: updateServiceAccount,
  remove: removal("service_accounts"),
});

export const signingKeys = resource("signing_keys", {
  filters: [...equal("signing_keys", "kid"), searchAmong("signing_keys"), ...created],
  // `postern keys` prints its own list, with the state of each key.
  columns: undefined,
  input: {
    create: {
      activates_in: defaulting(
        int(
          "seconds between the publication of the key and its first use; the first key of an algorithm is used at once",
          {
            unit: "seconds",
            min: 5,
            max: 604_800,
          },
        ),
        600,
      ),
    },
  },
  server_set: ["id", "public_jwk", "activates_at", "retires_at", "expires_at"],
  create: async (context, input) => ({ row: await createSigningKey(context, input) }),
  remove: dropSigningKey,
});

export const auditEvents = resource("audit_events", {
  filters: [
    typeFilter(eventTypes),
    ...equal(
      "audit_events",
      "outcome",
      "actor_kind",
      "actor_id",
      "target_table",
      "target_id",
      "organization_id",
      "request_id",
    ),
    {
      name: "group",
      kind: "word",
      meaning: "types of events: with `changes`, all changes of records and of sign-in methods",
      values: ["changes"],
      to: "type",
      means: { changes: changeEventTypes },
    },
    searchAmong("audit_events"),
    ...created,
  ],
  columns: ["created_at", "type", "outcome", "actor_kind", "actor_id", "target_table", "target_id"],
  newest_first: true,
});

export const refusals = resource("refusals", {
  filters: [...equal("refusals", "short_id", "app_id", "error"), searchAmong("refusals"), ...created],
  columns: ["short_id", "created_at", "endpoint", "error", "app_id", "user_id", "description"],
  newest_first: true,
});
