/**
 * Every refusal is an `OAuthError` (RFC 6749 5.2) from the catalogue in `refusals/`. Any other error means a
 * fault or an overload of the server.
 */
import { type AuthorizeInput, type AuthorizeOutcome, authorize } from "./authorize/authorize.ts";
import { answerConsent, type ConsentAnswer } from "./authorize/consent.ts";
import { type PushedAnswer, pushRequest } from "./authorize/push_request.ts";
import type { TokenResponse } from "./core/authorization.ts";
import type { AuthorizationServer, EndpointRequest } from "./core/server.ts";
import { type EndSessionInput, type EndSessionOutcome, endSession } from "./end_session.ts";
import { type IntrospectionResponse, introspect } from "./introspect.ts";
import { revoke } from "./revoke.ts";
import { token } from "./token/token.ts";
import { type UserinfoRequest, userinfo } from "./userinfo.ts";

type Operation<Input, Output> = (input: Input, server: AuthorizationServer) => Promise<Output>;

interface Protocol {
  /** RFC 6749 4.1.1, RFC 7636, OpenID Connect Core 3.1.2, RFC 9207. */
  readonly authorize: Operation<AuthorizeInput, AuthorizeOutcome>;
  readonly answerConsent: Operation<ConsentAnswer, AuthorizeOutcome>;
  /** RFC 9126 2. */
  readonly pushRequest: Operation<EndpointRequest, PushedAnswer>;
  /** RFC 6749 3.2, RFC 9449. */
  readonly token: Operation<EndpointRequest, TokenResponse>;
  /** RFC 7662. */
  readonly introspect: Operation<EndpointRequest, IntrospectionResponse>;
  /** RFC 7009. Never throws. */
  readonly revoke: Operation<EndpointRequest, void>;
  /** OpenID Connect Core 5.3. */
  readonly userinfo: Operation<UserinfoRequest, Readonly<Record<string, unknown>>>;
  /** OpenID Connect RP-Initiated Logout 1.0. */
  readonly endSession: Operation<EndSessionInput, EndSessionOutcome>;
}

/**
 * Registration (RFC 7591), discovery (RFC 8414) and protected resource metadata (RFC 9728) are separate, in
 * `registration/`, `discovery_document.ts` and `resources/`.
 */
export const protocol: Protocol = {
  authorize,
  answerConsent,
  pushRequest,
  token,
  introspect,
  revoke,
  userinfo,
  endSession,
};
