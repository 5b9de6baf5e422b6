import { mailboxOf } from "../../records/names/email.ts";
import type { AdminContext } from "../access/actor.ts";

const hour = 3_600_000;
const day = 24 * hour;

/**
 * Invitations at most: of one person, of one organization, and mails to one address over all organizations,
 * because each is a mail to somebody who did not ask for it.
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
 * Counts an invitation, whether or not somebody has the address; the seconds until another one may be made,
 * undefined when this one may. The mailbox is counted where a mail goes out.
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
  // Under a key of ours: the table tells neither who invites nor whom.
  const key = Buffer.from(sealer.mac("ephemera", JSON.stringify(["invitations", bound, of])), "base64url");
  const count = await store.countUp("throttle", key, new Date(at.getTime() + within), at);
  if (count <= most) return undefined;
  const row = await store.find("ephemera", { kind: "throttle", key });
  return Math.max(1, Math.ceil(((row?.expires_at.getTime() ?? 0) - at.getTime()) / 1000));
}
