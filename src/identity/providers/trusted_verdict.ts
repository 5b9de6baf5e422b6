import type { EmailVerdict } from "../../providers/email_verdict.ts";
import type { Provider } from "./provider_account.ts";

/**
 * What the word of a provider on an address is worth here (docs/decisions/0066). Whoever administers an
 * organization can point its provider at a server of their own, so its word opens no account by itself. A claim
 * counts only where the record trusts claims (EP-10).
 */
export function trustedVerdict(
  { organization_id, email_trust }: Pick<Provider, "organization_id" | "email_trust">,
  verdict: EmailVerdict,
): EmailVerdict {
  if (organization_id !== null) return "none";
  return verdict === "verified" && email_trust !== "claim" ? "none" : verdict;
}
