import { evidence } from "../../records/names/evidence.ts";
import { refusalsOf } from "./catalogued.ts";

/** An error at an external provider, without secrets. */
export interface UpstreamRefusal {
  readonly provider: string;
  readonly field: string;
  /** The description in the response, which must not quote values. */
  readonly sentence: string;
  readonly received: string | undefined;
  readonly expected: string | undefined;
}

/** Refusals of sign-ins through external providers (EP-16). */
export const upstreamRefusals = {
  upstream: refusalsOf("access_denied")(
    ({ sentence }: UpstreamRefusal) => sentence,
    ({ provider, field, received, expected }) =>
      evidence("upstream", `${provider}: ${field}`, received, expected),
  ),
  /** One sentence for all errors, so the caller learns nothing about keys, users and sessions. */
  upstream_logout: refusalsOf("invalid_request")(
    "the logout token is not valid for this provider",
    ({ provider, field, received, expected }: Omit<UpstreamRefusal, "sentence">) =>
      evidence("upstream", `${provider}: ${field}`, received, expected),
  ),
};
