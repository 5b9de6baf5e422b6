/**
 * Limits per IP address, which many people may share (docs/decisions/abuse-limits.md). Correct passwords from
 * an address raise its limits.
 */
import { sourceOf } from "../../records/definition/request_origin.ts";
import { counterKey } from "./attempt_counters.ts";
import type { AddressLimits, IdentityContext } from "./context/context.ts";

const usual: AddressLimits = { sign_ins: 50, mails: 20, isShared: () => false };

const raisedBy = 5;
/**
 * Maximum factors by which correct passwords raise the limits of an address. The factor for emails is lower,
 * because emails reach uninvolved people.
 */
const mostTimes = { sign_ins: 10, mails: 4 } as const;

const day = 24 * 60 * 60_000;

/** Returns whether the operator has listed the network of this IP address as shared. */
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
 * Returns the limit of an IP address, which correct passwords raise. `mostTimes` bounds the growth, because
 * an attacker may have many accounts.
 */
export async function raisedLimit(
  what: "sign_ins" | "mails",
  client_ip: string | null,
  context: IdentityContext,
): Promise<number> {
  const limit = addressLimit(what, context);
  return Math.min(limit * mostTimes[what], limit + raisedBy * (await peopleThere(client_ip, context)));
}

async function peopleThere(client_ip: string | null, context: IdentityContext): Promise<number> {
  const today = dayOf(context);
  const counts = [today, today - 1].map(async (which) => {
    const key = counterKey(context, "people", sourceOf(client_ip), String(which));
    return (await context.store.find("ephemera", { kind: "throttle", key }))?.count ?? 0;
  });
  return Math.max(...(await Promise.all(counts)));
}

/** Records that a correct password was given from this IP address; each account counts once a day. */
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
