import { isOfDomain } from "../records/formats/sign_up.ts";
import type { Preset, UpstreamClaims } from "./presets/preset.ts";
import type { ProviderSettings } from "./presets/provider_settings.ts";

/**
 * How far a provider's claim about an email address is trusted (EP-8). `authoritative`: it runs the mailbox,
 * or controls its domain. `verified`: it says that it once checked. `none`: anything else.
 */
export type EmailAssurance = "authoritative" | "verified" | "none";

/** The trust in the address of these claims. A missing or false claim is `none`, whatever else is trusted. */
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
