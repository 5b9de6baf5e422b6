/** Decides which users are notified of sign-ins from new browsers (SS-9). */
import type { User } from "../../../records/definition/definition.ts";
import type { IdentityContext } from "../context/context.ts";

type Wish = Pick<User, "id" | "is_platform_admin" | "device_notices" | "last_login_at">;

/** Returns whether the user may turn the notices off. */
export function mayDecline({ is_platform_admin }: Pick<User, "is_platform_admin">): boolean {
  return !is_platform_admin;
}

/** Returns whether the user is notified, which is never the case at a first sign-in. */
export async function wantsDeviceNotice(
  user: Wish,
  { store }: Pick<IdentityContext, "store">,
): Promise<boolean> {
  if (!user.device_notices && mayDecline(user)) return false;
  const two = { limit: 2 } as const;
  const [sessions, sign_ins] = await Promise.all([
    store.list("sessions", { user_id: user.id }, two),
    store.list(
      "audit_events",
      { actor_id: user.id, actor_kind: "user", type: "sign_in", outcome: "success" },
      { ...two, order_by: "id" },
    ),
  ]);
  // Looks for an earlier sign-in in the sessions and in the audit events, because sessions are deleted long
  // before audit events.
  const isEarlier = (at: Date) => user.last_login_at === null || at < user.last_login_at;
  return sessions.length > 1 || sign_ins.some(({ created_at }) => isEarlier(created_at));
}

/** Turns the notices on or off. Platform administrators cannot turn them off. */
export async function chooseDeviceNotices(
  user: Wish,
  device_notices: boolean,
  { store }: Pick<IdentityContext, "store">,
): Promise<void> {
  if (!device_notices && !mayDecline(user)) return;
  await store.update("users", { id: user.id }, { device_notices });
}
