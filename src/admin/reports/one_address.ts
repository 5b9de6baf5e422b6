/**
 * Detects a proxy that is not configured as trusted. The server then sees the proxy's IP address for every
 * client, so limits per IP address apply to all users together.
 */
import { isLoopbackHost } from "../../records/formats/redirect_uris.ts";
import { isPublicAddress } from "../../records/names/public_addresses.ts";
import type { Codes, Rows } from "../../storage/ports.ts";

export interface OneAddress {
  /**
   * How it was detected. `forwards`: requests from the address contain proxy headers. `signs_in`: nearly all
   * sign-ins come from the address.
   */
  readonly sign: "forwards" | "signs_in";
  readonly address: string;
}

const kind = "untrusted_proxy";
const key = Buffer.from(kind);
const hour = 3_600_000;
/** In milliseconds: how long a process waits before it records the same address again. */
export const notedAgainAfter = hour / 2;

/**
 * Records for an hour that this address sends proxy headers without being trusted. Public addresses are
 * ignored, because any client can send such headers.
 */
export async function noteForwardingPeer(store: Codes & Rows, peer: string, now: Date): Promise<void> {
  if (isPublicAddress(peer)) return;
  await store.storeEphemeral(kind, key, peer, new Date(now.getTime() + hour), now);
}

const looked = { sessions: 50, days: 7 } as const;
/** With fewer sessions or users than this, the result would be chance. */
const least = { sessions: 20, people: 5 } as const;
const nearlyAll = 0.9;

const loopbackAddresses: ReadonlySet<string> = new Set(["127.0.0.1", "::1"]);

interface Situation {
  /** The base URL. If its host is loopback, browsers on this machine use the server without a proxy. */
  readonly issuer?: string | undefined;
  isTrusted?(address: string): boolean;
}

/**
 * Returns the private IP address from which all clients seem to come, and how it was detected; undefined if
 * there is none.
 */
export async function oneAddress(
  store: Codes & Rows,
  now: Date,
  { issuer, isTrusted = () => false }: Situation,
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
  const isOwnMachine = issuer !== undefined && isLoopbackHost(new URL(issuer).hostname);
  for (const [address, sessions] of Map.groupBy(known, ({ client_ip }) => String(client_ip))) {
    const people = new Set(sessions.map(({ user_id }) => user_id)).size;
    const isOne = sessions.length >= nearlyAll * known.length && people >= least.people;
    if (!isOne || isPublicAddress(address) || (isOwnMachine && loopbackAddresses.has(address))) continue;
    return { sign: "signs_in", address };
  }
  return undefined;
}
