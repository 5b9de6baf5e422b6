/** The one place where an authorization request is answered to its client (spec 4.1, RFC 9207). */
import { OAuthError } from "../../errors.ts";
import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import { recordRefusal, refusalUri } from "../refusals/note_refusal.ts";
import type { AuthorizationServer } from "../server.ts";
import type { IdentifiedClient } from "./identified_client.ts";
import { type AnswerOutcome, answerInMode } from "./response_modes.ts";

/** Success: `code`, `state` as it was sent, `iss`. */
export function answerWithCode(
  code: string,
  identified: IdentifiedClient,
  server: AuthorizationServer,
): AnswerOutcome {
  const state = identified.params.get("state");
  return answerInMode(identified, { code, state, iss: server.issuer }, server);
}

/** The authorization request that is refused. */
interface RefusedAuthorization {
  /** The path where it was refused. */
  readonly endpoint: string;
  readonly identified: IdentifiedClient;
  readonly signedIn: SignedIn | undefined;
  readonly origin: RequestOrigin;
}

/**
 * Failure: `error`, `error_description`, `error_uri`, `state` as it was sent, `iss` (RFC 6749 4.1.2.1).
 * Throws what is no error for the client: a fault of ours is not dressed up as one.
 */
export function answerWithError(
  error: unknown,
  { endpoint, identified, signedIn, origin }: RefusedAuthorization,
  server: AuthorizationServer,
): AnswerOutcome {
  // A reference that was used is refused on a page, whether the first answer came before or just now.
  if (!(error instanceof OAuthError) || error.kind === "pushed_used") throw error;
  const { client, params } = identified;
  const user_id = signedIn?.user.id;
  error.about(client.app);
  const short_id = recordRefusal({ endpoint, error, user_id, origin }, server);
  const parameters = {
    error: error.code,
    error_description: error.description,
    error_uri: refusalUri(short_id, server),
    state: params.get("state"),
    iss: server.issuer,
  };
  return answerInMode(identified, parameters, server);
}
