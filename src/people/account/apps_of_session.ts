import type { Session } from "../../records/definition/definition.ts";
import { provenName } from "../../records/rules/open_clients.ts";
import type { IdentityContext } from "../core/context/context.ts";

/** An app that has none of the session's newest 100 tokens is not listed. */
const newestTokens = { order_by: "id", descending: true, limit: 100 } as const;

/**
 * Returns the names of the apps that received tokens in this session. Names that are not verified are left
 * out (PR-11).
 */
export async function appsOfSession(
  { id: session_id, user_id }: Pick<Session, "id" | "user_id">,
  { store }: Pick<IdentityContext, "store">,
): Promise<string[]> {
  const tokens = await store.list("oauth_tokens", { session_id, user_id }, newestTokens);
  const clients = await Promise.all(
    [...new Set(tokens.map(({ app_id }) => app_id))].map((app_id) => store.findClientOfApp(app_id)),
  );
  return clients.flatMap((client) => (client && provenName(client.app)) ?? []);
}
