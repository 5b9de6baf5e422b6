import { newUserHandle } from "../../../crypto/user_handles.ts";
import type { Row, User } from "../../../records/definition/definition.ts";
import type { IdentityContext } from "../../core/context/context.ts";
import type { PasskeySite } from "./passkey_site.ts";

export type Passkey = Row<"passkeys">;

/** Maximum number of passkeys per user and host, because a request to the authenticator lists them all. */
export const mostPasskeys = 25;

/** Returns the user's passkeys for this host, oldest first. */
export async function passkeysOf(
  { id: user_id }: Pick<User, "id">,
  { rp_id }: PasskeySite,
  { store }: Pick<IdentityContext, "store">,
): Promise<Passkey[]> {
  return store.list("passkeys", { user_id, rp_id }, { order_by: "id", limit: 4 * mostPasskeys });
}

/**
 * Returns the user's passkeys for all hosts. After a change of the base URL, browsers no longer offer some
 * of them.
 */
export async function allPasskeysOf(
  { id: user_id }: Pick<User, "id">,
  { store }: Pick<IdentityContext, "store">,
): Promise<Passkey[]> {
  return store.list("passkeys", { user_id }, { order_by: "id", limit: 4 * mostPasskeys });
}

/**
 * Returns the user handle, which all the user's passkeys share, in base64url (PK-1). Creates it if missing.
 */
export async function handleOf(
  { id }: Pick<User, "id">,
  { store }: Pick<IdentityContext, "store">,
): Promise<string> {
  // Another request may create a handle at the same moment.
  await store.update("users", { id, webauthn_handle: null }, { webauthn_handle: newUserHandle() });
  const user = await store.find("users", { id });
  if (!user?.webauthn_handle) throw new TypeError("the user has no handle although one was created");
  return user.webauthn_handle.toString("base64url");
}

/** Returns one of the user's own passkeys; undefined for another user's. */
export async function ownPasskey(
  { id: user_id }: Pick<User, "id">,
  id: string,
  { store }: Pick<IdentityContext, "store">,
): Promise<Passkey | undefined> {
  return store.find("passkeys", { id, user_id });
}
