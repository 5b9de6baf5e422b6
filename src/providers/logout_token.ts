/** Verifies a provider's logout token (OpenID Connect Back-Channel Logout 1.0, section 2.6; BL-9). */
import { isObject } from "../records/names/json_shapes.ts";
import { clockTolerance, isTime, verifyOwnToken } from "./id_token.ts";
import { presetOf } from "./presets/all_presets.ts";
import { textOf } from "./presets/claims.ts";
import type { UpstreamClaims } from "./presets/preset.ts";
import type { ProviderSettings } from "./presets/provider_settings.ts";
import { legTo } from "./upstream.ts";
import type { UpstreamClient } from "./upstream_client.ts";
import { UpstreamError } from "./upstream_error.ts";
import { isIdentifier } from "./upstream_identity.ts";

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/**
 * The `typ` of OpenID Connect Back-Channel Logout 1.0, section 2.4, and the generic `JWT`, which some
 * providers send.
 */
const types = ["logout+jwt", "application/logout+jwt", "jwt"];

export interface UpstreamLogout {
  /** Undefined if the token names only a session. */
  readonly subject: string | undefined;
  /** Undefined if the token ends all sessions of the account at the provider. */
  readonly sid: string | undefined;
  readonly jti: string;
  readonly expires_at: Date;
}

/**
 * Returns the sessions that a provider's token ends. Throws `UpstreamError` for the first rule that the token
 * violates.
 */
export async function verifyLogoutToken(
  token: string,
  provider: ProviderSettings,
  whole: UpstreamClient,
): Promise<UpstreamLogout> {
  const preset = presetOf(provider);
  const client = legTo(provider, whole);
  const { client_id } = provider;
  const metadata = await client.metadata(provider);
  const { header, claims } = await verifyOwnToken(token, { preset, metadata, client_id }, client);
  const { typ } = header;
  if (typ !== undefined && !types.includes(typ.toLowerCase()))
    throw new UpstreamError("logout_typ", { expected: types[0], received: typ });
  const { events, nonce, exp } = claims;
  if (!isObject(events) || !isObject(events[logoutEvent]))
    throw new UpstreamError("logout_event", { expected: logoutEvent });
  if (nonce !== undefined) throw new UpstreamError("logout_nonce", { expected: "none" });
  const seconds = Math.floor(client.now().getTime() / 1000);
  const issued = timeOf(claims, seconds);
  if (!isTime(exp) || exp <= seconds - clockTolerance)
    throw new UpstreamError("logout_exp", { expected: `the clock here says ${seconds}`, received: exp });
  const jti = textOf(claims.jti);
  if (jti === undefined) throw new UpstreamError("logout_jti", { expected: "jti" });
  const subject = claims.sub === undefined ? undefined : preset.read(claims, provider).subject;
  const sid = textOf(claims.sid);
  if (claims.sub === undefined ? sid === undefined : !isIdentifier(subject))
    throw new UpstreamError("logout_subject", { expected: "sub or sid" });
  const expires_at = new Date((issued + 2 * clockTolerance) * 1000);
  return { subject, sid, jti, expires_at };
}

function timeOf({ iat }: UpstreamClaims, seconds: number): number {
  if (isTime(iat) && Math.abs(iat - seconds) <= clockTolerance) return iat;
  throw new UpstreamError("logout_iat", { expected: `the clock here says ${seconds}`, received: iat });
}
