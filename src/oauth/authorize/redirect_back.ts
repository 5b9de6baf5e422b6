/** The one place where an answer to an authorization request becomes a redirect (spec 4.1, RFC 9207). */
import { OAuthError } from "../../errors.ts";
import type { RequestOrigin, SignedIn } from "../../records/request_origin.ts";
import { recordRefusal, refusalUri } from "../refusals/note_refusal.ts";
import type { AuthorizationServer } from "../server.ts";
import type { IdentifiedClient } from "./authorization_request.ts";
import { withParameters } from "./redirect_uri.ts";

export interface RedirectOutcome {
  readonly type: "redirect";
  readonly location: string;
}

interface ReturnTo {
  readonly redirect_uri: string;
  readonly state: string | undefined;
  readonly issuer: string;
}

/** Success: `code`, `state` as it was sent, `iss`. */
export function redirectWithCode(code: string, { redirect_uri, state, issuer }: ReturnTo): RedirectOutcome {
  return { type: "redirect", location: withParameters(redirect_uri, { code, state, iss: issuer }) };
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
export function redirectWithError(
  error: unknown,
  { endpoint, identified, signedIn, origin }: RefusedAuthorization,
  server: AuthorizationServer,
): RedirectOutcome {
  // A reference that was used is refused on a page, whether the first answer came before or just now.
  if (!(error instanceof OAuthError) || error.kind === "pushed_used") throw error;
  const { client, redirect_uri, params } = identified;
  const user_id = signedIn?.user.id;
  error.about(client.app);
  const short_id = recordRefusal({ endpoint, error, user_id, origin }, server);
  return {
    type: "redirect",
    location: withParameters(redirect_uri, {
      error: error.code,
      error_description: error.description,
      error_uri: refusalUri(short_id, server),
      state: params.get("state"),
      iss: server.issuer,
    }),
  };
}
