/** Passkeys that no browser offers any more, because the host of the base URL changed (PK-12). */
import { passkeySite } from "../people/authenticators/passkeys/passkey_site.ts";
import type { Reports } from "../storage/ports.ts";
import type { Finding } from "./findings.ts";

/** What there is to say of the passkeys; undefined where there are none. */
export async function examinePasskeys(store: Reports, base_url: string): Promise<Finding | undefined> {
  const check = "passkeys";
  const hosts = await store.passkeyHosts();
  if (hosts.length === 0) return undefined;
  const here = passkeySite(base_url)?.rp_id;
  const counted = (of: typeof hosts) =>
    of.map(({ rp_id, passkeys }) => `${passkeys} for ${rp_id}`).join(", ");
  const others = hosts.filter(({ rp_id }) => rp_id !== here);
  if (others.length === 0) return { check, ok: true, detail: counted(hosts) };
  const cannot = here === undefined ? "no browser uses passkeys on an IP address" : `${here} cannot use them`;
  return { check, ok: false, detail: `${counted(others)}: ${cannot}; keep the host of POSTERN_BASE_URL` };
}
