/** The one place where an answer to an authorization request becomes a redirect (spec 4.1, RFC 9207). */
import type { OAuthError } from "../errors.ts";
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

/** Failure: `error`, `error_description`, `state` as it was sent, `iss`. */
export function redirectWithError(
  error: OAuthError,
  { redirect_uri, state, issuer }: ReturnTo,
): RedirectOutcome {
  const { code, description } = error;
  return {
    type: "redirect",
    location: withParameters(redirect_uri, {
      error: code,
      error_description: description,
      state,
      iss: issuer,
    }),
  };
}
