import type { EmailAssurance } from "../../providers/email_assurance.ts";
import type { Provider } from "../core/proofs/provider_account.ts";

/**
 * Returns how far to trust a provider's email claim in account decisions. A one-time check of the address
 * counts only if the record trusts claims (EP-10). Only certain callers may set that for an organization's
 * provider; this is checked when the record is written.
 */
export function trustedAssurance(
  { email_trust }: Pick<Provider, "email_trust">,
  assurance: EmailAssurance,
): EmailAssurance {
  return assurance === "verified" && email_trust !== "claim" ? "none" : assurance;
}
