/** Logout tokens (OpenID Connect Back-Channel Logout 1.0). */
import { signJwt } from "../../crypto/jwt.ts";
import { stateOfClient } from "../../records/rules/client_record.ts";
import { rulesFor } from "../core/rules_for.ts";
import type { DeliveryKind } from "./delivery_kind.ts";
import { describedError } from "./described_error.ts";
import { pauseWithinLifetime } from "./pauses.ts";

/** Seconds; section 4 recommends at most two minutes. */
const lifetime = 120;

const logoutEvent = "http://schemas.openid.net/event/backchannel-logout";

export const logoutToken: DeliveryKind = {
  name: "logout_token",
  max_bytes: 4096,
  timeout: 5000,
  permitted_by: "backchannel_logout_internal",

  /**
   * `sid` is omitted if all the user's sessions ended (section 2.4). While an organization is deactivated,
   * logout tokens for its apps wait.
   */
  async attempt({ target_id, subject_key, event_id }, { server }) {
    const client = await server.store.findClientOfApp(target_id);
    if (client?.app.backchannel_logout_uri == null) return undefined;
    const state = stateOfClient(client);
    if (state !== "active") return state === "organization_inactive" ? "paused" : undefined;
    const { app } = client;
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
      url: client.app.backchannel_logout_uri,
      body: {
        type: "application/x-www-form-urlencoded",
        text: new URLSearchParams({ logout_token: token }).toString(),
      },
      internal: app.backchannel_logout_internal,
    };
  },

  // Section 2.8 requires 200; some frameworks return 204.
  isDone: ({ status }) => status === 200 || status === 204,
  isTemporary: ({ status }) => status === 429 || status >= 500,
  pauseAfter: pauseWithinLifetime,
  faultOf: ({ status, body }) =>
    status === 400 ? describedError(body, ["error", "error_description"]) : null,
};
