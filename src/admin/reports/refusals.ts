import { readShortId } from "../../crypto/short_ids.ts";
import type { Refusal } from "../../records/definition/definition.ts";
import { isUuid } from "../../records/formats/check.ts";
import { hasPassed } from "../../records/names/liveness.ts";
import { permissionsAnywhere, requirePermission } from "../access/access.ts";
import { type AdminContext, permissionsOfActor } from "../access/actor.ts";
import { notFound } from "../access/errors.ts";
import { labelsOf } from "./labels.ts";

/** The name is absent if the record was deleted or the actor may not read it. */
interface RefusalParty {
  readonly id: string;
  readonly name?: string;
}

export interface ExplainedRefusal {
  readonly refusal: Refusal;
  readonly app?: RefusalParty;
  readonly user?: RefusalParty;
  readonly audited: boolean;
}

/**
 * Returns a refused request, given its UUID or its short id in any spelling that `readShortId` accepts.
 * Throws 404 `not_found` if it does not exist or the actor may not read it.
 */
export async function explainRefusal(context: AdminContext, id: string): Promise<ExplainedRefusal> {
  const { store, now } = context;
  await store.flushRefusals();
  const refusal = await findRefusal(context, id);
  if (refusal === undefined || hasPassed(refusal.expires_at, now()))
    throw notFound("refusals", id.slice(0, 40));
  await requirePermission(context, "refusals:read", "refusals", refusal.id, { name: id.slice(0, 40) });
  const { app_id, user_id } = refusal;
  const app = app_id === null ? undefined : { table: "oauth_apps", id: app_id };
  const user = user_id === null ? undefined : { table: "users", id: user_id };
  const labels = await labelsOf(context, [...(app ? [app] : []), ...(user ? [user] : [])]);
  const party = (of: { table: string; id: string }): RefusalParty => {
    const name = labels(of)?.name;
    return { id: of.id, ...(name !== undefined && { name }) };
  };
  return {
    refusal,
    ...(app && { app: party(app) }),
    ...(user && { user: party(user) }),
    audited: permissionsAnywhere(await permissionsOfActor(context)).has("audit_events:read"),
  };
}

async function findRefusal({ store }: AdminContext, id: string): Promise<Refusal | undefined> {
  if (isUuid(id)) return store.find("refusals", { id: id.toLowerCase() });
  const short_id = readShortId(id);
  return short_id === undefined ? undefined : store.find("refusals", { short_id });
}
