import type { ReplayError } from "../../errors.ts";
import type { AuthenticatedClient, AuthorizationServer, EndpointRequest, Grant } from "../core/server.ts";

/**
 * Revokes all tokens of a code or refresh token that was redeemed twice (RFC 9700 4.14.2). If the database
 * cannot store the revocation, it is retried in the background. Without `server.unfinished`, the error is
 * thrown.
 */
export async function revokeReplayedFamily(
  { family_id }: ReplayError,
  type: Grant["replay_event"],
  client: AuthenticatedClient,
  { origin }: EndpointRequest,
  server: AuthorizationServer,
): Promise<void> {
  const { client_id, organization_id } = client.app;
  const about = {
    outcome: "failure",
    actor: { kind: "client", id: client_id },
    target: { table: "oauth_tokens", id: family_id },
    organization_id,
    origin,
  } as const;
  const attempt = async () => {
    const revoked_tokens = await server.store.revokeFamily(family_id, "replay", server.now());
    if (type !== undefined) server.report({ type, ...about, details: { revoked_tokens } });
  };
  try {
    await attempt();
  } catch (error) {
    if (server.unfinished === undefined) throw error;
    const giveUp = (cause: unknown) =>
      server.report({ type: "revocation_failed", ...about, details: { error: "server_error" }, cause });
    server.unfinished.add({ attempt, giveUp, bytes: 1000 });
  }
}
