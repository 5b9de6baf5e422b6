import { evidence, fact } from "../../records/names/evidence.ts";
import { invalidRequest, missing, refusalsOf, type Texts } from "./catalogued.ts";
import { nearestFirst } from "./nearest.ts";

const short = (name: string) => (name.length > 40 ? `${name.slice(0, 40)}…` : name);

export interface Repeated {
  readonly name: string;
  readonly times: number;
}

/** The sign-in page does not show the reason (L-9). */
export type WhySignInFailed =
  | "unknown_user"
  | "inactive_user"
  | "wrong_password"
  | "changed_meanwhile"
  | "foreign_password_over";

export const requestRefusals = {
  parameter_missing: invalidRequest(
    ({ name }: Texts<"name">) => `the parameter ${name} is missing`,
    ({ name }) => evidence("missing", name),
  ),
  parameter_repeated: invalidRequest(
    ({ name }: Repeated) => `the parameter ${short(name)} must not be repeated`,
    ({ name, times }) => evidence("repeated", short(name), String(times), "1"),
  ),
  percent_encoding: invalidRequest("the parameters contain invalid percent-encoding", () =>
    fact("malformed", "parameters", "percent_encoding"),
  ),
  nul_character: invalidRequest("the parameters contain a NUL character", () =>
    fact("malformed", "parameters", "nul"),
  ),
  too_many_parameters: invalidRequest(
    ({ most }: { most: number }) => `the request has more than ${most} parameters`,
    ({ most }) => fact("malformed", "parameters", "too_many", String(most)),
  ),
  body_ended_early: invalidRequest("the request body ended early", () =>
    fact("malformed", "body", "ended_early"),
  ),
  body_not_utf8: invalidRequest("the body is not UTF-8", () => fact("malformed", "body", "not_utf8")),
  body_not_form: refusalsOf("invalid_request", 415)(
    ({ expected }: { received: string | undefined; expected: string }) =>
      `the content type must be ${expected}`,
    ({ received, expected }) => evidence("content_type", "Content-Type", received, expected),
  ),
  body_too_large: refusalsOf("invalid_request", 413)(
    ({ most }: { most: number }) => `the body is larger than ${most} bytes`,
    ({ most }) => evidence("too_large", "body", null, String(most)),
  ),
  address_too_long: refusalsOf("invalid_request", 414)(
    ({ most }: { length: number; most: number }) => `the request URL is longer than ${most} characters`,
    ({ length, most }) => evidence("too_large", "address", String(length), String(most)),
  ),
  /** The web framework refuses the body and reports no sizes. */
  body_refused: refusalsOf("invalid_request", 413)("the body is too large", () =>
    evidence("too_large", "body"),
  ),
  address_refused: refusalsOf("invalid_request", 414)("the URL is too long", () =>
    evidence("too_large", "address"),
  ),
  method: refusalsOf("invalid_request", 405)(
    ({ method }: { method: string; allowed: readonly string[] }) =>
      `the method ${method} is not allowed here`,
    ({ method, allowed }) => evidence("method", "method", method, allowed),
  ),
};

export const logoutRefusals = {
  hint_of_other_client: invalidRequest(
    "id_token_hint was not issued to the client in client_id",
    ({ client_id }: Texts<"client_id">) => fact("id_token_hint", "id_token_hint", "another_app", client_id),
  ),
  logout_client_missing: invalidRequest(
    "post_logout_redirect_uri requires an id_token_hint or the client_id of a registered client",
    missing("client_id"),
  ),
  post_logout_redirect_uri: invalidRequest(
    "post_logout_redirect_uri is not registered for this client",
    ({ uri, registered }: { uri: string; registered: readonly string[] }) =>
      evidence("post_logout_redirect_uri", "post_logout_redirect_uri", uri, nearestFirst(uri, registered)),
  ),
};

export const pageRefusals = {
  sign_in_ended: refusalsOf("login_required")(
    "the sign-in has expired; start again from the application",
    () => evidence("not_signed_in", "session"),
  ),
  foreign_form: refusalsOf("invalid_request", 403)(
    "the form is out of date or was sent from another site; go back and try again",
    () => fact("foreign_form", "csrf_token", "foreign_or_old"),
  ),
  decision: invalidRequest(
    "decision must be allow or deny",
    ({ received }: { received: string | undefined }) =>
      evidence("one_of", "decision", received, ["allow", "deny"]),
  ),
  dead_setup_link: refusalsOf("invalid_request", 404)(
    "this setup link was already used or has expired; restart the server to get a new one",
    () => evidence("dead_link", "token"),
  ),
  /** The sign-in page shows the same message for every reason (L-9). */
  sign_in: refusalsOf("access_denied")("the sign-in failed", ({ reason }: { reason: WhySignInFailed }) =>
    fact("sign_in", "password", reason),
  ),
  passkey_sign_in: refusalsOf("access_denied")("the passkey was not accepted", ({ error }: Texts<"error">) =>
    fact("sign_in", `passkey: ${error}`, "passkey_refused"),
  ),
  sign_in_throttled: refusalsOf("access_denied")(
    "too many sign-in attempts; try again later",
    ({ retry_after }: { retry_after: number }) => evidence("throttled", "Retry-After", String(retry_after)),
  ),
  sign_in_out_of_date: invalidRequest("the form is out of date or was sent from another site", () =>
    fact("foreign_form", "csrf_token", "foreign_or_old"),
  ),
  style_sheet: refusalsOf("invalid_request", 404)("this style sheet does not exist"),
  /** The demo server accepts requests only from its own machine (RFC 9110 15.5.20). */
  demo_elsewhere: refusalsOf(
    "invalid_request",
    421,
  )(
    "the demo accepts requests only from the machine that it runs on, addressed to localhost or the host of its base URL",
  ),
};
