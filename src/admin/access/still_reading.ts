import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import type { Permission, ResourceType } from "../../records/definition/permissions.ts";
import { isActive, stateOfSession, stateSince } from "../../records/names/liveness.ts";
import { type Actor, type AdminContext, type EffectivePermissions, permissionsOfActor } from "./actor.ts";

/**
 * Returns the context with the user and the permissions read again from the database. Throws 403 `forbidden`
 * if the user or session is no longer active, or the actor may now read fewer records of this type.
 */
export async function stillReading<C extends AdminContext>(
  context: C,
  resourceType: ResourceType,
): Promise<C> {
  const permission: Permission = `${resourceType}:read`;
  const refused = () => new Problem("forbidden", detail("permission_needed", { permission }));
  const actor = await actorNow(context);
  if (actor === undefined) throw refused();
  const later = { ...context, actor, remembered: {} };
  const [before, now] = await Promise.all([permissionsOfActor(context), permissionsOfActor(later)]);
  if (readsLess(before, now, permission)) throw refused();
  return later;
}

async function actorNow({ actor, store, now }: AdminContext): Promise<Actor | undefined> {
  if (actor.kind !== "user") return actor;
  const [user, session] = await Promise.all([
    store.find("users", { id: actor.user.id }),
    actor.session_id === undefined ? undefined : store.find("sessions", { id: actor.session_id }),
  ]);
  if (!isActive(user)) return undefined;
  if (actor.session_id === undefined) return { ...actor, user };
  if (session === undefined || stateOfSession(session, now()) !== "active") return undefined;
  return stateSince(user, session.authenticated_at) === "active" ? { ...actor, user } : undefined;
}

function readsLess(before: EffectivePermissions, now: EffectivePermissions, permission: Permission): boolean {
  if (before.platform) return !now.platform;
  return [...before.organizations].some(
    ([id, { permissions }]) =>
      permissions.has(permission) && now.organizations.get(id)?.permissions.has(permission) !== true,
  );
}
