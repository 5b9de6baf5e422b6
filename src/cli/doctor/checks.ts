import type { ManagementStore } from "../../admin/access/actor.ts";
import type { Config } from "../../config.ts";
import { passkeySite } from "../../people/authenticators/passkeys/passkey_site.ts";
import type { User } from "../../records/definition/definition.ts";
import { addressBlocks, isWithin } from "../../records/names/public_addresses.ts";
import { formerIssuer, sentenceOfFormer } from "../../server/stored_issuer.ts";
import type { Codes, Reports, Rows } from "../../storage/ports.ts";
import type { Finding } from "./findings.ts";

/** Checks whether the base URL has changed since the last start (docs/decisions/operations.md). */
export async function examineIssuer(store: Codes & Rows, issuer: string, now: Date): Promise<Finding> {
  const former = await formerIssuer(store, issuer, now);
  const check = "issuer";
  return former === undefined
    ? { check, ok: true, detail: issuer }
    : { check, ok: false, detail: sentenceOfFormer(former, issuer) };
}

/**
 * Checks whether all users share the rate limits of one IP address because a proxy is not trusted
 * (docs/decisions/abuse-limits.md).
 */
export async function examineAddresses(
  store: Reports & Codes & Rows,
  { base_url: issuer, trust_proxy }: Pick<Config, "base_url" | "trust_proxy">,
  now: Date,
): Promise<Finding> {
  const { oneAddress } = await import("../../admin/reports/one_address.ts");
  const trusted = addressBlocks(trust_proxy);
  const found = await oneAddress(store, now, {
    issuer,
    isTrusted: (address) => isWithin(trusted, address),
  });
  const check = "client addresses";
  if (found === undefined) {
    const detail = "users do not appear to share one address, so the proxy setting looks right";
    return { check, ok: true, detail };
  }
  const { sign, address } = found;
  const what =
    sign === "forwards"
      ? `${address} forwards requests and is not trusted`
      : `nearly all sign-ins came from ${address}`;
  const detail = `${what}: if it is your proxy, add it to POSTERN_TRUST_PROXY and make it send X-Forwarded-For; until then, all users behind it share the rate limits of one address`;
  return { check, ok: false, detail };
}

/**
 * Checks for passkeys that browsers no longer offer because the host of the base URL changed (PK-12). Returns
 * undefined if there are no passkeys.
 */
export async function examinePasskeys(store: Reports, base_url: string): Promise<Finding | undefined> {
  const check = "passkeys";
  const hosts = await store.passkeyHosts();
  if (hosts.length === 0) return undefined;
  const here = passkeySite(base_url)?.rp_id;
  const counted = (of: typeof hosts) =>
    of.map(({ rp_id, passkeys }) => `${passkeys} for ${rp_id}`).join(", ");
  const others = hosts.filter(({ rp_id }) => rp_id !== here);
  if (others.length === 0) return { check, ok: true, detail: counted(hosts) };
  const cannot =
    here === undefined
      ? "browsers do not use passkeys on an IP address"
      : `${here} cannot use passkeys of other hosts`;
  return { check, ok: false, detail: `${counted(others)}: ${cannot}; keep the host of POSTERN_BASE_URL` };
}

/** Counts users with an imported hash (MG-4). Returns undefined if there are none. */
export async function examineImported(store: Rows): Promise<Finding | undefined> {
  const left = await store.count("foreign_passwords");
  if (left === 0) return undefined;
  const detail = `${left} not used here yet; while there are any, sign-ins take as long as the slowest of their hashes; POSTERN_FOREIGN_PASSWORDS_UNTIL sets their end`;
  return { check: "imported passwords", ok: true, detail };
}

/**
 * Milliseconds after its due time at which a deletion counts as overdue. The server deletes due users every
 * minute.
 */
const overdue = 3_600_000;
const mostNamed = 5;

/** Checks for users whose deletion is overdue (SS-12). */
export async function examineDeletions(store: ManagementStore, now: Date): Promise<Finding> {
  const { dueUsers } = await import("../../admin/records/due_deletions.ts");
  const named: string[] = [];
  let all = 0;
  for await (const user of dueUsers({ store }, new Date(now.getTime() - overdue))) {
    all += 1;
    if (named.length < mostNamed) named.push(await sentenceOf(user, store));
  }
  const check = "accounts to delete";
  if (all === 0) return { check, ok: true, detail: "none is overdue" };
  const detail = `${all} overdue: ${named.join("; ")}; delete them with \`postern user delete\` and --successor`;
  return { check, ok: false, detail };
}

async function sentenceOf(user: User, store: ManagementStore): Promise<string> {
  const { toSettle } = await import("../../admin/records/own_deletion.ts");
  const { owned, handover } = await toSettle({ store }, user);
  const count = handover.reduce((sum, each) => sum + each.count, 0);
  const wants = [
    ...(owned.length > 0 ? [`another active owner of ${owned.join(", ")}`] : []),
    ...(count > 0 ? [`a successor for ${count} apps and service accounts of organizations`] : []),
  ];
  const since = user.deletion_at?.toISOString();
  return `${user.id} since ${since}${wants.length > 0 ? `, which still needs ${wants.join(" and ")}` : ""}`;
}
