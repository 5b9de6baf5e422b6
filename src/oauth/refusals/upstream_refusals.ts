import { evidence } from "../../records/names/evidence.ts";
import { refusalsOf } from "./catalogued.ts";

/** What went wrong at an external provider: facts alone, in which no secret is. */
export interface UpstreamRefusal {
  /** Its slug. */
  readonly provider: string;
  /** The member that is wrong, as the provider spells it. */
  readonly field: string;
  /** In one sentence, without values. */
  readonly sentence: string;
  readonly received: string | undefined;
  readonly expected: string | undefined;
}

/** Of sign-ins through external providers (EP-16). */
export const upstreamRefusals = {
  upstream: refusalsOf("access_denied")(
    ({ sentence }: UpstreamRefusal) => sentence,
    ({ provider, field, received, expected }) =>
      evidence("upstream", `${provider}: ${field}`, received, expected),
  ),
};
