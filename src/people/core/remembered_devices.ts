/**
 * Browsers in which a user may skip the second factor for some days (MF-13,
 * docs/decisions/second-factors.md). The server stores only the signatures of their tokens.
 */
import { credentialPrefix, findSignature, newCredential } from "../../crypto/credentials.ts";
import type { Row, User } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { hasPassed, madeAt, stateSince } from "../../records/names/liveness.ts";
import { userLock } from "../../records/names/lock_names.ts";
import { authenticationClaims, type SignInMethod } from "../../records/names/sign_in_methods.ts";
import { auditOwnAct } from "./audit_own_act.ts";
import type { IdentityContext } from "./context/context.ts";
import { areHeld } from "./held_credentials.ts";

type Device = Row<"devices">;

const day = 86_400_000;
const mostPeople = 4;
const mostDevices = 50;
const separator = ".";

type Reads = Pick<IdentityContext, "store" | "now" | "settings">;

/** Returns how many days a browser of this user may be remembered; 0 means never. */
export function rememberedDays(
  { is_platform_admin }: Pick<User, "is_platform_admin">,
  { settings }: Pick<IdentityContext, "settings">,
): number {
  return is_platform_admin ? 0 : (settings?.remember_device_days ?? 0);
}

/** Returns whether this kind of second factor allows the browser to be remembered. */
export function mayBeRemembered({ kind }: Pick<SignInMethod, "kind">): boolean {
  return kind === "totp" || kind === "passkey";
}

/** An event that ends the user's tokens, such as a new password, also ends a remembered browser. */
function isRemembered({ expires_at, created_at }: Device, user: User, context: Reads): boolean {
  const now = context.now();
  const until = new Date(created_at.getTime() + rememberedDays(user, context) * day);
  if (hasPassed(expires_at, now) || hasPassed(until, now)) return false;
  return stateSince(user, created_at) === "active";
}

const tokensIn = (cookie: string | undefined): readonly string[] =>
  cookie === undefined ? [] : cookie.split(separator, mostPeople + 1).slice(0, mostPeople);

const signaturesIn = (cookie: string | undefined): readonly Buffer[] =>
  tokensIn(cookie).flatMap((token) => findSignature(credentialPrefix.device, token) ?? []);

/** Records the use of a remembered browser, and returns whether it replaces the second factor. */
export async function useRememberedDevice(
  user: User,
  { cookie, methods }: { readonly cookie: string | undefined; readonly methods: readonly SignInMethod[] },
  context: Reads,
): Promise<boolean> {
  if (rememberedDays(user, context) === 0) return false;
  // A mailed code is not a first factor, so a mailed code and a remembered browser together are not a
  // sign-in.
  if (authenticationClaims(methods) === undefined) return false;
  const { store, now } = context;
  for (const token_signature of signaturesIn(cookie)) {
    const device = await store.find("devices", { token_signature, user_id: user.id });
    if (device === undefined || !isRemembered(device, user, context)) continue;
    // The row may be deleted concurrently.
    if ((await store.update("devices", { id: device.id }, { last_used_at: now() })) === 1) return true;
  }
  return false;
}

/**
 * Remembers a browser whose user has just given this second factor. Returns its new cookie, or undefined if
 * the browser may not be remembered. The token is always new, so a planted cookie is worthless.
 */
export async function rememberDevice(
  {
    user,
    method,
    cookie,
    origin,
  }: {
    readonly user: User;
    readonly method: SignInMethod;
    readonly cookie: string | undefined;
    readonly origin: RequestOrigin;
  },
  context: Reads,
): Promise<string | undefined> {
  const days = rememberedDays(user, context);
  if (days === 0 || !mayBeRemembered(method)) return undefined;
  const { store, now } = context;
  const at = now();
  const user_id = user.id;
  const token = newCredential(credentialPrefix.device, at);
  const token_signature = findSignature(credentialPrefix.device, token);
  if (token_signature === undefined) throw new TypeError("a new token has the shape of a credential");
  return store.transaction(
    async (tx) => {
      await tx.lock(userLock(user_id));
      const current = await tx.find("users", { id: user_id });
      const ended = current?.tokens_not_before?.getTime() !== user.tokens_not_before?.getTime();
      if (current === undefined || ended || !(await areHeld(user_id, [method], tx))) return undefined;
      const others: string[] = [];
      for (const each of tokensIn(cookie)) {
        const signature = findSignature(credentialPrefix.device, each);
        if (signature === undefined) continue;
        if ((await tx.remove("devices", { token_signature: signature, user_id })) === 0) others.push(each);
      }
      const before = await tx.list("devices", { user_id }, { order_by: "id", limit: mostDevices });
      const [oldest] = before;
      if (oldest !== undefined && before.length === mostDevices)
        await tx.remove("devices", { id: oldest.id });
      const id = store.newId(at);
      await tx.insert("devices", {
        id,
        user_id,
        token_signature,
        expires_at: new Date(at.getTime() + days * day),
        last_used_at: null,
        client_ip: origin.client_ip,
        user_agent: origin.user_agent,
        created_at: madeAt(at, [current.tokens_not_before]),
      });
      const event = { type: "device.created", target_table: "devices", target_id: id, details: { days } };
      await auditOwnAct(tx, context, { user, origin, at }, event);
      return [token, ...others].slice(0, mostPeople).join(separator);
    },
    { quiet: true },
  );
}

/** Returns the user's remembered browsers, newest first. */
export async function rememberedDevices(user: User, context: Reads): Promise<Device[]> {
  const newest = { order_by: "id", descending: true, limit: mostDevices } as const;
  const devices = await context.store.list("devices", { user_id: user.id }, newest);
  return devices.filter((device) => isRemembered(device, user, context));
}

/** Deletes one or all of the user's remembered browsers; returns how many were deleted. */
export async function forgetDevices(
  user: Pick<User, "id">,
  { id, origin }: { readonly id?: string; readonly origin: RequestOrigin },
  context: Pick<IdentityContext, "store" | "now">,
): Promise<number> {
  const at = context.now();
  const which = { user_id: user.id, ...(id !== undefined && { id }) };
  return context.store.transaction(
    async (tx) => {
      await tx.lock(userLock(user.id));
      const devices = await tx.remove("devices", which);
      if (devices === 0) return 0;
      const target = id === undefined ? ["users", user.id] : ["devices", id];
      const [target_table = "", target_id = ""] = target;
      const event = { type: "device.deleted", target_table, target_id, details: { devices } };
      await auditOwnAct(tx, context, { user, origin, at }, event);
      return devices;
    },
    { quiet: true },
  );
}
