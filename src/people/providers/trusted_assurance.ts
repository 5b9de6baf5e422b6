import type { EmailAssurance } from "../../providers/email_assurance.ts";
import type { Provider } from "../core/proofs/provider_account.ts";

/**
 * What the word of a provider on an address is worth where an account depends on it: that it once checked
 * the address counts only where the record trusts claims (EP-10). Who may say so of an organization's
 * provider is asked where records are written.
 */
export function trustedAssurance(
  { email_trust }: Pick<Provider, "email_trust">,
  assurance: EmailAssurance,
): EmailAssurance {
  return assurance === "verified" && email_trust !== "claim" ? "none" : assurance;
}
