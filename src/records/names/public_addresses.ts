/** Distinguishes IP addresses on the public internet from internal ones (RFC 6890 and its registries). */
import { BlockList, isIP } from "node:net";
import { once } from "../../lazily.ts";

/**
 * IANA's IPv4 special-purpose address registry (RFC 6890 2.2.2), with multicast and the reserved blocks.
 */
const specialIpv4 = [
  "0.0.0.0/8", // this network, RFC 791; connecting to 0.0.0.0 reaches this host
  "10.0.0.0/8", // private use, RFC 1918
  "100.64.0.0/10", // shared address space, RFC 6598
  "127.0.0.0/8", // loopback, RFC 1122
  "169.254.0.0/16", // link local, RFC 3927; the metadata services of clouds
  "172.16.0.0/12", // private use, RFC 1918
  "192.0.0.0/24", // IETF protocol assignments, RFC 6890
  "192.0.2.0/24", // documentation, RFC 5737
  "192.31.196.0/24", // AS112, RFC 7535
  "192.52.193.0/24", // AMT, RFC 7450
  "192.88.99.0/24", // 6to4 relays, RFC 7526
  "192.168.0.0/16", // private use, RFC 1918
  "192.175.48.0/24", // AS112, RFC 7534
  "198.18.0.0/15", // benchmarking, RFC 2544
  "198.51.100.0/24", // documentation, RFC 5737
  "203.0.113.0/24", // documentation, RFC 5737
  "224.0.0.0/4", // multicast, RFC 5771
  "240.0.0.0/4", // reserved and limited broadcast, RFC 1112, RFC 919
] as const;

/** The allocated unicast addresses (RFC 4291 2.4); all others are special-purpose or unassigned. */
const globalIpv6 = "2000::/3";

/** The special ranges within `globalIpv6`: IANA's IPv6 special-purpose address registry. */
const specialIpv6 = [
  "2001::/23", // IETF protocol assignments, RFC 2928: Teredo, benchmarking, ORCHID
  "2001:db8::/32", // documentation, RFC 3849
  "2002::/16", // 6to4, RFC 3056: holds any IPv4 address
  "2620:4f:8000::/48", // AS112, RFC 7534
  "3fff::/20", // documentation, RFC 9637
] as const;

/** Returns a `BlockList` of these CIDR blocks and single addresses. */
export function addressBlocks(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", prefix = isIP(address) === 4 ? "32" : "128"] = cidr.split("/");
    const family = isIP(address);
    const bits = /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
    if (family === 0 || !(bits <= (family === 4 ? 32 : 128)))
      throw new RangeError(`${cidr} is not a CIDR block`);
    list.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

const special4 = once(() => addressBlocks(specialIpv4));
const global6 = once(() => addressBlocks([globalIpv6]));
const special6 = once(() => addressBlocks(specialIpv6));

/**
 * Returns whether the address is in one of the blocks. A v4-mapped IPv6 address counts as the IPv4 address in
 * it, because a connection would lead there.
 */
export function isWithin(blocks: BlockList, address: string): boolean {
  const family = isIP(address);
  if (family === 4) return blocks.check(address, "ipv4");
  return family === 6 && blocks.check(address, "ipv6");
}

/**
 * Returns whether the string is a public unicast address. IPv6 addresses that embed an IPv4 address
 * (v4-mapped, NAT64, 6to4) are not public, whatever they embed.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !special4().check(address, "ipv4");
  return family === 6 && global6().check(address, "ipv6") && !special6().check(address, "ipv6");
}

/**
 * Returns whether the string is a host pattern in lower-case ASCII: a host, `*.` before a domain for its
 * subdomains, or `*` for every host.
 */
export function isHostPattern(text: string): boolean {
  if (text === "*") return true;
  const host = text.replace(/^\*\./, "");
  return /^[a-z0-9.-]+$/.test(host) && URL.parse(`https://${host}`)?.host === host && !host.endsWith(".");
}

/** Returns whether one of the patterns matches the host; a port and a trailing dot are ignored. */
export function matchesHost(patterns: readonly string[], host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/\.$/, "");
  return patterns.some((pattern) => {
    if (pattern === "*") return true;
    return pattern.startsWith("*.") ? name.endsWith(pattern.slice(1)) : name === pattern;
  });
}
