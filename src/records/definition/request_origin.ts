import type { Session, User } from "./definition.ts";

export interface RequestOrigin {
  readonly client_ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string;
}

export interface SignedIn {
  readonly session: Session;
  readonly user: User;
}

/**
 * Returns the source for the rate limits of anonymous requests: the IPv4 address, or the /64 that one IPv6
 * customer usually gets; `unknown` without an address.
 */
export function sourceOf(client_ip: string | null): string {
  if (client_ip === null) return "unknown";
  const groups = groupsOf(client_ip);
  return groups === undefined ? client_ip : `${groups.slice(0, 4).join(":")}::/64`;
}

/**
 * Returns the /48 network that one IPv6 site usually gets; undefined for IPv4 and without an address. With
 * limits per source only (`sourceOf`), the site's 65,536 sources would each have their own limit.
 */
export function siteOf(client_ip: string | null): string | undefined {
  const groups = client_ip === null ? undefined : groupsOf(client_ip);
  return groups && `${groups.slice(0, 3).join(":")}::/48`;
}

function groupsOf(client_ip: string): readonly string[] | undefined {
  if (!client_ip.includes(":")) return undefined;
  const address = URL.parse(`http://[${client_ip.split("%", 1)[0]}]/`)?.hostname.slice(1, -1);
  if (address === undefined) return undefined;
  const [head = "", tail = ""] = address.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === "" ? [] : tail.split(":");
  const zeros = address.includes("::") ? 8 - first.length - last.length : 0;
  return [...first, ...Array<string>(zeros).fill("0"), ...last];
}
