import type { EmailAssurance } from "../../providers/email_assurance.ts";
import type { Provider } from "../core/proofs/provider_account.ts";

/**
 * The trust in a provider's email claim for account decisions: a one-time check of the address counts only if
 * the record trusts claims (EP-10). Writing the record checks who may set that for an organization's
 * provider.
 */
export function trustedAssurance(
  { email_trust }: Pick<Provider, "email_trust">,
  assurance: EmailAssurance,
): EmailAssurance {
  return assurance === "verified" && email_trust !== "claim" ? "none" : assurance;
}
