import { isReservedSetting } from "../../admin/guards/provider_rules.ts";
import { initialProvider, neededFields, unfitFields } from "../../providers/presets/preset_fields.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { providerPresets } from "../../records/names/names.ts";
import type { Presentation } from "./presentation.http.ts";
import { onOff, switchOff } from "./presentation_parts.http.ts";

function isReserved(name: string, value: unknown, record: PublicView): boolean {
  const preset = providerPresets.find((each) => each === record.preset);
  return preset !== undefined && isReservedSetting(name, value, { ...record, preset });
}

export const providerPresentation: Presentation = {
  columns: ["slug", "preset", "organization_id", "created_at"],
  named_by: ["label"],
  typed: "slug",
  state: onOff,
  related: [{ resourceType: "linked_accounts", by: "provider_id" }],
  groups: [
    {
      legend: "about",
      names: ["preset", "label", "slug", "organization_id", "active"],
    },
    {
      legend: "access",
      names: [
        "issuer",
        "authorization_endpoint",
        "token_endpoint",
        "userinfo_endpoint",
        "client_id",
        "client_secret",
        "settings.team_id",
        "settings.key_id",
        "settings.claim_names.subject",
        "settings.claim_names.email",
        "settings.claim_names.email_verified",
        "settings.claim_names.name",
        "settings.claim_names.picture",
        "settings.revocation_endpoint",
        "settings.pkce",
        "scopes",
        "allowed_tenants",
        "internal",
      ],
    },
    {
      legend: "sign_in",
      names: [
        "sign_up",
        "link",
        "email_trust",
        "email_domains",
        "trust_amr",
        "attribute_claims",
        "keep_tokens",
      ],
    },
    { legend: "advanced", folded: true, names: ["id", "created_at", "updated_at"] },
  ],
  help: {
    active: "provider_active",
    client_id: "provider_client_id",
    scopes: "provider_scopes",
    slug: "provider_slug",
  },
  reserved: { is: isReserved, help: { sign_up: "provider_reserved" } },
  help_of_new: { client_secret: "new_client_secret", slug: "new_provider_slug" },
  chosen: { field: "preset", unfit: unfitFields, needed: neededFields, initial: initialProvider },
  // The fields in `settings` have form fields of their own.
  unasked: ["settings"],
  // The form's other fields depend on the preset.
  kept: ["preset"],
  destructive: [switchOff("people")],
};
