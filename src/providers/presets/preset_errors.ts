/** Validates the fields of a provider's record against its preset (EP-1). */
import { type FieldError, fieldError, unknownField } from "../../errors/field_errors.ts";
import type { Provider } from "../../records/definition/definition.ts";
import { isUuid } from "../../records/formats/check.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { providerPresets } from "../../records/names/names.ts";
import { presetOf } from "./all_presets.ts";
import type { Preset } from "./preset.ts";
import { claimNames, endpoints, settingMembers, takes } from "./preset_fields.ts";
import type { ProviderDraft } from "./provider_draft.ts";

/** Reserved for the server's own pages below `/sign-in/`. */
const reservedSlugs: ReadonlySet<string> = new Set([
  "account",
  "authenticator",
  "callback",
  "device",
  "email",
  "link",
  "lost-factors",
  "passkey",
  "passkey-offer",
  "passkey-upgrade",
  "passkeys",
  "password",
  "postern",
  "provider",
  "providers",
  "recovery",
  "recovery-code",
  "second-factor",
  "sudo",
  "undo-deletion",
]);

/** Returns whether the slug is the name of a preset. */
export function isBuiltInSlug(slug: string): boolean {
  return providerPresets.some((preset) => preset === slug);
}

/**
 * Returns the errors of the fields that do not fit the preset. An existing record may keep its slug, even if
 * the slug has been reserved since.
 */
export function presetErrors(draft: ProviderDraft, stored?: Pick<Provider, "slug">): FieldError[] {
  const preset = presetOf(draft);
  return [
    ...slugErrors(draft, stored),
    ...addressErrors(draft, preset),
    ...tenantErrors(draft, preset),
    ...settingErrors(draft, preset),
    ...trustErrors(draft, preset),
  ];
}

function slugErrors(
  { slug, preset }: ProviderDraft,
  stored: Pick<Provider, "slug"> | undefined,
): FieldError[] {
  if (reservedSlugs.has(slug) && slug !== stored?.slug) return [fieldError("/slug", "reserved_slug")];
  return isBuiltInSlug(slug) && slug !== preset
    ? [fieldError("/slug", "slug_of_preset", { preset: slug })]
    : [];
}

function addressErrors(draft: ProviderDraft, preset: Preset): FieldError[] {
  const { name } = preset;
  const errors: FieldError[] = [];
  const needed = (field: string) => fieldError(`/${field}`, "needed_by_preset", { preset: name });
  const excess = (field: string) => fieldError(`/${field}`, "not_of_preset", { preset: name });
  if (draft.issuer === null) errors.push(...(preset.needs.includes("issuer") ? [needed("issuer")] : []));
  else if (!takes(preset, "issuer")) errors.push(excess("issuer"));
  const input = endpoints.filter((field) => draft[field] !== null);
  if (input.length > 0 && !takes(preset, "endpoints")) return [...errors, ...input.map(excess)];
  // The claim names are meant for one particular userinfo endpoint, so the record's endpoints cannot be mixed
  // with those of the preset.
  const isStated = input.length > 0 || preset.needs.includes("endpoints");
  const lacking = isStated ? endpoints.filter((field) => draft[field] === null) : [];
  return [...errors, ...lacking.map(needed)];
}

function tenantErrors({ allowed_tenants }: ProviderDraft, preset: Preset): FieldError[] {
  const { name } = preset;
  if (allowed_tenants.length === 0) return [];
  if (!takes(preset, "allowed_tenants"))
    return [fieldError("/allowed_tenants", "not_of_preset", { preset: name })];
  if (preset.tenants_are !== "uuids") return [];
  return allowed_tenants.flatMap((tenant, index) =>
    isUuid(tenant) ? [] : [fieldError(`/allowed_tenants/${index}`, "not_uuid")],
  );
}

function settingErrors({ settings }: ProviderDraft, preset: Preset): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(settings)) {
    const path = `/settings/${name}`;
    const member = settingMembers.find((each) => each === name);
    if (member === undefined || !takes(preset, member))
      errors.push(fieldError(path, "not_of_preset", { preset: preset.name }));
    else if (name === "claim_names") errors.push(...claimNameErrors(value, path));
    else if (name === "pkce")
      errors.push(...(typeof value === "boolean" ? [] : [fieldError(path, "not_boolean")]));
    else if (!isName(value)) errors.push(fieldError(path, "not_text"));
    else if (name === "revocation_endpoint" && !isHttps(value))
      errors.push(fieldError(path, "not_https_url"));
  }
  const missing = settingMembers.filter(
    (member) => preset.needs.some((each) => each === member) && !Object.hasOwn(settings, member),
  );
  const needed = missing.map((member) =>
    fieldError(`/settings/${member}`, "needed_by_preset", { preset: preset.name }),
  );
  return [...errors, ...needed];
}

function claimNameErrors(value: unknown, path: string): FieldError[] {
  if (!isObject(value)) return [fieldError(path, "not_object")];
  const errors = Object.entries(value).flatMap(([name, claim]): FieldError[] => {
    if (!claimNames.includes(name)) return [unknownField(name, path)];
    return isName(claim) ? [] : [fieldError(`${path}/${name}`, "not_text")];
  });
  return Object.hasOwn(value, "subject") ? errors : [...errors, fieldError(`${path}/subject`, "required")];
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && value.length <= 2048;
}

function isHttps(text: string): boolean {
  return URL.parse(text)?.protocol === "https:";
}

function trustErrors(draft: ProviderDraft, preset: Preset): FieldError[] {
  const { email_trust, email_domains, sign_up, trust_amr } = draft;
  const { name, protocol } = preset;
  const errors: FieldError[] = [];
  const isByDomain = email_trust === "domains" || sign_up === "domains";
  if (email_trust === "domains" && preset.speaksForDomains === undefined) {
    errors.push(fieldError("/email_trust", "not_of_preset", { preset: name }));
  }
  if (isByDomain && email_domains.length === 0) errors.push(fieldError("/email_domains", "required"));
  if (trust_amr && protocol === "oauth2") {
    errors.push(fieldError("/trust_amr", "not_of_preset", { preset: name }));
  }
  return errors;
}
