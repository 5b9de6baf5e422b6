/** Refusals on their way out: each gets a short id, by which it is explained in the console. */
import type { FastifyRequest } from "fastify";
import { type EvidenceSource, OAuthError } from "../errors.ts";
import { evidence, fact } from "../oauth/evidence.ts";
import { noteRefusal } from "../oauth/refusals.ts";
import type { HttpContext } from "./context.ts";
import { requesterOf } from "./requester.ts";
import { targetOf } from "./target.ts";
import { foundSignedIn } from "./visitor.ts";

interface Told {
  readonly status: number;
  readonly code: string;
  readonly description: string;
}

/**
 * The short id of what was thrown; undefined for a fault of ours and for a `Problem`, which says itself what
 * was wrong. `endpoint` is the pattern of the route.
 */
export function refusalOf(
  error: unknown,
  told: Told,
  endpoint: string,
  request: FastifyRequest,
  context: HttpContext,
): string | undefined {
  if (error instanceof OAuthError && error.status < 500) {
    return note({ ...told, evidence: error.evidence, app: error.app }, endpoint, request, context);
  }
  // What the framework refuses carries no evidence, and is told by its status alone.
  return told.status in ofFramework
    ? note({ ...told, evidence: ofFramework[told.status] ?? [] }, endpoint, request, context)
    : undefined;
}

const ofFramework: Readonly<Record<number, EvidenceSource>> = {
  413: evidence("too_large", "body"),
  414: evidence("too_large", "address"),
};

/**
 * The short id of a request with a method that the endpoint does not take; undefined where clients have no
 * business.
 */
export function wrongMethod(
  told: Told,
  allowed: readonly string[],
  request: FastifyRequest,
  context: HttpContext,
): string | undefined {
  const { path } = targetOf(request);
  if (!/^\/(?:oauth|\.well-known)\/[a-z-]+$/.test(path)) return undefined;
  const proof = evidence("method", "method", request.method, allowed);
  return note({ ...told, evidence: proof }, path, request, context);
}

/** Why somebody could not sign in: the page tells nobody, so that it looks the same whatever it was (L-9). */
export type SignInRefusal =
  | {
      readonly type: "refused";
      readonly reason: "unknown_user" | "inactive_user" | "wrong_password" | "changed_meanwhile";
    }
  /** `retry_after` in seconds. */
  | { readonly type: "throttled"; readonly retry_after: number }
  | { readonly type: "out_of_date" };

/** The short id of a sign-in that failed. It concerns no app: only platform administrators may read it. */
export function refusedSignIn(why: SignInRefusal, request: FastifyRequest, context: HttpContext): string {
  return note(
    {
      code: signInErrors[why.type],
      description: signInDescriptions[why.type],
      evidence: signInEvidence(why),
      // Sign-ins that fail are counted as what they are.
      uncounted: true,
    },
    "/login",
    request,
    context,
  );
}

const signInErrors = {
  refused: "access_denied",
  throttled: "access_denied",
  out_of_date: "invalid_request",
} as const;

const signInDescriptions = {
  refused: "the sign-in failed",
  throttled: "too many attempts to sign in",
  out_of_date: "the form is out of date or was sent from another site",
} as const;

function signInEvidence(why: SignInRefusal): EvidenceSource {
  if (why.type === "out_of_date") return fact("foreign_form", "csrf_token", "foreign_or_old");
  if (why.type === "throttled") return evidence("throttled", "Retry-After", String(why.retry_after));
  return fact("sign_in", "password", why.reason);
}

function note(
  refused: Omit<Parameters<typeof noteRefusal>[0], "endpoint" | "error" | "requester"> & { code: string },
  endpoint: string,
  request: FastifyRequest,
  { server }: HttpContext,
): string {
  const { code, description, evidence: proof, app, uncounted } = refused;
  return noteRefusal(
    {
      endpoint,
      error: code,
      description,
      evidence: proof,
      app,
      user_id: foundSignedIn(request)?.user.id,
      requester: requesterOf(request),
      ...(uncounted && { uncounted }),
    },
    server,
  );
}
