import { confidentialMethods } from "../../offered.ts";
import { refuse } from "../../refusals/refuse.ts";
import {
  machineDefaultScopes,
  narrowScopes,
  readScopes,
  refuseUserScopes,
} from "../../resources/requested.ts";
import type { Grant } from "../../server.ts";
import { machineAuthorization } from "./machine_authorization.ts";

/** The client acts for itself (RFC 6749 4.4): no user, no refresh token. */
export const clientCredentials: Grant = {
  grant_type: "client_credentials",
  allowed_as: "client_credentials",
  statistic: "tokens_machine",
  replay_event: undefined,
  async validate(params, client, server) {
    if (client.app.public) {
      const methods = confidentialMethods(server);
      throw refuse("client_credentials_of_none", { method: client.method, methods });
    }
    const { app, proof } = client;
    const asked = params.get("scope");
    const scopes =
      asked === undefined
        ? machineDefaultScopes(app, app.allowed_scopes)
        : narrowScopes(readScopes(asked), app.allowed_scopes);
    refuseUserScopes(scopes);
    return {
      ...(await machineAuthorization(params, client, scopes, server)),
      commit: { kind: "insert", proof },
    };
  },
};
