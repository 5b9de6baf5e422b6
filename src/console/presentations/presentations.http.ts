import { takesSuccessor } from "../../admin/records/own_deletion.ts";
import type { ResourceType } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { signUpOf } from "../../records/formats/sign_up.ts";
import { attributeReaders, attributeWriters } from "../../records/names/attributes.ts";
import { stateOfCode, stateOfConsent, stateOfSession, stateOfToken } from "../../records/names/liveness.ts";
import { isImpersonal, roles } from "../../records/names/names.ts";
import { namesOfOrganization } from "../../records/names/resource_identifiers.ts";
import { shortIdText } from "../../web/html/short_id.ts";
import { tokenPreviewPath } from "../frame/console_frame.view.ts";
import { activityPresentations } from "./activity_presentations.http.ts";
import { appPresentation } from "./app_presentation.http.ts";
import type { Presentation } from "./presentation.http.ts";
import { apiHelp, by, onOff, referenceTo, revocable, switchOff } from "./presentation_parts.http.ts";
import { providerPresentation } from "./provider_presentation.http.ts";

export const presentations: Readonly<Record<ResourceType, Presentation>> = {
  users: {
    columns: ["email", "is_platform_admin", "last_login_at", "created_at"],
    named_by: ["name"],
    called: ({ name, email }, { records }) =>
      isImpersonal(String(email)) ? records.noPerson(String(name)) : undefined,
    typed: "email",
    state: onOff,
    related: [
      { resourceType: "memberships", by: "user_id", prefill: ["email", "email"] },
      { resourceType: "group_members", by: "user_id", prefill: ["email", "email"] },
      { resourceType: "apps", by: "owner_id" },
      { resourceType: "consents", by: "user_id" },
      { resourceType: "sessions", by: "user_id" },
      { resourceType: "linked_accounts", by: "user_id" },
      { resourceType: "api_keys", by: "user_id" },
      { resourceType: "tokens", by: "user_id" },
      { resourceType: "audit_events", by: "actor_id" },
    ],
    groups: [
      { legend: "about", names: ["name", "email", "avatar_url"] },
      {
        legend: "sign_in",
        names: ["password", "current_password", "is_platform_admin", "active", "last_login_at"],
      },
      { legend: "advanced", folded: true, names: ["id", "created_at", "updated_at"] },
    ],
    destructive: [
      switchOff("tokens", "sessions", "api_keys"),
      { field: "password", verb: "change", with: ["current_password"], ends: ["tokens", "sessions"] },
    ],
    ending_verbs: [
      { verb: "sign_out", ends: ["sessions"] },
      { verb: "revoke_everything", ends: ["sessions", "tokens", "consents", "api_keys"] },
    ],
    help_of_new: { password: "new_password" },
    removal_asks: { successor: takesSuccessor },
    proofs: { email: "current_password" },
    actions: [
      { label: "previewTokens", href: (id) => `${tokenPreviewPath}?user=${id}` },
      {
        label: "resetFactors",
        writes: "users",
        href: (id) => `/console/users/${id}/reset-factors`,
        others_only: true,
      },
    ],
  },
  organizations: {
    columns: ["slug", "plan", "created_at"],
    named_by: ["name"],
    typed: "slug",
    state: onOff,
    related: [
      { resourceType: "memberships", by: "organization_id" },
      { resourceType: "groups", by: "organization_id" },
      { resourceType: "roles", by: "organization_id" },
      { resourceType: "apps", by: "organization_id" },
      { resourceType: "providers", by: "organization_id" },
      { resourceType: "service_accounts", by: "organization_id" },
      { resourceType: "api_keys", by: "organization_id" },
      { resourceType: "audit_events", by: "organization_id" },
    ],
    groups: [
      { legend: "about", names: ["name", "slug", "logo_url", "plan", "active"] },
      {
        legend: "brand",
        names: ["settings.brand.name", "settings.brand.accent", "settings.brand.logo_url"],
      },
      { legend: "registration", names: ["settings.sign_up.policy", "settings.sign_up.domains"] },
      {
        legend: "advanced",
        folded: true,
        names: [
          "settings.session.max_age",
          "settings.session.idle",
          "settings.session.remember",
          "settings.audience",
          "settings",
          "id",
          "created_at",
          "updated_at",
        ],
      },
    ],
    help_where: (_organization, _chosen, { sign_up = "closed" }) =>
      sign_up === "closed" ? { "settings.sign_up.policy": "sign_up_closed" } : {},
    notices: (view, { fields }, { sign_up = "closed" }) => {
      const own = signUpOf(view as PublicView<"organizations">);
      const promises = own !== undefined && own.policy !== "closed";
      return promises && sign_up === "closed" ? [fields.help.sign_up_closed] : [];
    },
    destructive: [switchOff("tokens", "people", "apps", "api_keys", "service_accounts")],
    actions: [
      {
        label: "inviteMember",
        writes: "memberships",
        href: (id) => `/console/organizations/${id}/invite`,
        when: ({ active }) => active === true,
      },
    ],
  },
  memberships: {
    columns: ["role", "role_ids", "permissions", "created_at"],
    named_by: ["user_id", "organization_id"],
    typed: "user_id",
    related: [],
    granted: { field: "permissions", prefix: "", folded: true },
    groups: [
      {
        legend: "access",
        names: ["user_id", "email", "organization_id", "role", "role_ids", "app_role_ids", "permissions"],
      },
      { legend: "advanced", folded: true, names: ["id", "created_at", "updated_at"] },
    ],
    usual: { role: roles },
    // The form asks for an email address instead, because the user may not have an account yet.
    unasked: ["user_id"],
    asked_by: { user_id: "email" },
    prefilled: ["email"],
    invites: true,
  },
  roles: {
    columns: ["permissions", "organization_id", "created_at"],
    named_by: ["name"],
    typed: "name",
    related: [],
    groups: [
      { legend: "about", names: ["name", "organization_id", "description", "descriptions"] },
      { legend: "access", names: ["permissions"] },
      { legend: "advanced", folded: true, names: ["id", "created_at", "updated_at"] },
    ],
    help: { permissions: "role_permissions" },
    platform_help: { organization_id: "role_organization_id" },
  },
  groups: {
    columns: ["organization_id", "external_id", "created_at"],
    named_by: ["display_name"],
    typed: "display_name",
    related: [{ resourceType: "group_members", by: "group_id", near_top: true }],
    groups: [
      { legend: "about", names: ["display_name", "organization_id", "external_id"] },
      { legend: "access", names: ["role_ids", "app_role_ids"] },
      { legend: "advanced", folded: true, names: ["id", "created_at", "updated_at"] },
    ],
  },
  group_members: {
    columns: ["group_id", "created_at"],
    named_by: ["user_id", "group_id"],
    typed: "user_id",
    related: [],
    order: ["group_id", "email"],
    unasked: ["user_id", "membership_id"],
    asked_by: { user_id: "email" },
    prefilled: ["group_id", "email"],
  },
  app_roles: {
    columns: ["resource_id", "scopes", "created_at"],
    named_by: ["name"],
    typed: "name",
    related: [],
    groups: [
      { legend: "about", names: ["name", "resource_id", "description"] },
      { legend: "access", names: ["scopes"] },
      { legend: "advanced", folded: true, names: ["id", "created_at", "updated_at"] },
    ],
    help: { scopes: "app_role_scopes" },
  },
  providers: providerPresentation,
  linked_accounts: {
    by_others: true,
    columns: ["user_id", "provider_id", "email", "last_used_at", "created_at"],
    leads: { provider_id: ({ provider_id }) => referenceTo("providers", provider_id) },
    named_by: ["provider", "provider_user_id"],
    called: ({ provider, email }) => (typeof email === "string" ? `${provider} · ${email}` : undefined),
    typed: "provider",
    related: [],
    order: ["user_id", "provider", "provider_user_id", "access_token", "refresh_token", "expires_at"],
    // The server derives `provider_id` from the slug in `provider`.
    unasked: ["provider_id"],
  },
  apps: appPresentation,
  attributes: {
    columns: ["record_type", "value_type", "claim", "organization_id", "created_at"],
    named_by: ["name"],
    typed: "name",
    related: [],
    groups: [
      {
        legend: "about",
        names: ["name", "label", "record_type", "organization_id", "value_type", "pattern", "max"],
      },
      { legend: "access", names: ["writers", "readers", "searchable"] },
      { legend: "tokens", names: ["claim", "scopes"] },
      { legend: "advanced", folded: true, names: ["id", "created_at", "updated_at"] },
    ],
    help: {
      name: "attribute_name",
      label: "attribute_label",
      readers: "readers_in_organization",
      scopes: "attribute_scopes",
    },
    platform_help: { organization_id: "attribute_organization_id", readers: "readers" },
    reserved: { is: (name, value) => name === "record_type" && value === "users" },
    offered: { writers: () => attributeWriters, readers: () => attributeReaders },
  },
  resources: {
    columns: ["identifier", "who_may_ask", "organization_id", "created_at"],
    named_by: ["name"],
    typed: "identifier",
    state: onOff,
    related: [{ resourceType: "app_roles", by: "resource_id" }],
    groups: [
      { legend: "about", names: ["name", "identifier", "description", "organization_id", "active"] },
      { legend: "access", names: ["who_may_ask", "scopes", "default_scopes", "role_bound", "app_ids"] },
      {
        legend: "tokens",
        names: [
          "access_token_signing_alg",
          "dpop_bound_access_tokens_required",
          "sign_in_claims",
          "claims",
          "trailing_slash_alias",
        ],
      },
      { legend: "advanced", folded: true, names: ["id", "created_at", "updated_at"] },
    ],
    actions: [{ label: "previewTokens", href: (id) => `${tokenPreviewPath}?resource=${id}` }],
    help: { ...apiHelp, identifier: "identifier_in_organization" },
    platform_help: { identifier: "identifier" },
    begins: { identifier: (organization_id) => `${namesOfOrganization(organization_id)}:` },
    destructive: [switchOff("tokens", "people")],
  },
  app_secrets: {
    columns: ["app_id", "expires_at", "last_used_at", "created_at"],
    named_by: ["secret_prefix"],
    referred_by: ["app_id", "secret_prefix"],
    typed: "secret_prefix",
    state: revocable,
    related: [],
    order: ["app_id", "expires_at", "expire_others_in", "value"],
    prefilled: ["expire_others_in"],
  },
  consents: {
    by_others: true,
    columns: ["scopes", "last_used_at", "granted_at"],
    named_by: ["user_id", "app_id"],
    typed: "app_id",
    state: by(stateOfConsent),
    related: [],
    destructive: [{ field: "scopes", verb: "change", ends: ["tokens"] }],
  },
  tokens: {
    columns: ["id", "scopes", "last_used_at", "created_at"],
    leads: { session_id: ({ session_id }) => referenceTo("sessions", session_id) },
    named_by: ["app_id", "user_id", "service_account_id"],
    state: by(stateOfToken),
    related: [{ resourceType: "tokens", by: "family_id", of: "family_id" }],
  },
  auth_codes: {
    columns: ["id", "scopes", "expires_at", "created_at"],
    named_by: ["app_id", "user_id"],
    state: by(stateOfCode),
    // Tokens issued for a code have the code's ID as `family_id`.
    related: [{ resourceType: "tokens", by: "family_id" }],
  },
  sessions: {
    columns: ["user_id", "client_ip", "last_seen_at", "created_at"],
    brief: ["user_id", "last_seen_at"],
    named_by: ["user_agent"],
    state: by(stateOfSession),
    related: [{ resourceType: "tokens", by: "session_id" }],
  },
  service_accounts: {
    columns: ["email", "organization_id", "last_used_at", "created_at"],
    named_by: ["name"],
    typed: "email",
    state: onOff,
    related: [
      { resourceType: "key_pairs", by: "service_account_id" },
      { resourceType: "tokens", by: "service_account_id" },
    ],
    granted: { field: "allowed_scopes", prefix: "postern:" },
    help: { allowed_scopes: "granted_scopes" },
    help_of_new: { created_by: "new_created_by" },
    groups: [
      { legend: "about", names: ["name", "description", "email", "organization_id", "created_by"] },
      { legend: "access", names: ["allowed_scopes", "active"] },
      { legend: "advanced", folded: true, names: ["id", "created_at", "updated_at"] },
    ],
    destructive: [switchOff("tokens")],
  },
  key_pairs: {
    columns: ["service_account_id", "algorithm", "expires_at", "last_used_at", "created_at"],
    named_by: ["key_id"],
    typed: "key_id",
    state: revocable,
    related: [],
    order: ["service_account_id", "key_id", "algorithm", "public_key_pem", "jwk", "expires_at", "active"],
    // `key_type` follows from the key, and a revoked key stays revoked.
    unasked: ["key_type", "revoked", "revoked_at"],
    left_open: ["algorithm"],
    destructive: [switchOff("tokens")],
    kept: ["public_key_pem", "jwk", "algorithm"],
  },
  api_keys: {
    columns: ["key_prefix", "user_id", "organization_id", "last_used_at", "created_at"],
    named_by: ["name"],
    typed: "name",
    state: revocable,
    related: [],
    granted: { field: "scopes", prefix: "postern:" },
    help: { scopes: "granted_scopes", organization_id: "key_organization_id" },
    needed: ["scopes"],
    groups: [
      { legend: "about", names: ["name", "user_id", "organization_id", "key_prefix"] },
      { legend: "access", names: ["scopes", "expires_at", "revoked"] },
      { legend: "advanced", folded: true, names: ["id", "created_at"] },
    ],
    unasked: ["revoked"],
    // A key without an organization is a user's personal key.
    left_open: ["organization_id"],
  },
  signing_keys: {
    columns: ["activates_at", "retires_at", "expires_at"],
    named_by: ["kid"],
    related: [],
    own_page: true,
  },
  ...activityPresentations,
  refusals: {
    columns: ["description", "app_id", "user_id", "error", "created_at"],
    brief: ["description", "created_at"],
    called: ({ short_id }) => shortIdText(String(short_id)),
    ...{ named_by: ["short_id"], addressed_by: "short_id", related: [] },
  },
};

export const presented = Object.entries(presentations) as readonly [ResourceType, Presentation][];
