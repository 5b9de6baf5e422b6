/**
 * Detects that the server sees a proxy's IP address for every client. Limits per IP address then apply to all
 * users together (docs/decisions/abuse-limits.md).
 */
import { isPublicAddress } from "../../records/names/public_addresses.ts";
import type { Codes, Rows } from "../../storage/ports.ts";

export interface OneAddress {
  /**
   * `forwards`: the IP address sends proxy headers and is not trusted; `signs_in`: nearly all sign-ins come
   * from it.
   */
  readonly sign: "forwards" | "signs_in";
  /** A private or loopback IP address. */
  readonly address: string;
}

const kind = "untrusted_proxy";
const key = Buffer.from(kind);
const hour = 3_600_000;
/** Milliseconds until a process records the same forwarding peer again. */
export const notedAgainAfter = hour / 2;

/**
 * Records for an hour that an untrusted peer forwards requests. Public peers are not recorded, because any
 * caller can send such headers.
 */
export async function noteForwardingPeer(store: Codes & Rows, peer: string, now: Date): Promise<void> {
  if (isPublicAddress(peer)) return;
  await store.storeEphemeral(kind, key, peer, new Date(now.getTime() + hour), now);
}

/** Fewer sessions or users than `least` are inconclusive. */
const looked = { sessions: 50, days: 7 } as const;
const least = { sessions: 20, people: 5 } as const;
const nearlyAll = 0.9;

/** Returns the private IP address that all clients appear to share; undefined if there is no sign of one. */
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
