/**
 * The level of sign-in that a request asks for: `acr_values` and the app's `require_acr` (SU-3, OpenID
 * Connect Core 3.1.2.1, 5.5.1.1, RFC 9470 4).
 */
import type { OAuthApp } from "../../records/definition/definition.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import {
  type Acr,
  highestAcr,
  isAcr,
  reachesAcr,
  type SignInMethod,
  toldAuthentication,
} from "../../records/names/sign_in_methods.ts";
import type { Params } from "../params.ts";
import { refuse } from "../refusals/refuse.ts";
import type { AuthorizationServer } from "../server.ts";

/**
 * The levels any of which will do, in the order of the wishes; none where nothing is asked for. A wish below
 * what the app requires is none, and neither is a level that this server does not know.
 */
export function askedAcr(params: Params, { require_acr }: Pick<OAuthApp, "require_acr">): readonly Acr[] {
  const wishes = (params.get("acr_values") ?? "").split(" ").filter(isAcr);
  if (require_acr === null) return wishes;
  const enough = wishes.filter((wish) => reachesAcr(wish, require_acr));
  return enough.length > 0 ? enough : [require_acr];
}

/** What is asked of the level, and what is held. */
interface StepUp {
  readonly asked: readonly Acr[];
  readonly app: Pick<OAuthApp, "require_acr">;
  /** The proofs that count for the request. */
  readonly methods: readonly SignInMethod[];
  /** The person may not be asked anything (`prompt=none`). */
  readonly silent: boolean;
  readonly signedIn: SignedIn;
}

/**
 * The level that the person has to step up to: of those asked for the easiest that they can reach. Undefined
 * where one is held, or where none can be reached and the app takes less. What the account has enrolled is
 * read only when more is asked for than is held. Throws `login_required` where nobody may be asked, and
 * `unmet_authentication_requirements` (OpenID Connect Core Error Code unmet_authentication_requirements 1.0).
 */
export async function stepUpFor(
  { asked, app, methods, silent, signedIn }: StepUp,
  server: AuthorizationServer,
): Promise<Acr | undefined> {
  const held = toldAuthentication(methods)?.acr;
  if (asked.length === 0 || asked.some((level) => reachesAcr(held, level))) return undefined;
  const highest = highestAcr(await server.store.enrolledMethods(signedIn.user));
  const [easiest] = asked
    .filter((level) => reachesAcr(highest, level))
    .toSorted((one, other) => Number(reachesAcr(one, other)) - Number(reachesAcr(other, one)));
  if (easiest === undefined && app.require_acr !== null) throw refuse("acr_unreachable", { highest, asked });
  if (easiest !== undefined && silent) throw refuse("acr_not_held", { held, asked });
  return easiest;
}
