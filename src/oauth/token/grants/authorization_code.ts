import { credentialPrefix, findSignature } from "../../../crypto/credentials.ts";
import { OAuthError, ReplayError } from "../../../errors.ts";
import type { OAuthAuthCode } from "../../../records/definition.ts";
import { stateOfCode } from "../../../records/liveness.ts";
import { type CodeRequestData, readRequestData } from "../../../records/request_data.ts";
import type { Verdict } from "../../../storage/tokens/grants.ts";
import { defaultAudience } from "../../audience.ts";
import { mayUse } from "../../clients/client_authentication.ts";
import { otherApp, whyEnded } from "../../credential_evidence.ts";
import { evidence, fact, secondsBetween } from "../../evidence.ts";
import { required } from "../../params.ts";
import { verifyChallenge } from "../../pkce.ts";
import type { AuthorizationServer, Grant } from "../../server.ts";
import type { CodeCommit } from "../authorization.ts";
import { requireActiveUser } from "./active_user.ts";
import { narrowAudience } from "./audience.ts";

/**
 * One sentence for a code that does not exist, is another client's, or was mistyped: it tells nobody which.
 */
const unknown = "the authorization code is not one that was issued to this client";

/**
 * The authorization code grant (RFC 6749 4.1.3, RFC 7636 4.6). A code's tokens carry `family_id` = the code's
 * id.
 */
export const authorizationCode: Grant = {
  grant_type: "authorization_code",
  allowed_as: "auth_code",
  replay_event: "code_replay",
  async validate(params, client, server) {
    const { app } = client;
    const presented = required(params, "code");
    const code = await findCode(presented, server);
    if (code === undefined || code.app_id !== app.id) {
      throw new OAuthError("invalid_grant", unknown, {
        evidence:
          code === undefined
            ? fact("unknown_credential", "code", shapeOf(presented))
            : otherApp("code", code.app_id, client, server),
      });
    }
    // A second use is punished whatever else is wrong with it: somebody has the code who should not (RFC 6749
    // 4.1.2).
    if (code.used) throw replayed(code);
    const now = server.now();
    if (stateOfCode(code, now) === "expired") {
      const { created_at, expires_at } = code;
      const ages = [secondsBetween(created_at, now), secondsBetween(created_at, expires_at)] as const;
      throw new OAuthError("invalid_grant", "the authorization code has expired", {
        evidence: evidence("expired", "code", ...ages),
      });
    }
    const redirect_uri = required(params, "redirect_uri");
    if (redirect_uri !== code.redirect_uri) {
      throw new OAuthError("invalid_grant", "redirect_uri differs from that of the authorization request", {
        evidence: evidence("code_redirect_uri", "redirect_uri", redirect_uri, code.redirect_uri),
      });
    }
    verifyChallenge(code.code_challenge, code.code_challenge_method, params.get("code_verifier"));
    const user = await requireActiveUser(code.user_id, code.created_at, server);
    const { session_id, auth_time, acr, resource } = readRequestData<CodeRequestData>(code.request_data);
    const authorized_audience = resource.length > 0 ? resource : defaultAudience(client, code.scopes, server);
    const { refresh_family_max_age } = server.settings;
    return {
      client,
      user,
      granted_scopes: code.scopes,
      authorized_scopes: code.scopes,
      audience: narrowAudience(params, authorized_audience),
      authorized_audience,
      family_id: code.id,
      refreshable: mayUse(app, "refresh"),
      family_ends_at: new Date(code.created_at.getTime() + refresh_family_max_age * 1000),
      authentication: { session_id, auth_time, acr },
      nonce: code.nonce ?? undefined,
      commit: { kind: "code", code, session_id },
    };
  },
};

/** The refusal of a code that the database did not let be redeemed. */
export function codeRefusal(
  verdict: Exclude<Verdict, "spent">,
  { code, session_id }: CodeCommit,
  server: AuthorizationServer,
): OAuthError {
  if (verdict === "already_used") return replayed(code);
  return new OAuthError(
    "invalid_grant",
    "the authorization code has expired, or the session or consent behind it has ended",
    { evidence: () => whyEnded("code", { ...code, session_id }, server) },
  );
}

async function findCode(
  presented: string,
  { store }: AuthorizationServer,
): Promise<OAuthAuthCode | undefined> {
  const code_signature = findSignature(credentialPrefix.code, presented);
  return code_signature && store.find("oauth_auth_codes", { code_signature });
}

function replayed(code: OAuthAuthCode): ReplayError {
  return new ReplayError(code.id, "the authorization code was already used", {
    evidence: evidence("already_used", "code", code.used_at?.toISOString()),
  });
}

function shapeOf(presented: string) {
  return findSignature(credentialPrefix.code, presented) === undefined ? "not_shaped" : "not_issued";
}
