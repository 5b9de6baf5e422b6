/** Browsers in which a user is not asked for a second factor for some days (SS-10). */
import type { Row, User } from "../../records/definition.ts";
import { hasPassed } from "../../records/liveness.ts";
import type { IdentityContext } from "../context.ts";

/** Remembered browsers that are shown, the newest first. */
const mostShown = 50;

export async function rememberedDevices(
  { id: user_id }: Pick<User, "id">,
  { store, now }: Pick<IdentityContext, "store" | "now">,
): Promise<Row<"devices">[]> {
  const newest = { order_by: "id", descending: true, limit: mostShown } as const;
  const devices = await store.list("devices", { user_id }, newest);
  return devices.filter(({ expires_at }) => !hasPassed(expires_at, now()));
}

/** Forgets one of the user's own; false when there is none of this id. */
export async function forgetDevice(
  { id: user_id }: Pick<User, "id">,
  id: string,
  { store }: Pick<IdentityContext, "store">,
): Promise<boolean> {
  return (await store.remove("devices", { id, user_id })) === 1;
}
