/** What the console shows and asks of an app. */

import type { PublicView } from "../../records/definition/view.ts";
import { formerMembersOf } from "../../records/formats/metadata.ts";
import { stateOfApp } from "../../records/names/liveness.ts";
import { grantNames, isAddressClientId, offeredGrantWords } from "../../records/names/names.ts";
import { hasSecret } from "../../records/rules/client_record.ts";
import { appKindChoice, appKindHelp } from "./app_kind_choice.http.ts";
import type { Presentation } from "./presentation.http.ts";
import { by, switchOff } from "./presentation_parts.http.ts";

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
        "post_logout_redirect_uris",
        "public",
        "first_party",
        "allowed_grants",
        "allowed_scopes",
        "default_scopes",
        "metadata.scope_descriptions",
        "resources",
        "require_acr",
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
      ],
    },
    {
      legend: "id_tokens",
      folded: true,
      names: ["claims_in_id_token", "id_token_signed_response_alg"],
    },
    {
      legend: "advanced",
      folded: true,
      names: ["allowed_response_types", "metadata", "id", "provenance", "created_at", "updated_at"],
    },
  ],
  help_of_new: { owner_id: "new_owner_id" },
  help_where: appKindHelp,
  unasked: ["revoked_at", "secrets"],
  // Of open clients.
  seldom: ["registration", "last_used_at", "client_ip"],
  offered: { allowed_grants: ({ extra_grants }) => offeredGrantWords(extra_grants) },
  spelled: { allowed_grants: grantNames },
  chosen: appKindChoice,
  // A public app stores no secret: those it has are gone at once.
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
    {
      label: "registerClient",
      writes: "apps",
      href: (id) => `/console/open-clients/${id}/register`,
      when: (view) => view.provenance === "metadata_document",
    },
    {
      label: "rotateSecret",
      writes: "app_secrets",
      // The old ones live a day beside the new one.
      href: (id) => `/console/app-secrets/new?app_id=${id}&expire_others_in=86400`,
      when: (view) => hasSecret(view) && view.revoked_at === null,
      vouched: true,
    },
  ],
};
