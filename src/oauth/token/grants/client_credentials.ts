import { OAuthError } from "../../../errors.ts";
import { evidence } from "../../evidence.ts";
import { isAboutUser, narrowScopes, readScopes, unaskedScopes, userScopeError } from "../../scope.ts";
import type { Grant } from "../../server.ts";
import { machineAuthorization } from "./machine_authorization.ts";

/** The client acts for itself (RFC 6749 4.4): no user, no refresh token. */
export const clientCredentials: Grant = {
  grant_type: "client_credentials",
  allowed_as: "client_credentials",
  async validate(params, client, server) {
    if (client.app.public) {
      throw new OAuthError("unauthorized_client", "a public client has no credentials to present", {
        evidence: evidence("client_authentication", "client authentication", client.method, [
          "client_secret_basic",
          "client_secret_post",
        ]),
      });
    }
    const { app } = client;
    const asked = params.get("scope");
    const scopes =
      asked === undefined
        ? unaskedScopes(app, app.allowed_scopes)
        : narrowScopes(readScopes(asked), app.allowed_scopes);
    if (scopes.some(isAboutUser)) throw userScopeError(scopes);
    return {
      ...machineAuthorization(params, client, scopes, server),
      async commit(token, answer) {
        const { secret_id } = client;
        const proof =
          secret_id === undefined ? ({ type: "none" } as const) : ({ type: "secret", secret_id } as const);
        if (await server.store.insertToken(token, proof)) return answer;
        // What is remembered here of the client was true a moment ago, or another process has just deleted
        // it.
        const cause = "the app, its organization or the secret ended while the token was made";
        throw new OAuthError("invalid_client", "client authentication failed", { cause });
      },
    };
  },
};
