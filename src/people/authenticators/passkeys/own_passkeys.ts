/** A person's passkeys, and the handle by which authenticators know the person. */
import { newUserHandle } from "../../../crypto/user_handles.ts";
import type { Row, User } from "../../../records/definition/definition.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { PasskeySite } from "./passkey_site.ts";

export type Passkey = Row<"passkeys">;

/** Passkeys of one person, at most. */
export const mostPasskeys = 25;

/** The person's passkeys for this host, the oldest first. */
export async function passkeysOf(
  { id: user_id }: Pick<User, "id">,
  { rp_id }: PasskeySite,
  { store }: Pick<IdentityContext, "store">,
): Promise<Passkey[]> {
  return store.list("passkeys", { user_id, rp_id }, { order_by: "id", limit: 4 * mostPasskeys });
}

/** The same for every host: after a change of the base URL, browsers no longer offer some of them. */
export async function allPasskeysOf(
  { id: user_id }: Pick<User, "id">,
  { store }: Pick<IdentityContext, "store">,
): Promise<Passkey[]> {
  return store.list("passkeys", { user_id }, { order_by: "id", limit: 4 * mostPasskeys });
}

/**
 * The user handle, created if missing: 32 random bytes in base64url that reveal nothing, the same for all the
 * user's passkeys (PK-1).
 */
export async function handleOf(
  { id }: Pick<User, "id">,
  { store }: Pick<IdentityContext, "store">,
): Promise<string> {
  // Only if there is none: another request may make one at the same moment.
  await store.update("users", { id, webauthn_handle: null }, { webauthn_handle: newUserHandle() });
  const user = await store.find("users", { id });
  if (!user?.webauthn_handle) throw new TypeError("a user has a handle once one was made");
  return user.webauthn_handle.toString("base64url");
}

/** A person's own passkey; undefined for another person's. */
export async function ownPasskey(
  { id: user_id }: Pick<User, "id">,
  id: string,
  { store }: Pick<IdentityContext, "store">,
): Promise<Passkey | undefined> {
  return store.find("passkeys", { id, user_id });
}
