/**
 * Limits by an address that many people may share (docs/decisions/abuse-limits.md): a school, an office, a
 * carrier. Right passwords that come from there raise them; networks that the operator names have none.
 */
import { sourceOf } from "../../records/definition/request_origin.ts";
import { counterKey } from "./attempt_counters.ts";
import type { AddressLimits, IdentityContext } from "./context/context.ts";

const usual: AddressLimits = { sign_ins: 50, mails: 20, isShared: () => false };

/** The increase of a limit by each person with a correct password. */
const raisedBy = 5;
/** How many times the limit it grows to: mails reach strangers, guesses are bounded at each account, too. */
const mostTimes = { sign_ins: 10, mails: 4 } as const;

const day = 24 * 60 * 60_000;

/** Whether the operator says that this network is shared. */
export function isShared(client_ip: string | null, { address_limits = usual }: IdentityContext): boolean {
  return client_ip !== null && address_limits.isShared(client_ip);
}

export function addressLimit(
  what: "sign_ins" | "mails",
  { address_limits = usual }: IdentityContext,
): number {
  return address_limits[what];
}

/**
 * The limit of an address from which many people gave a correct password since yesterday. Owning many
 * accounts is worth no more than ten addresses.
 */
export async function raisedLimit(
  what: "sign_ins" | "mails",
  client_ip: string | null,
  context: IdentityContext,
): Promise<number> {
  const limit = addressLimit(what, context);
  return Math.min(limit * mostTimes[what], limit + raisedBy * (await peopleThere(client_ip, context)));
}

/** Accounts with a right password from this source today or yesterday (UTC), whichever day had more. */
async function peopleThere(client_ip: string | null, context: IdentityContext): Promise<number> {
  const today = dayOf(context);
  const counts = [today, today - 1].map(async (which) => {
    const key = counterKey(context, "people", sourceOf(client_ip), String(which));
    return (await context.store.find("ephemera", { kind: "throttle", key }))?.count ?? 0;
  });
  return Math.max(...(await Promise.all(counts)));
}

/** Notes that a right password signed an account in from there; each account counts once a day. */
export async function notePersonThere(
  email_key: string,
  client_ip: string | null,
  context: IdentityContext,
): Promise<void> {
  if (!context.throttle || isShared(client_ip, context)) return;
  const { store } = context;
  const now = context.now();
  const until = new Date(now.getTime() + 2 * day);
  const place = [sourceOf(client_ip), String(dayOf(context))];
  const own = counterKey(context, "person", ...place, email_key);
  if ((await store.countUp("throttle", own, until, now)) > 1) return;
  await store.countUp("throttle", counterKey(context, "people", ...place), until, now);
}

const dayOf = ({ now }: IdentityContext) => Math.floor(now().getTime() / day);
