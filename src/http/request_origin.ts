/** Who sent a request, even if proxies forwarded it. */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { notedAgainAfter, noteForwardingPeer } from "../admin/reports/one_address.ts";
import type { RequestOrigin } from "../records/definition/request_origin.ts";
import type { ShellContext } from "./context.ts";

const longestUserAgent = 512;

declare module "fastify" {
  interface FastifyRequest {
    readonly client_ip: string | null;
  }
}

type Headed = Pick<IncomingMessage, "headers" | "socket">;

/**
 * Returns a function that reads the client's IP address from a request. If the peer is a trusted proxy, the
 * function returns the address that trusted proxies report in `X-Forwarded-For` (H-4).
 */
export function clientAddresses(
  isTrusted: (entry: string | undefined, hop?: number) => boolean,
): (request: Headed) => string | null {
  return ({ headers, socket }) => {
    let known = forwardedAddress(socket.remoteAddress) ?? null;
    if (!isTrusted(socket.remoteAddress, 0)) return known;
    // The nearest proxy wrote the last entry.
    const entries = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",").toReversed();
    for (const [index, entry] of entries.filter((each) => each.trim() !== "").entries()) {
      known = forwardedAddress(entry) ?? known;
      if (!isTrusted(entry, index + 1)) break;
    }
    return known;
  };
}

export function originOf({ client_ip, headers, id }: FastifyRequest): RequestOrigin {
  return { client_ip, user_agent: userAgentOf(headers), request_id: id };
}

export function userAgentOf(headers: IncomingHttpHeaders): string | null {
  return headers["user-agent"]?.slice(0, longestUserAgent) ?? null;
}

/** Returns the pattern of the route, which, unlike the URL, is safe to log. */
export function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? "unknown";
}

/** Returns the value of a header; several values are joined with commas (RFC 9110, section 5.3). */
export function headerText({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/**
 * Returns whether the message names its host exactly once, as HTTP/1.1 requires (RFC 9112, section 3.2). An
 * HTTP/1.0 message may name none. With several names, servers in a chain could use different ones.
 */
export function namesOneHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  let names = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === "host") names += 1;
  }
  return names === 1 || (names === 0 && httpVersion === "1.0");
}

const mostPort = 65_535;

/**
 * Returns the IP address in one entry of `X-Forwarded-For` (RFC 7239, section 6; RFC 4007, section 11).
 * Undefined for anything else, such as `unknown`.
 */
export function forwardedAddress(entry: string | undefined): string | undefined {
  if (entry !== undefined && isIP(entry) === 4) return entry;
  const text = entry?.trim().replace(/^"(.*)"$/, "$1") ?? "";
  const [, bracketed, port6, four, port4] =
    /^\[([^\]]*)\](?::(\d{1,5}))?$|^([\d.]+):(\d{1,5})$/.exec(text) ?? [];
  if (Number(port6 ?? port4 ?? 0) > mostPort) return undefined;
  // A zone is meaningful only on the machine that wrote it.
  const [address = ""] = (bracketed ?? four ?? text).split("%", 1);
  const family = isIP(address);
  if (family !== 6) return family === 4 && bracketed === undefined ? address : undefined;
  const [, high, low] =
    /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(URL.parse(`http://[${address}]`)?.hostname ?? "") ?? [];
  if (high === undefined || low === undefined) return address;
  const bits = [high, low].map((group) => Number.parseInt(group, 16));
  return bits.flatMap((group) => [group >> 8, group & 255]).join(".");
}

/**
 * Maximum number of proxies in a chain, because a caller may send thousands of entries in `X-Forwarded-For`.
 * In a longer chain, the IP address that the twentieth proxy reports counts as the client's (H-61).
 */
const mostProxies = 20;

/**
 * Returns a function that checks whether an address is in one of `ranges`: IP addresses or CIDR ranges. `hop`
 * counts from the peer, which is 0.
 */
export function trustedProxies(
  ranges: readonly string[],
): (entry: string | undefined, hop?: number) => boolean {
  if (ranges.length === 0) return () => false;
  const trusted = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const range of ranges) {
    const [written = "", bits] = range.split("/");
    const address = forwardedAddress(written) ?? written;
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    const mapped = family === "ipv4" && isIP(written) === 6 ? 96 : 0;
    if (bits === undefined) trusted[family].addAddress(address, family);
    else if (Number(bits) >= mapped) trusted[family].addSubnet(address, Number(bits) - mapped, family);
  }
  return (entry, hop = 0) => {
    if (hop >= mostProxies) return false;
    const address = forwardedAddress(entry);
    if (address === undefined) return false;
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    return trusted[family].check(address, family);
  };
}

/** The server reads the client's IP address only from `X-Forwarded-For` (docs/decisions/abuse-limits.md). */
const forwarding = ["x-forwarded-for", "forwarded", "x-real-ip"] as const;

export function forwardingHeader(headers: IncomingHttpHeaders): string | undefined {
  return forwarding.find((name) => headers[name] !== undefined);
}

/**
 * If an untrusted peer forwards requests, stores the peer's address and logs one warning. All clients of an
 * unconfigured proxy share one IP address and its limits (H-4). Anyone can send a forwarding header, so
 * further ones cause no log line.
 */
export function warnOfUntrustedProxy(
  app: FastifyInstance,
  isTrusted: (address: string | undefined) => boolean,
  { log, store, server: { now } }: Pick<ShellContext, "log" | "store" | "server">,
): void {
  let warned = false;
  let noted = Number.NEGATIVE_INFINITY;
  app.addHook("onRequest", ({ headers, socket }, _reply, done) => {
    const at = now().getTime();
    const isDue = at - noted >= notedAgainAfter;
    const header = isDue ? forwardingHeader(headers) : undefined;
    if (header !== undefined && !isTrusted(socket.remoteAddress)) {
      const peer = forwardedAddress(socket.remoteAddress);
      noted = at;
      // An error is ignored: a later request records the peer when the database is available again.
      if (peer !== undefined) noteForwardingPeer(store, peer, new Date(at)).catch(() => undefined);
      if (warned) return done();
      warned = true;
      const sentence =
        "requests are forwarded by an address that is not in POSTERN_TRUST_PROXY: if it is your proxy, add it; until then, all users behind it share one address and its limits";
      log.warn({ peer: socket.remoteAddress, header }, sentence);
    }
    done();
  });
}
