/**
 * Signs that the server sees a proxy's address for every client: limits by address then apply to all people
 * together (docs/decisions/abuse-limits.md).
 */
import { isPublicAddress } from "../../records/names/public_addresses.ts";
import type { Codes, Rows } from "../../storage/ports.ts";

export interface OneAddress {
  /** `forwards`: it sends headers of proxies and is not trusted; `signs_in`: nearly all sign-ins have it. */
  readonly sign: "forwards" | "signs_in";
  /** A private or loopback address. */
  readonly address: string;
}

const kind = "untrusted_proxy";
const key = Buffer.from(kind);
const hour = 3_600_000;
/** Milliseconds after which a process records a forwarding peer again. */
export const notedAgainAfter = hour / 2;

/**
 * Notes for an hour that a peer forwards requests and is not trusted. Strangers send such headers from public
 * addresses; those are not noted.
 */
export async function noteForwardingPeer(store: Codes & Rows, peer: string, now: Date): Promise<void> {
  if (isPublicAddress(peer)) return;
  await store.storeEphemeral(kind, key, peer, new Date(now.getTime() + hour), now);
}

/** The newest sessions of a week are looked at; fewer sessions or people than these say nothing. */
const looked = { sessions: 50, days: 7 } as const;
const least = { sessions: 20, people: 5 } as const;
/** The share of sessions that is nearly all. */
const nearlyAll = 0.9;

/** The single private address of every client; undefined without a sign of it. */
export async function oneAddress(
  store: Codes & Rows,
  now: Date,
  isTrusted: (address: string) => boolean = () => false,
): Promise<OneAddress | undefined> {
  const peer = await store.findEphemeral(kind, key, now);
  if (peer !== undefined && !isTrusted(peer)) return { sign: "forwards", address: peer };
  const since = now.getTime() - looked.days * 24 * hour;
  const newest = await store.list(
    "sessions",
    {},
    { order_by: "id", descending: true, limit: looked.sessions },
  );
  const known = newest.filter(
    ({ client_ip, created_at }) => client_ip !== null && created_at.getTime() > since,
  );
  if (known.length < least.sessions) return undefined;
  for (const [address, sessions] of Map.groupBy(known, ({ client_ip }) => String(client_ip))) {
    const people = new Set(sessions.map(({ user_id }) => user_id)).size;
    const isOne = sessions.length >= nearlyAll * known.length && people >= least.people;
    if (isOne && !isPublicAddress(address)) return { sign: "signs_in", address };
  }
  return undefined;
}
