/** Addresses of requesters, as proxies write them. */
import { BlockList, isIP } from "node:net";

/**
 * The address in one entry of `X-Forwarded-For`: bare, in quotation marks, in brackets, with a port or with a
 * zone (RFC 7239 section 6, RFC 4007 section 11). IPv4 inside IPv6 is written as IPv4. Undefined for
 * everything else, such as `unknown`.
 */
export function forwardedAddress(entry: string | undefined): string | undefined {
  const text = entry?.trim().replace(/^"(.*)"$/, "$1") ?? "";
  const [, bracketed, four] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(text) ?? [];
  // A zone means something on the machine alone that wrote it.
  const [address = ""] = (bracketed ?? four ?? text).split("%", 1);
  const family = isIP(address);
  if (family !== 6) return family === 4 && bracketed === undefined ? address : undefined;
  const [, high, low] =
    /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(URL.parse(`http://[${address}]`)?.hostname ?? "") ?? [];
  if (high === undefined || low === undefined) return address;
  const bits = [high, low].map((group) => Number.parseInt(group, 16));
  return bits.flatMap((group) => [group >> 8, group & 255]).join(".");
}

/** Proxies between a requester and this server, at most; the next address is the requester's (H-61). */
const mostProxies = 20;

/**
 * Whether an entry of `X-Forwarded-For` or a peer lies within one of these addresses and CIDR ranges. `hop`
 * counts from the peer, which is 0. From 20 on none is trusted: a requester may send thousands of entries.
 */
export function trustedProxies(
  ranges: readonly string[],
): (entry: string | undefined, hop?: number) => boolean {
  const trusted = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  return (entry, hop = 0) => {
    if (hop >= mostProxies) return false;
    const address = forwardedAddress(entry);
    return address !== undefined && trusted.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
  };
}
