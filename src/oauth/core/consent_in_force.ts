import type { OAuthApp, OAuthConsent, User } from "../../records/definition/definition.ts";
import type { AuthorizationServer } from "./server.ts";

/**
 * The consent in force for the client as it is: a person who allowed another document allowed another client (PR-12).
 */
export async function consentInForce(
  user: Pick<User, "id">,
  app: Pick<OAuthApp, "id" | "document_hash">,
  { store }: Pick<AuthorizationServer, "store">,
): Promise<OAuthConsent | undefined> {
  const consent = await store.findConsent(user.id, app.id);
  return consent?.document_hash === app.document_hash ? consent : undefined;
}
