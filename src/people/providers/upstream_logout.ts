/** Ends sessions on this server that depend on a provider session that has ended (BL-9). */
import { sha256 } from "../../crypto/digest.ts";
import type { UpstreamLogout } from "../../providers/logout_token.ts";
import { presetOf } from "../../providers/presets/all_presets.ts";
import { UpstreamError } from "../../providers/upstream_error.ts";
import type { OAuthAccount } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { userLock } from "../../records/names/lock_names.ts";
import { methodsOf, type SignInMethod } from "../../records/names/sign_in_methods.ts";
import type { IdentityContext } from "../core/context/context.ts";
import type { Provider } from "../core/proofs/provider_account.ts";
import { upstreamSessionKey } from "../core/sessions.ts";

export const sendsLogoutTokens = (provider: Provider): boolean => presetOf(provider).protocol === "oidc";

/**
 * Ends the sessions that a provider's logout token identifies, once per token. Sessions that depend on
 * another provider record continue. Throws `UpstreamError` if the token is not valid.
 */
export async function endUpstreamSessions(
  provider: Provider,
  token: string,
  origin: RequestOrigin,
  context: IdentityContext,
): Promise<void> {
  const { provider_client: client, store, now } = context;
  if (client === undefined) throw new TypeError("this server has no client for external providers");
  const ended = await client.readLogout(provider, token);
  const once_key = sha256(JSON.stringify([provider.id, ended.jti]));
  if (!(await store.useOnce("upstream_logout", once_key, ended.expires_at, now())))
    throw new UpstreamError("logout_jti", { expected: "a jti that was not used", received: ended.jti });
  try {
    for (const user_id of await usersOf(ended, provider, context))
      await endSessionsOfUser(user_id, ended, provider, origin, context);
  } catch (error) {
    // The provider may retry with the same token.
    await store.forgetEphemeral("upstream_logout", once_key);
    throw error;
  }
}

const linksOf = ({ id: provider_id, slug: provider }: Provider) => ({ provider, provider_id });

async function usersOf(
  { subject: provider_user_id, sid }: UpstreamLogout,
  provider: Provider,
  { store }: IdentityContext,
): Promise<ReadonlySet<string>> {
  if (provider_user_id !== undefined) {
    const link = await store.find("oauth_accounts", { ...linksOf(provider), provider_user_id });
    return new Set(link && [link.user_id]);
  }
  const upstream_session = upstreamSessionKey(sid ?? "");
  const sessions = await store.list("sessions", { upstream_session, ended_at: null });
  return new Set(sessions.map(({ user_id }) => user_id));
}

async function endSessionsOfUser(
  user_id: string,
  { subject, sid }: UpstreamLogout,
  provider: Provider,
  origin: RequestOrigin,
  { store, now, report }: IdentityContext,
): Promise<void> {
  const isOf = (link: OAuthAccount) => subject === undefined || link.provider_user_id === subject;
  const ended = await store.transaction(async (tx) => {
    await tx.lock(userLock(user_id));
    const links = await tx.list("oauth_accounts", { ...linksOf(provider), user_id });
    const credentials = new Set(links.filter(isOf).map(({ id }) => id));
    const depends = ({ kind, credential, upstream_sid }: SignInMethod) =>
      kind === "provider" &&
      credentials.has(credential ?? "") &&
      // A sign-in whose provider session is unknown may belong to the provider session that ended.
      (sid === undefined || upstream_sid === sid || (upstream_sid === undefined && subject !== undefined));
    const open = await tx.list("sessions", { user_id, ended_at: null });
    const ending = open.filter((session) => methodsOf(session).some(depends));
    for (const session of ending) await store.endSessionIn(tx, session, now());
    return ending;
  });
  for (const { id } of ended) {
    const target = { table: "sessions", id } as const;
    const details = { provider: provider.slug };
    report({ type: "sign_out", outcome: "success", actor: { kind: "system" }, target, origin, details });
  }
}
