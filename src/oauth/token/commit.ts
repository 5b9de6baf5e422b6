import type {
  Authorization,
  Commit,
  EarlierAnswer,
  Redeemer,
  SignedToken,
  TokenResponse,
} from "../core/authorization.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { requireKey } from "../dpop/sender.ts";
import { refuse } from "../refusals/refuse.ts";
import { assertionRefusal } from "./grants/jwt_bearer.ts";
import { earlierAnswer, reuseWindow, sameOrganization } from "./grants/refresh_token.ts";

/**
 * Stores the token and marks the grant as used, both or neither. Returns the response to send: after a
 * concurrent refresh, the response to the first refresh. Throws `OAuthError` or `ReplayError` if the grant
 * was used, or a record that it depends on has ended.
 */
export async function commitToken(
  commit: Commit,
  signed: SignedToken,
  redeemer: Redeemer & { readonly authorization: Authorization },
  server: AuthorizationServer,
): Promise<TokenResponse> {
  const { row, answer } = signed;
  const { store } = server;
  const now = server.now();
  switch (commit.kind) {
    case "code": {
      const { code, session_id } = commit;
      const token = { ...row, user_id: code.user_id };
      const outcome = await store.redeemCode({ code_id: code.id, session_id, token, now });
      if (outcome === "spent") return answer;
      if (outcome === "already_used") throw refuse("code_replayed", code);
      throw refuse("code_ended", { dependency: { ...code, session_id }, server });
    }
    case "refresh": {
      const { id, user_id } = commit.predecessor.row;
      const token = { ...row, user_id };
      const outcome = commit.rotates
        ? await store.rotateRefreshToken({ id, replacement: token, now, ...reuseWindow(commit, signed, now) })
        : await store.refreshWithoutRotation({ id, addition: token, now });
      if (outcome === "spent") return answer;
      // Another request has used the refresh token first; within the reuse window, both get the same
      // response.
      if (outcome === "already_used") {
        const earlier = await earlierAnswer(commit.predecessor, server);
        return answerAgain(sameOrganization(earlier, redeemer.authorization), redeemer);
      }
      throw refuse("refresh_token_ended", { dependency: commit.predecessor.row, server });
    }
    case "assertion": {
      const { account, key_pair_id } = commit;
      const token = { ...row, service_account_id: account.id };
      const outcome = await store.redeemAssertion({ ...commit, token, now });
      if (outcome !== "spent") throw assertionRefusal(outcome, account, server, redeemer.origin);
      store.queueUse("service_accounts", account.id, now);
      store.queueUse("service_account_key_pairs", key_pair_id, now);
      return answer;
    }
    case "insert": {
      if (await store.insertToken(row, commit.proof)) return answer;
      // The cached client is out of date, or another process has just deleted the client.
      throw refuse("client_ended");
    }
    default:
      return commit satisfies never;
  }
}

/**
 * Returns the response to the first refresh. Throws if its tokens are bound to a key that the sender did not
 * prove.
 */
export function answerAgain(
  { answer, bound_to }: EarlierAnswer,
  { sender }: Pick<Redeemer, "sender">,
): TokenResponse {
  requireKey(bound_to, sender);
  return answer;
}
