import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import {
  acrLately,
  lately,
  methodsOf,
  mfaAcr,
  reachesAcr,
  sudoAge,
} from "../../records/names/sign_in_methods.ts";
import { requirePlatform } from "../access/access.ts";
import type { AdminContext } from "../access/actor.ts";

/** Throws 403 `forbidden` unless the actor may remove second factors of this user (MF-10). */
export async function requireMayTakeFactors(context: AdminContext, user_id: string): Promise<void> {
  await requirePlatform(context);
  const { actor, store, now } = context;
  if (actor.kind === "system") return;
  if (actor.kind !== "user" || actor.session_id === undefined || actor.scopes !== undefined)
    throw new Problem("forbidden", detail("reset_in_browser"));
  if (actor.user.id === user_id) throw new Problem("forbidden", detail("own_factors"));
  const session = await store.find("sessions", { id: actor.session_id });
  const when = lately(sudoAge, now());
  if (session !== undefined && reachesAcr(acrLately(methodsOf(session), when), mfaAcr)) return;
  throw new Problem("forbidden", detail("reset_takes_second_factor", { seconds: sudoAge / 1000 }));
}
