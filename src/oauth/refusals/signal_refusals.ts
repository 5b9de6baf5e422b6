import { evidence, fact } from "../../records/names/evidence.ts";
import { signalScopes } from "../../records/names/names.ts";
import { invalidRequest, refusalsOf, type Texts } from "./catalogued.ts";

/** Refusals of requests by receivers of shared signals (SSF 1.0 8.1). */
export const signalRefusals = {
  signal_scope_lacking: refusalsOf("insufficient_scope")(
    ({ needs }: { needs: keyof typeof signalScopes; granted_scopes: readonly string[] }) =>
      needs === "read"
        ? `the access token must have the scope ${signalScopes.read} or ${signalScopes.manage}`
        : `the access token lacks the scope ${signalScopes.manage}; the scope ${signalScopes.read} only allows reading`,
    ({ needs, granted_scopes }) => evidence("scope_lacking", "scope", granted_scopes, [signalScopes[needs]]),
  ),
  signal_receiver: refusalsOf("insufficient_scope")(
    "the access token must be one that a confidential client requested for itself with client_credentials",
  ),
  /** Also used if the stream belongs to another receiver, so that its existence stays secret. */
  stream_unknown: refusalsOf("invalid_request", 404)("this receiver has no such stream"),
  stream_exists: refusalsOf("invalid_request", 409)("this receiver already has a stream"),
  stream_member: invalidRequest(
    ({ member, why }: Texts<"member" | "why">) => `${member} ${why}`,
    ({ member }) => fact("malformed", member, "unreadable"),
  ),
  stream_verified_lately: refusalsOf("temporarily_unavailable", 429)(
    "the stream was verified within the last five seconds; try again later",
    ({ retry_after }: { retry_after: number }) => evidence("throttled", "Retry-After", String(retry_after)),
    { retry_after: ({ retry_after }) => retry_after },
  ),
};
