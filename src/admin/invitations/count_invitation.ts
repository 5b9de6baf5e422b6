import { mailboxOf } from "../../records/names/email.ts";
import type { AdminContext } from "../access/actor.ts";

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Limits on invitation emails, because recipients did not ask for them. `address` counts the invitations that
 * one email address gets from all organizations.
 */
const bounds = {
  inviter: { most: 100, within: hour },
  organization: { most: 300, within: day },
  address: { most: 3, within: day },
} as const;

interface Counted {
  readonly inviter_id: string;
  readonly organization_id: string;
  readonly email: string;
}

/**
 * Counts an invitation, whether or not the email address has an account. Returns undefined if the limits
 * allow it, otherwise the seconds until the next invitation is allowed.
 */
export async function countInvitation(
  context: AdminContext,
  { inviter_id, organization_id, email }: Counted,
): Promise<number | undefined> {
  const { onInvitation } = context;
  const counters = [
    ["inviter", inviter_id],
    ["organization", organization_id],
    ...(onInvitation === undefined ? [] : [["address", mailboxOf(email)] as const]),
  ] as const;
  for (const [bound, of] of counters) {
    const left = await countUp(context, bound, of);
    if (left !== undefined) return left;
  }
  return undefined;
}

async function countUp(
  { store, sealer, now }: AdminContext,
  bound: keyof typeof bounds,
  of: string,
): Promise<number | undefined> {
  if (sealer === undefined) return undefined;
  const { most, within } = bounds[bound];
  const at = now();
  // Only a keyed hash is stored, so the table reveals neither the inviter nor the email address.
  const key = Buffer.from(sealer.mac("ephemera", JSON.stringify(["invitations", bound, of])), "base64url");
  const count = await store.countUp("throttle", key, new Date(at.getTime() + within), at);
  if (count <= most) return undefined;
  const row = await store.find("ephemera", { kind: "throttle", key });
  return Math.max(1, Math.ceil(((row?.expires_at.getTime() ?? 0) - at.getTime()) / 1000));
}
