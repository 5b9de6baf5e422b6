/** Addresses of host names: those of the hosts file, then those of DNS. */
import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

/** Waits for DNS, in milliseconds for each of two tries. */
const dnsTimeout = 1000;

const systemHosts =
  process.platform === "win32" ? "C:\\Windows\\System32\\drivers\\etc\\hosts" : "/etc/hosts";

/**
 * All addresses of a host name; none where it is unknown. The hosts file comes first and is read each time, so
 * that a change needs no restart. DNS is asked directly: `getaddrinfo` would hold threads that sign and hash.
 */
export async function resolveHost(host: string, hostsFile = systemHosts): Promise<readonly string[]> {
  const named = addressesIn(await readFile(hostsFile, "utf8").catch(() => ""), host);
  if (named.length > 0) return named;
  const resolver = new Resolver({ timeout: dnsTimeout, tries: 2 });
  const none = (): string[] => [];
  const found = await Promise.all([resolver.resolve4(host).catch(none), resolver.resolve6(host).catch(none)]);
  return found.flat();
}

/** The addresses that a hosts file gives this name (hosts(5)). */
function addressesIn(hosts: string, host: string): readonly string[] {
  const wanted = host.toLowerCase().replace(/\.$/, "");
  return hosts.split("\n").flatMap((line) => {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    return isIP(address) > 0 && names.some((name) => name.toLowerCase() === wanted) ? [address] : [];
  });
}
