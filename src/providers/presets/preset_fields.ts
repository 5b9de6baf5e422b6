import { providerPresets } from "../../records/names/names.ts";
import { presetOf } from "./all_presets.ts";
import type { Preset, TakenMember } from "./preset.ts";

export const endpoints = ["authorization_endpoint", "token_endpoint", "userinfo_endpoint"] as const;

export const settingMembers = [
  "key_id",
  "team_id",
  "revocation_endpoint",
  "claim_names",
  "pkce",
] as const satisfies readonly TakenMember[];

export const claimNames: readonly string[] = ["subject", "email", "email_verified", "name", "picture"];

/** Returns whether a provider of this preset may have the field. */
export function takes({ needs, takes: further }: Preset, member: TakenMember): boolean {
  return [...needs, ...further].includes(member);
}

/** Returns the fields that a provider of this preset does not have, such as `settings.key_id`. */
export function unfitFields(name: string): readonly string[] {
  const known = providerPresets.find((preset) => preset === name);
  if (known === undefined) return [];
  const preset = presetOf({ preset: known });
  const settings = settingMembers.filter((member) => !takes(preset, member));
  return [
    ...(takes(preset, "issuer") ? [] : ["issuer"]),
    ...(takes(preset, "endpoints") ? [] : endpoints),
    ...(takes(preset, "allowed_tenants") ? [] : ["allowed_tenants"]),
    ...settings.flatMap((name) =>
      name === "claim_names" ? claimNames.map((claim) => `settings.${name}.${claim}`) : [`settings.${name}`],
    ),
    ...(preset.protocol === "oauth2" ? ["trust_amr"] : []),
  ];
}

/** Returns the fields that a provider of this preset must have, besides those of every provider. */
export function neededFields(name: string): readonly string[] {
  const known = providerPresets.find((preset) => preset === name);
  if (known === undefined) return [];
  const { needs } = presetOf({ preset: known });
  return needs.flatMap((member): readonly string[] => {
    if (member === "issuer") return [member];
    if (member === "endpoints") return endpoints;
    if (member === "claim_names") return ["settings.claim_names.subject"];
    // A provider without its secret can be stored, because the secret may exist only after the redirect URI.
    return member === "client_secret" || member === "private_key" ? [] : [`settings.${member}`];
  });
}

/** Returns the defaults of the form for a provider of this preset. */
export function initialProvider(name: string): Readonly<Record<string, unknown>> {
  const known = providerPresets.find((preset) => preset === name);
  if (known === undefined) return {};
  const preset = presetOf({ preset: known });
  if (preset.usual_claim_names !== undefined) {
    return Object.fromEntries(
      Object.entries(preset.usual_claim_names).map(([claim, value]) => [
        `settings.claim_names.${claim}`,
        value,
      ]),
    );
  }
  const isNamed = preset.issuer !== undefined || preset.metadata !== undefined;
  return isNamed ? { label: preset.label, slug: name } : {};
}
