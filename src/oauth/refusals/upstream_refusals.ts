import { evidence } from "../../records/names/evidence.ts";
import { refusalsOf } from "./catalogued.ts";

/** An error at an external provider, without secrets. */
export interface UpstreamRefusal {
  /** Its slug. */
  readonly provider: string;
  /** The invalid member, as the provider spells it. */
  readonly field: string;
  /** One sentence, without values. */
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
};
