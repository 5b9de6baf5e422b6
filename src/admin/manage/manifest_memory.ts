/**
 * Remembers which secrets in a manifest matched their stored hashes. Without it, each run of `postern apply`
 * would compute an Argon2id hash for every password and app secret in the file. For each group of secrets,
 * the database stores one Argon2id hash over all pairs of a stored hash and its secret. An attacker with the
 * database gains nothing from it. Guessing one secret requires all other secrets of the group, and costs as
 * much as guessing against the secret's own hash. A fast keyed hash would be weaker if the key leaked too.
 */
import { equalBytes } from "../../crypto/credentials.ts";
import { sha256 } from "../../crypto/digest.ts";
import type { HashingQueue } from "../../crypto/hash_pool.ts";
import type { AdminContext } from "../access/actor.ts";

export interface SecretPair {
  readonly hash: string;
  readonly value: string;
}

export interface SecretMemory {
  /** Computes the hash only if `recallSecrets` did not recall the pair. */
  verify(hash: string, value: string): Promise<boolean>;
  note(pair: SecretPair): void;
  keep(): Promise<void>;
}

const queue: HashingQueue = "management";

/**
 * The number of groups for each Argon2id cost. If one secret changes, only the secrets of its group are
 * hashed again.
 */
const buckets = 32;

/** The time for which the hash of a group is stored, in seconds. */
const keptFor = 180 * 86_400;

function costOf(hash: string): string {
  return hash.split("$", 4).join("$");
}

/**
 * All hashes of a group have the same cost. Guessing against the hash of the group is therefore never cheaper
 * than guessing against a secret's own hash.
 */
function bucketOf(hash: string): string {
  return `${costOf(hash)} ${sha256(hash).readUInt8(0) % buckets}`;
}

function keyOf(bucket: string): Buffer {
  return sha256(`applied secrets ${bucket}`);
}

function digestOf(pairs: readonly SecretPair[]): string {
  const sorted = pairs
    .map(({ hash, value }) => [hash, value])
    .toSorted(([a = ""], [b = ""]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify(sorted)).toString("base64url");
}

function inBuckets(pairs: Iterable<SecretPair>): Map<string, SecretPair[]> {
  const spread = new Map<string, SecretPair[]>();
  for (const pair of pairs) {
    const bucket = bucketOf(pair.hash);
    spread.set(bucket, [...(spread.get(bucket) ?? []), pair]);
  }
  return spread;
}

/**
 * Loads what earlier runs verified. `likely` are the pairs of a hash and a secret that match if the file has
 * not changed.
 */
export async function recallSecrets(
  { store, passwords, now }: Pick<AdminContext, "store" | "passwords" | "now">,
  likely: readonly SecretPair[],
): Promise<SecretMemory> {
  const recalled = new Map<string, SecretPair>();
  const noted = new Map<string, SecretPair>();

  async function recall([bucket, pairs]: [string, SecretPair[]]): Promise<void> {
    // Verifying one pair directly takes no longer than verifying the hash of its group.
    if (pairs.length < 2) return;
    const remembered = await store.findEphemeral("applied_secrets", keyOf(bucket), now());
    if (remembered === undefined || !(await passwords.verify(remembered, digestOf(pairs), queue))) return;
    for (const pair of pairs) recalled.set(pair.hash, pair);
  }
  await Promise.all([...inBuckets(likely)].map(recall));

  return {
    async verify(hash, value) {
      const pair = recalled.get(hash);
      return (pair !== undefined && equalBytes(pair.value, value)) || passwords.verify(hash, value, queue);
    },
    note(pair) {
      noted.set(pair.hash, pair);
    },
    async keep() {
      const changed = [...inBuckets(noted.values())].filter(
        ([, pairs]) => pairs.length > 1 && !pairs.every(({ hash }) => recalled.has(hash)),
      );
      const at = now();
      const until = new Date(at.getTime() + keptFor * 1000);
      for (const [bucket, pairs] of changed) {
        const hashed = await passwords.hash(digestOf(pairs), queue);
        if (!pairs.every(({ hash }) => costOf(hash) === costOf(hashed))) continue;
        await store.storeEphemeral("applied_secrets", keyOf(bucket), hashed, until, at);
      }
    },
  };
}
