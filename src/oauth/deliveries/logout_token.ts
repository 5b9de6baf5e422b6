/** Logout tokens (OpenID Connect Back-Channel Logout 1.0). */
import { signJwt } from "../../crypto/jwt.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { rulesFor } from "../core/rules_for.ts";
import type { DeliveryKind } from "./delivery_kind.ts";

/** Seconds for which a token may be accepted (2.4 recommends two minutes at most). */
const lifetime = 120;

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

/** Characters that are kept of what an app answers. */
const longestFault = 200;

/** Anything but printable characters, so that an answer stays one line of text. */
const unprintable = /[\p{C}\p{Z}]+/gu;

/** `error` and `error_description` of an answer (2.8), shortened. */
function describedError(body: Buffer): string | null {
  let said: unknown;
  try {
    said = JSON.parse(body.toString("utf8"));
  } catch {
    return null;
  }
  if (!isObject(said)) return null;
  const parts = [said.error, said.error_description].filter((part) => typeof part === "string");
  return parts.length === 0 ? null : parts.join(": ").replace(unprintable, " ").slice(0, longestFault);
}

export const logoutToken: DeliveryKind = {
  name: "logout_token",
  max_bytes: 4096,
  // Error pages of proxies are longer, and many apps answer with a page.
  cut: true,

  /** The token of 2.4, with `sub` as the app knows it, and with `sid` unless all sessions ended. */
  async attempt({ target_id, subject_key, event_id }, server) {
    const app = await server.store.find("oauth_apps", { id: target_id });
    if (app?.backchannel_logout_uri == null || !app.active) return undefined;
    const now = server.now();
    const iat = Math.floor(now.getTime() / 1000);
    const keys = await server.keys();
    const key = keys.signingKey(now, rulesFor(app, server).id_token_algorithm);
    const token = await signJwt(key, "logout+jwt", {
      iss: server.issuer,
      aud: app.client_id,
      iat,
      exp: iat + lifetime,
      jti: server.store.newId(now),
      events: { [logoutEvent]: {} },
      sub: subject_key,
      ...(event_id !== null && { sid: event_id }),
    });
    return {
      url: app.backchannel_logout_uri,
      body: {
        type: "application/x-www-form-urlencoded",
        text: new URLSearchParams({ logout_token: token }).toString(),
      },
      internal: app.backchannel_logout_internal,
    };
  },

  // 2.8: 200; some frameworks answer 204.
  isDone: ({ status }) => status === 200 || status === 204,
  isTemporary: ({ status }) => status === 429 || status >= 500,
  faultOf: ({ status, body }) => (status === 400 ? describedError(body) : null),
};
