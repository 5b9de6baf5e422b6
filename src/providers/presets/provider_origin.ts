/** The address of a provider, and who defines it. */

import { presetOf } from "./all_presets.ts";
import { endpoints } from "./preset_fields.ts";
import type { ProviderDraft } from "./provider_draft.ts";

/** The fields that decide where the server sends people, its secret there and their tokens. */
export const addressFields = ["preset", "issuer", ...endpoints] as const;

/** Whether the record says itself where the provider is, so that its word is that of the record's owner. */
export function hasOwnAddress(draft: ProviderDraft): boolean {
  const { issuer, authorization_endpoint } = draft;
  const { runsIssuer } = presetOf(draft);
  return (issuer !== null && runsIssuer?.(issuer) !== true) || authorization_endpoint !== null;
}

/**
 * Where the subjects of links come from (EP-2): all that decides who answers for them. The tombstone of a
 * deleted record keeps it.
 */
export function originOf(draft: ProviderDraft): string {
  const issuer = draft.issuer ?? presetOf(draft).issuer;
  const input = [issuer, ...endpoints.map((name) => draft[name])].filter((address) => address != null);
  return [draft.preset, ...input].join(" ");
}
