import { isOfDomain } from "../records/formats/sign_up.ts";
import type { Preset, UpstreamClaims } from "./presets/preset.ts";
import type { ProviderSettings } from "./presets/provider_settings.ts";

/**
 * The trust in a provider's claim about an email address (EP-8). `authoritative`: the provider runs the
 * mailbox or controls its domain. `verified`: the provider's claim to have verified the address counts.
 */
export type EmailAssurance = "authoritative" | "verified" | "none";

/** Returns how far the email address in these claims can be trusted. */
export function emailAssurance(
  preset: Preset,
  claims: UpstreamClaims,
  settings: ProviderSettings,
): EmailAssurance {
  const { email, email_verified } = preset.read(claims, settings);
  if (settings.email_trust === "never" || email === undefined) return "none";
  if (email_verified === false) return "none";
  if (preset.runsMailbox?.(claims, settings)) return "authoritative";
  const isOwnDomain = settings.email_trust === "domains" && isOfDomain(email, settings.email_domains);
  if (isOwnDomain && preset.speaksForDomains?.(claims, settings)) return "authoritative";
  return email_verified === true && preset.checksEmail(settings) ? "verified" : "none";
}
