import { OAuthError } from "../../../errors.ts";
import { evidence } from "../../evidence.ts";
import { isAboutUser, narrowScopes, readScopes, unaskedScopes, userScopeError } from "../../scope.ts";
import type { Grant } from "../../server.ts";
import { machineAuthorization } from "./machine_authorization.ts";

/** The client acts for itself (RFC 6749 4.4): no user, no refresh token. */
export const clientCredentials: Grant = {
  grant_type: "client_credentials",
  allowed_as: "client_credentials",
  replay_event: undefined,
  async validate(params, client, server) {
    if (client.app.public) {
      throw new OAuthError("unauthorized_client", "a public client has no credentials to present", {
        evidence: evidence("client_authentication", "client authentication", client.method, [
          "client_secret_basic",
          "client_secret_post",
        ]),
      });
    }
    const { app, secret_id } = client;
    const asked = params.get("scope");
    const scopes =
      asked === undefined
        ? unaskedScopes(app, app.allowed_scopes)
        : narrowScopes(readScopes(asked), app.allowed_scopes);
    if (scopes.some(isAboutUser)) throw userScopeError(scopes);
    return {
      ...machineAuthorization(params, client, scopes, server),
      commit: {
        kind: "insert",
        proof: secret_id === undefined ? { type: "none" } : { type: "secret", secret_id },
      },
    };
  },
};
