import { isIPv4 } from "node:net";

export function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

/**
 * Returns whether the host is loopback or a name below `localhost`, which resolves to loopback (RFC 6761,
 * section 6.3).
 */
export function isLoopbackName(host: string): boolean {
  return isLoopback(host) || /^[^.].*\.localhost$/i.test(host);
}

export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
}
