/** Hosts of this very machine. */
import { isIPv4 } from "node:net";

export function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
}
