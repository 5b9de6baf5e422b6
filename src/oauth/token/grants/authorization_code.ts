import { credentialPrefix, findSignature } from "../../../crypto/credentials.ts";
import type { OAuthAuthCode } from "../../../records/definition/definition.ts";
import { isAhead, stateOfCode } from "../../../records/names/liveness.ts";
import { type CodeRequestData, readRequestData } from "../../../records/names/request_data.ts";
import { onlyPassword } from "../../core/authorization.ts";
import { required } from "../../core/params.ts";
import { verifyChallenge } from "../../core/pkce.ts";
import { mayUse, rulesFor } from "../../core/rules_for.ts";
import type { AuthorizationServer, Grant } from "../../core/server.ts";
import { memberOf, requireAdmission, requireScopesOfRoles } from "../../organizations/context.ts";
import { refuse } from "../../refusals/refuse.ts";
import { defaultAudience, narrowAudience } from "../../resources/audience.ts";
import { requireActiveUser } from "./active_user.ts";

/**
 * The authorization code grant (RFC 6749 4.1.3, RFC 7636 4.6). The `family_id` of a code's tokens is the
 * code's id.
 */
export const authorizationCode: Grant = {
  grant_type: "authorization_code",
  allowed_as: "auth_code",
  statistic: "tokens_code",
  replay_event: "code_replay",
  async validate(params, client, server) {
    const { app } = client;
    const presented = required(params, "code");
    const code = await findCode(presented, server);
    if (code === undefined) throw refuse("code_unknown", { presented });
    if (code.app_id !== app.id) throw refuse("code_of_other_app", { issued_to: code.app_id, client, server });
    // A second use revokes the code's tokens even if the request has other errors, because another caller may
    // have the code (RFC 6749 4.1.2).
    const now = server.now();
    const state = stateOfCode(code, now);
    if (state === "used") throw refuse("code_replayed", code);
    // A clock that is set back does not extend a code's life (docs/decisions/operations.md).
    const made_at = new Date(code.expires_at.getTime() - rulesFor(app, server).code_ttl * 1000);
    if (state === "expired" || isAhead(made_at, now)) throw refuse("code_expired", { ...code, now });
    const expected = code.redirect_uri;
    const received = rulesFor(app, server).redirect_uri_at_token
      ? required(params, "redirect_uri")
      : (params.get("redirect_uri") ?? expected);
    if (received !== expected) throw refuse("code_redirect_uri", { received, expected });
    verifyChallenge(code.code_challenge, code.code_challenge_method, params.get("code_verifier"));
    const user = await requireActiveUser(code.user_id, code.created_at, server);
    const member = await memberOf(code, server);
    await requireAdmission(user, app, server, { member, at: "token" });
    const { session_id, auth_time, acr, amr, of_organization, session_ends_at, resource } =
      readRequestData<CodeRequestData>(code.request_data);
    const usual = resource.length > 0 ? undefined : defaultAudience(client, code.scopes, server);
    const authorized_audience = usual?.audience ?? resource;
    const audience_source = usual === undefined ? "asked" : usual.audience_source;
    const { scopes, ...narrowed } = await narrowAudience(
      params,
      client,
      {
        authorized: authorized_audience,
        source: audience_source,
        created_at: code.created_at,
        scopes: code.scopes,
      },
      server,
    );
    const { refresh_family_max_age } = server.settings;
    return {
      client,
      user,
      member,
      granted_scopes: requireScopesOfRoles(scopes, { ...narrowed, member, app }, "token"),
      authorized_scopes: code.scopes,
      ...narrowed,
      audience_source,
      authorized_audience,
      family_id: code.id,
      refreshable: mayUse(app, "refresh"),
      family_ends_at: new Date(code.created_at.getTime() + refresh_family_max_age * 1000),
      authentication: {
        ...{ session_id, auth_time, acr, of_organization, session_ends_at },
        amr: amr ?? onlyPassword,
      },
      nonce: code.nonce ?? undefined,
      bound_to: code.dpop_jkt === null ? null : { jkt: code.dpop_jkt },
      commit: { kind: "code", code, session_id },
    };
  },
};

async function findCode(
  presented: string,
  { store }: AuthorizationServer,
): Promise<OAuthAuthCode | undefined> {
  const code_signature = findSignature(credentialPrefix.code, presented);
  return code_signature && store.find("oauth_auth_codes", { code_signature });
}
