import type { OAuthApp, OAuthConsent, User } from "../../records/definition/definition.ts";
import type { AuthorizationServer } from "./server.ts";

/**
 * Returns the user's consent for the client in its current form: consent to an earlier document of the
 * client does not count (PR-12).
 */
export async function consentInForce(
  user: Pick<User, "id">,
  app: Pick<OAuthApp, "id" | "document_hash">,
  { store }: Pick<AuthorizationServer, "store">,
): Promise<OAuthConsent | undefined> {
  const consent = await store.findConsent(user.id, app.id);
  return consent?.document_hash === app.document_hash ? consent : undefined;
}
