/** Settings of an external provider, as its record would contain them. */
import type { ProviderSettings } from "../../src/providers/presets/provider_settings.ts";
import type { ProviderPreset } from "../../src/records/names/names.ts";

/** Returns a provider of the preset with the minimum that it needs; `overrides` take precedence. */
export function providerSettings(
  preset: ProviderPreset,
  overrides: Partial<ProviderSettings> = {},
): ProviderSettings {
  return {
    slug: preset,
    preset,
    client_id: "postern-at-upstream",
    client_secret: "the secret of the client",
    email_trust: "claim",
    email_domains: [],
    allowed_tenants: [],
    trust_amr: false,
    keep_tokens: false,
    ...overrides,
  };
}
