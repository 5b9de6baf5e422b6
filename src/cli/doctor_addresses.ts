/** What the doctor says of the addresses that people come from. */
import { addressBlocks, isWithin } from "../records/names/public_addresses.ts";
import type { Codes, Reports, Rows } from "../storage/ports.ts";
import type { Finding } from "./findings.ts";

/** Whether limits by address hold for everybody together, because a proxy is not known (decision 132). */
export async function examineAddresses(
  store: Reports & Codes & Rows,
  { trust_proxy }: { readonly trust_proxy: readonly string[] },
  now: Date,
): Promise<Finding> {
  const { oneAddress } = await import("../admin/reports/one_address.ts");
  const trusted = addressBlocks(trust_proxy);
  const found = await oneAddress(store, now, (address) => isWithin(trusted, address));
  const check = "client addresses";
  if (found === undefined) {
    const detail = "no sign that people share one address, so the proxy setting looks right";
    return { check, ok: true, detail };
  }
  const { sign, address } = found;
  const what =
    sign === "forwards"
      ? `${address} forwards requests and is not trusted`
      : `nearly all sign-ins came from ${address}`;
  const detail = `${what}: if it is your proxy, name it in POSTERN_TRUST_PROXY and let it send X-Forwarded-For, or everybody behind it shares one address and its limits`;
  return { check, ok: false, detail };
}
