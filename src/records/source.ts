/** Who is counted as one where those who are not known are counted. */

/** Who counts as one source: an IPv4 address, or the /64 that one IPv6 customer has to itself. */
export function sourceOf(client_ip: string | null): string {
  if (client_ip === null) return "unknown";
  if (!client_ip.includes(":")) return client_ip;
  const address = URL.parse(`http://[${client_ip.split("%", 1)[0]}]/`)?.hostname.slice(1, -1);
  if (address === undefined) return client_ip;
  const [head = "", tail = ""] = address.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === "" ? [] : tail.split(":");
  const zeros = address.includes("::") ? 8 - first.length - last.length : 0;
  const groups = [...first, ...Array<string>(zeros).fill("0"), ...last];
  return `${groups.slice(0, 4).join(":")}::/64`;
}
