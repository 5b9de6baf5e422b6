import type { PublicView } from "../../records/definition/view.ts";
import { formerMembersOf } from "../../records/formats/metadata.ts";
import { stateOfApp } from "../../records/names/liveness.ts";
import { grantNames, isAddressClientId, offeredGrantWords } from "../../records/names/names.ts";
import { isFeatureOn } from "../../records/names/profiles.ts";
import { isAppKind, kindDefaults, signsPeopleIn } from "../../records/rules/app_kinds.ts";
import { hasSecret } from "../../records/rules/client_record.ts";
import type { FieldHelp } from "../../web/words/en/field_help.ts";
import { tokenPreviewPath } from "../frame/console_frame.view.ts";
import type { Presentation } from "./presentation.http.ts";
import { by, switchOff } from "./presentation_parts.http.ts";

const aboutPeople = [
  "redirect_uris",
  "post_logout_redirect_uris",
  "public",
  "first_party",
  "refresh_token_ttl",
  "refresh_token_rotation",
  "dpop_bound_refresh_tokens",
  "claims_in_id_token",
  "session_expiry_in_id_token",
  "id_token_signed_response_alg",
  "allowed_response_types",
  "require_pushed_authorization_requests",
  "require_pkce",
  "require_acr",
  "backchannel_logout_uri",
  "backchannel_logout_session_required",
  "backchannel_logout_internal",
  "who_may_sign_in",
  "sign_in_roles",
  "sign_in_groups",
] as const;

const appKindChoice: NonNullable<Presentation["chosen"]> = {
  field: "kind",
  unfit(kind) {
    if (!isAppKind(kind)) return [];
    const isNative = kindDefaults[kind].app_type === "native";
    return [
      // The kind determines `app_type`.
      "app_type",
      // RFC 10070 permits only the issuer as the audience, so the form offers new apps no other.
      "client_assertion_audience",
      ...(isNative ? [] : ["localhost_any_port"]),
      ...(signsPeopleIn(kind) ? ["default_scopes"] : aboutPeople),
    ];
  },
  initial(kind) {
    if (!isAppKind(kind)) return {};
    const { metadata, ...columns } = kindDefaults[kind];
    const members = Object.entries(metadata ?? {}).map(([name, value]) => [`metadata.${name}`, value]);
    return { ...columns, ...Object.fromEntries(members) };
  },
  first: (kind) => ["name", isAppKind(kind) && !signsPeopleIn(kind) ? "allowed_scopes" : "redirect_uris"],
  help(kind, { newApp }, switches) {
    if (!isAppKind(kind)) return undefined;
    const bindsTokens = kind === "browser" && isFeatureOn("dpop", switches);
    return bindsTokens ? `${newApp.help[kind]} ${newApp.bindTokens}` : newApp.help[kind];
  },
};

/** Returns the keys of help texts that depend on the app's type or, for a new app, on its kind. */
export function appKindHelp(
  { app_type }: PublicView,
  kind: string | undefined,
): Readonly<Record<string, keyof FieldHelp>> {
  return {
    ...(app_type === "native" && {
      redirect_uris: kind === "command_line" ? "command_line_redirect_uris" : "native_redirect_uris",
    }),
    ...(isAppKind(kind) && !signsPeopleIn(kind) && { allowed_scopes: "own_scopes" }),
  };
}

export const appPresentation: Presentation = {
  columns: ["client_id", "app_type", "organization_id", "created_at"],
  rare_columns: { provenance: "registered" },
  named_by: ["name"],
  typed: "client_id",
  state: by(stateOfApp),
  related: [
    { resourceType: "app_secrets", by: "app_id", near_top: true, vouched: true },
    { resourceType: "consents", by: "app_id" },
    { resourceType: "tokens", by: "app_id" },
    { resourceType: "auth_codes", by: "app_id" },
    { resourceType: "refusals", by: "app_id" },
    { resourceType: "deliveries", by: "target_id" },
  ],
  groups: [
    {
      legend: "about",
      names: [
        "name",
        "description",
        "logo_url",
        "metadata.client_uri",
        "metadata.policy_uri",
        "metadata.tos_uri",
        "app_type",
        "client_id",
        "owner_id",
        "organization_id",
        "active",
      ],
    },
    {
      legend: "sign_in",
      names: [
        "redirect_uris",
        "localhost_any_port",
        "public",
        "first_party",
        "allowed_grants",
        "allowed_scopes",
        "default_scopes",
        "metadata.scope_descriptions",
        "resources",
        "require_acr",
        "who_may_sign_in",
        "sign_in_roles",
        "sign_in_groups",
      ],
    },
    { legend: "organizations", names: ["organization_mode", "claims", "claims_dialect"] },
    {
      legend: "sign_out",
      names: [
        "post_logout_redirect_uris",
        "backchannel_logout_uri",
        "backchannel_logout_session_required",
        "backchannel_logout_internal",
      ],
    },
    {
      legend: "tokens",
      names: [
        "access_token_ttl",
        "refresh_token_ttl",
        "refresh_token_rotation",
        "metadata.refresh_reuse_window",
        "dpop_bound_access_tokens",
        "dpop_bound_refresh_tokens",
      ],
    },
    {
      legend: "client_authentication",
      folded: true,
      names: [
        "profile",
        "token_endpoint_auth_method",
        "token_endpoint_auth_signing_alg",
        "jwks",
        "jwks_uri",
        "client_assertion_audience",
        "require_pushed_authorization_requests",
        "require_pkce",
      ],
    },
    {
      legend: "id_tokens",
      folded: true,
      names: [
        "claims_in_id_token",
        "email_as_username",
        "session_expiry_in_id_token",
        "id_token_signed_response_alg",
      ],
    },
    {
      legend: "advanced",
      folded: true,
      names: ["allowed_response_types", "metadata", "id", "provenance", "created_at", "updated_at"],
    },
  ],
  help_of_new: { owner_id: "new_owner_id", who_may_sign_in: "new_who_may_sign_in" },
  left_open: ["who_may_sign_in"],
  help_where: appKindHelp,
  unasked: ["revoked_at", "secrets"],
  // Apps whose `provenance` is `registered` have no values in these fields.
  seldom: ["registration", "last_used_at", "client_ip"],
  offered: { allowed_grants: ({ extra_grants }) => offeredGrantWords(extra_grants) },
  spelled: { allowed_grants: grantNames },
  chosen: appKindChoice,
  // Making an app public deletes its secrets.
  destructive: [
    switchOff("tokens", "people"),
    { field: "public", while: false, verb: "change", label: "makePublic", ends: ["secrets"], vouched: true },
  ],
  notices: (view, { records: { formerMember, fromDocument, cameByItself } }) => [
    ...(view.provenance === "registered" ? [] : [cameByItself]),
    ...(view.provenance === "registered" && isAddressClientId(String(view.client_id)) ? [fromDocument] : []),
    ...formerMembersOf(view as PublicView<"oauth_apps">).map(({ name, follows }) =>
      formerMember[follows ? "follows" : "apart"](name),
    ),
  ],
  actions: [
    { label: "previewTokens", href: (id) => `${tokenPreviewPath}?app=${id}` },
    {
      label: "registerClient",
      writes: "apps",
      href: (id) => `/console/open-clients/${id}/register`,
      when: (view) => view.provenance === "metadata_document",
    },
    {
      label: "rotateSecret",
      writes: "app_secrets",
      // After the new secret is created, the old ones stay valid for a day.
      href: (id) => `/console/app-secrets/new?app_id=${id}&expire_others_in=86400`,
      when: (view) => hasSecret(view) && view.revoked_at === null,
      vouched: true,
    },
  ],
};
