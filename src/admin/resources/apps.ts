import { tables } from "../../records/definition/definition.ts";
import {
  bool,
  int,
  omissible,
  oneOf,
  optional,
  string,
  strings,
  text,
  time,
} from "../../records/definition/field.ts";
import { stateOfConsent } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import { isBuiltInClient } from "../../records/names/names.ts";
import { appKinds } from "../../records/rules/app_kinds.ts";
import { isOpenClient } from "../../records/rules/client_record.ts";
import { removal } from "../changes/ready_made.ts";
import { resource } from "../manage/resource.ts";
import { attributeFilter } from "../manage/searched_attributes.ts";
import { refusingApps } from "../manifest/members/refused_apps.ts";
import { secretsMember } from "../manifest/members/secrets.ts";
import {
  appSecretServerSet,
  createAppSecret,
  revokeAppSecret,
  updateAppSecret,
} from "../records/app_secrets.ts";
import {
  createApp,
  deleteApp,
  draftApp,
  draftAppAgain,
  missingTokenKeys,
  revokeApp,
  updateApp,
} from "../records/apps.ts";
import { endAuthCode } from "../records/auth_codes.ts";
import {
  consentServerSet,
  consentWriting,
  createConsent,
  deleteConsent,
  draftConsent,
  draftConsentAgain,
  revokeConsent,
  updateConsent,
} from "../records/consents.ts";
import { testLogout } from "../records/deliveries.ts";
import { mostSecrets, shortestSecret } from "../records/given_secrets.ts";
import { removeApps } from "../records/removals.ts";
import { endSession } from "../records/sessions.ts";
import { takeOverClient, wasRegisteredFromDocument } from "../records/take_over_client.ts";
import { revokeToken } from "../records/tokens.ts";
import { created, equal, search, searchAmong } from "./filters.ts";

const secretHash = string(
  "hash of the secret in a format of another system; only platform administrators may set it",
  {
    sensitive: true,
  },
);
const secretText = { sensitive: true, min_length: shortestSecret, max_length: 1024 } as const;
const { name, owner_id } = tables.oauth_apps.fields;
const madeSecret = text("generated secret; returned only in this response", { sensitive: true });

export const apps = resource("apps", {
  filters: [
    ...equal(
      "oauth_apps",
      "client_id",
      "owner_id",
      "organization_id",
      "app_type",
      "active",
      "public",
      "first_party",
      "provenance",
    ),
    search("name or client_id"),
    attributeFilter,
    ...created,
  ],
  columns: ["client_id", "name", "app_type", "public", "first_party", "active", "id"],
  signs_out: true,
  input: {
    create: {
      kind: omissible(
        oneOf("kind of app, which determines the defaults of fields that the request omits", appKinds),
      ),
      secrets: omissible(
        strings(
          "secrets that the caller chooses. Default: one generated secret, or none if the app authenticates without a secret",
          {
            sensitive: true,
            min_length: shortestSecret,
            most: { items: mostSecrets, characters: 1024 },
            members: {
              value: omissible(string("text of the secret", secretText)),
              hash: omissible(secretHash),
              expires_at: optional(time("when the secret expires. Default: never")),
              revoked: omissible(bool("whether the secret is revoked. Default: false")),
            },
          },
        ),
      ),
    },
    register: {
      name,
      owner_id: omissible({ ...owner_id, meaning: "owner of the app. Default: the calling user" }),
    },
  },
  output: { secret: madeSecret },
  made_when_absent: { client_id: "generated", owner_id: "the calling user" },
  unlisted: ["jwks"],
  manifest: {
    known_by: ["owner_id", "organization_id", "name"],
    members: [secretsMember],
    ...refusingApps,
    draft: draftApp,
    requested: ["kind"],
    change: draftAppAgain,
    needs: missingTokenKeys,
    remove: (tx, { id }) => removeApps(tx, { id }),
    // An app that was registered by a metadata document has an https URL as its client_id, which manifests do
    // not accept (PR-16).
    isExported: (app) =>
      !isOpenClient(app) && !wasRegisteredFromDocument(app) && !isBuiltInClient(app.client_id),
  },
  async create(context, input) {
    const { app, secret } = await createApp(context, input);
    return { row: app, ...(secret === undefined ? {} : { once: { secret } }) };
  },
  update: updateApp,
  remove: deleteApp,
  revoke: revokeApp,
  verbs: { register: takeOverClient, test_logout: testLogout },
});

export const appSecrets = resource("app_secrets", {
  filters: [...equal("oauth_app_secrets", "app_id", "revoked"), searchAmong("oauth_app_secrets"), ...created],
  columns: ["id", "app_id", "secret_prefix", "expires_at", "last_used_at", "revoked"],
  input: {
    create: {
      value: omissible(string("secret that the caller chooses. Default: a generated one", secretText)),
      hash: omissible(secretHash),
      expire_others_in: omissible(
        int("seconds until the app's other secrets expire. Default: they remain valid", {
          unit: "seconds",
          min: 0,
          max: 31_536_000,
        }),
      ),
    },
  },
  output: { secret: madeSecret },
  server_set: appSecretServerSet,
  fixed: ["app_id"],
  called_by: ["app_id", "secret_prefix"],
  async create(context, input) {
    const { row, secret } = await createAppSecret(context, input);
    return { row, ...(secret === undefined ? {} : { once: { secret } }) };
  },
  update: updateAppSecret,
  remove: removal("oauth_app_secrets"),
  revoke: revokeAppSecret,
});

export const tokens = resource("tokens", {
  filters: [
    ...equal("oauth_tokens", "app_id", "user_id", "service_account_id", "family_id", "session_id", "revoked"),
    searchAmong("oauth_tokens"),
    ...created,
  ],
  columns: ["id", "app_id", "user_id", "scopes", "access_expires_at", "revoked", "revoked_reason"],
  newest_first: true,
  unlisted: ["request_data"],
  revoke: revokeToken,
});

export const authCodes = resource("auth_codes", {
  filters: [
    ...equal("oauth_auth_codes", "app_id", "user_id", "used"),
    searchAmong("oauth_auth_codes"),
    ...created,
  ],
  columns: ["id", "app_id", "user_id", "scopes", "expires_at", "used"],
  newest_first: true,
  unlisted: ["request_data", "state"],
  revoke: endAuthCode,
});

export const consents = resource("consents", {
  filters: [
    ...equal("oauth_consents", "user_id", "app_id", "granted", "revoked"),
    searchAmong("oauth_consents"),
    ...created,
  ],
  columns: ["id", "user_id", "app_id", "scopes", "granted_at", "revoked"],
  server_set: consentServerSet,
  fixed: ["user_id", "app_id"],
  manifest: {
    also_given: ["granted_at"],
    draft: draftConsent,
    change: draftConsentAgain,
    // A withdrawn consent is not configuration.
    isExported: (consent) => stateOfConsent(consent) === "active",
    ...consentWriting,
    locks: ({ before }) => (before === undefined ? [] : [userLock(before.user_id)]),
  },
  create: async (context, input) => ({ row: await createConsent(context, input) }),
  update: updateConsent,
  remove: deleteConsent,
  revoke: revokeConsent,
});

export const sessions = resource("sessions", {
  filters: [...equal("sessions", "user_id"), searchAmong("sessions"), ...created],
  columns: ["id", "user_id", "authenticated_at", "last_seen_at", "ended_at", "client_ip"],
  newest_first: true,
  revoke: endSession,
});
