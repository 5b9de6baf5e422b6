/** Assigns each refusal a short ID, under which the console explains it. */
import type { FastifyRequest } from "fastify";
import { OAuthError } from "../errors.ts";
import { recordRefusal } from "../oauth/refusals/note_refusal.ts";
import { refuse } from "../oauth/refusals/refuse.ts";
import type { WhySignInFailed } from "../oauth/refusals/request_refusals.ts";
import type { UpstreamRefusal } from "../oauth/refusals/upstream_refusals.ts";
import { anyProvider, callbackPath } from "../records/names/provider_paths.ts";
import type { ShellContext } from "./context.ts";
import { originOf } from "./request_origin.ts";
import { targetOf } from "./target.ts";

/**
 * Returns the short ID of a thrown error; undefined for a 5xx error, and for a `Problem`, which needs no
 * further explanation.
 */
export function shortIdOf(
  error: unknown,
  endpoint: string,
  request: FastifyRequest,
  context: ShellContext,
): string | undefined {
  return error instanceof OAuthError && error.status < 500
    ? note(error, endpoint, request, context)
    : undefined;
}

/**
 * Returns the short ID of a refusal of a request that matches no route, such as one with an unknown method.
 * Undefined for a path to which no client sends OAuth requests.
 */
export function shortIdAtPath(
  error: OAuthError,
  request: FastifyRequest,
  context: ShellContext,
): string | undefined {
  const { path } = targetOf(request);
  return /^\/(?:oauth|\.well-known)\/[a-z-]+$/.test(path) ? note(error, path, request, context) : undefined;
}

/** Why a sign-in failed; the page does not show it, so that all refusals look the same (L-9). */
type SignInRefusal =
  | { readonly type: "refused"; readonly reason: WhySignInFailed }
  | { readonly type: "passkey"; readonly error: string }
  /** `retry_after` is in seconds. */
  | { readonly type: "throttled"; readonly retry_after: number }
  | { readonly type: "out_of_date" };

/**
 * Returns the short ID of a failed sign-in. No app is stored with the refusal, so only platform
 * administrators may read it.
 */
export function refusedSignIn(why: SignInRefusal, request: FastifyRequest, context: ShellContext): string {
  // Failed sign-ins have their own counter.
  return note(errorOf(why), "/login", request, context, { uncounted: true });
}

function errorOf(why: SignInRefusal): OAuthError {
  switch (why.type) {
    case "refused":
      return refuse("sign_in", { reason: why.reason });
    case "passkey":
      return refuse("passkey_sign_in", { error: why.error });
    case "throttled":
      return refuse("sign_in_throttled", { retry_after: why.retry_after });
    case "out_of_date":
      return refuse("sign_in_out_of_date");
    default:
      return why satisfies never;
  }
}

/** Returns the short ID of an error at an external provider (EP-16). */
export function refusedUpstream(
  why: UpstreamRefusal,
  request: FastifyRequest,
  context: ShellContext,
): string {
  return note(refuse("upstream", why), callbackPath(anyProvider), request, context, { uncounted: true });
}

function note(
  error: OAuthError,
  endpoint: string,
  request: FastifyRequest,
  { server }: ShellContext,
  counting: { uncounted?: true } = {},
): string {
  const user_id = request.found_signed_in?.user.id;
  const origin = originOf(request);
  return recordRefusal({ endpoint, error, user_id, origin, ...counting }, server);
}
