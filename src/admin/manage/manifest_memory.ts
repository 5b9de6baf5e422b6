/**
 * Remembers which secrets an earlier run of `postern apply` verified, so that a second run with a thousand
 * apps does not compute a thousand Argon2id hashes (docs/operations/config-as-code.md).
 *
 * The apps' secrets are divided into buckets. For each bucket, the database stores one Argon2id hash over all
 * pairs of a stored hash and its secret. This hash does not help an attacker who has the database: a guess at
 * one secret costs as much as a guess at the secret's own hash, and requires all other secrets of the bucket.
 * A keyed fingerprint of each secret could be checked faster, but an attacker who gets the key along with the
 * database could then guess faster, too.
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
  /** Returns whether the secret belongs to the hash: from memory, or by verifying it. */
  verify(hash: string, value: string): Promise<boolean>;
  /** Records that the secret belongs to the hash, for the next run. */
  note(pair: SecretPair): void;
  keep(): Promise<void>;
}

const queue: HashingQueue = "management";

/**
 * The pairs of equal cost are divided into this many buckets. If one secret changes, only the secrets of its
 * bucket are verified one by one.
 */
const buckets = 32;

/** In seconds, since the last run of `postern apply` that used the stored hash. */
const keptFor = 180 * 86_400;

/**
 * A PHC string starts with the algorithm, the version and the cost parameters:
 * `$argon2id$v=19$m=19456,t=2,p=1`.
 */
function costOf(hash: string): string {
  return hash.split("$", 4).join("$");
}

/**
 * Only hashes of equal cost share a bucket, so a guess against the hash of a bucket never costs less than a
 * guess against a secret's own hash.
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
 * Returns the memory of earlier runs. `likely` are the pairs that match unless the file has changed since the
 * last run.
 */
export async function recallSecrets(
  { store, passwords, now }: Pick<AdminContext, "store" | "passwords" | "now">,
  likely: readonly SecretPair[],
): Promise<SecretMemory> {
  const recalled = new Map<string, SecretPair>();
  const noted = new Map<string, SecretPair>();

  async function recall([bucket, pairs]: [string, SecretPair[]]): Promise<void> {
    // A single pair is verified against its own hash, which takes no longer than the hash of its bucket.
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
