/** Determines at which URLs a provider is, and whether the preset or the record defines them. */

import { presetOf } from "./all_presets.ts";
import { endpoints } from "./preset_fields.ts";
import type { ProviderDraft } from "./provider_draft.ts";

export const addressFields = ["preset", "issuer", ...endpoints] as const;

/**
 * Returns whether the record itself, rather than the preset, defines the provider's URLs. If so, the
 * provider's claims deserve no more trust than the record's owner.
 */
export function hasOwnAddress(draft: ProviderDraft): boolean {
  const { issuer, authorization_endpoint } = draft;
  const { runsIssuer } = presetOf(draft);
  return (issuer !== null && runsIssuer?.(issuer) !== true) || authorization_endpoint !== null;
}

/**
 * Returns a text that identifies the provider which vouches for a linked account's subject: the preset and
 * the URLs (EP-2).
 */
export function originOf(draft: ProviderDraft): string {
  const issuer = draft.issuer ?? presetOf(draft).issuer;
  const input = [issuer, ...endpoints.map((name) => draft[name])].filter((address) => address != null);
  return [draft.preset, ...input].join(" ");
}
