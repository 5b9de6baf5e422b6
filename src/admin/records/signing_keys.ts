import {
  isSigningAlgorithm,
  type SigningAlgorithm,
  signingAlgorithms,
} from "../../crypto/signing_algorithms.ts";
import { generateSigningKey } from "../../crypto/signing_keys.ts";
import { type FieldError, fieldError, unknownField } from "../../errors/field_errors.ts";
import { OverloadedError } from "../../errors.ts";
import { fieldsOf, type SigningKeyRow } from "../../records/definition/definition.ts";
import { stateOfSigningKey } from "../../records/names/liveness.ts";
import { type LockName, signingKeysLock } from "../../records/names/lock_names.ts";
import { type AdminContext, permissionsOfActor, sealerOf } from "../access/actor.ts";
import { type Input, invalidRecord } from "../access/errors.ts";
import { type AdminEvent, logEvent, recordEvent } from "../changes/audit.ts";
import type { Expected, Transaction } from "../changes/changes.ts";
import { deleteRecord } from "../changes/removal.ts";

/**
 * In seconds. A new key is published this long before it signs. Resource servers may cache the key set for
 * 300 seconds, and twice that time is a safe margin.
 */
export const publicationLead = 600;

/** In seconds. In an emergency a new key signs this soon; all server processes have loaded it by then. */
export const emergencyLead = 5;

/**
 * In seconds: the minimum time that a retired key stays published. The key stays longer if tokens that it
 * signed live longer.
 */
const leastRetention = 86_400;

export interface KeyView {
  readonly id: string;
  readonly kid: string;
  readonly algorithm: SigningAlgorithm;
  readonly state: ReturnType<typeof stateOfSigningKey>;
  readonly activates_at: Date;
  readonly retires_at: Date | null;
  readonly expires_at: Date | null;
  readonly created_at: Date;
}

function viewOf(
  { id, kid, algorithm, activates_at, retires_at, expires_at, created_at }: SigningKeyRow,
  now: Date,
): KeyView {
  const state = stateOfSigningKey({ activates_at, retires_at, expires_at }, now);
  return { id, kid, algorithm, state, activates_at, retires_at, expires_at, created_at };
}

/** Returns all stored signing keys, oldest first. */
export async function listKeys({ store, now }: Pick<AdminContext, "store" | "now">): Promise<KeyView[]> {
  const at = now();
  return (await store.listSigningKeys()).map((key) => viewOf(key, at));
}

interface Rotation {
  readonly lead_seconds?: number;
  /** RS256 if absent. The rotation affects only keys of this algorithm. */
  readonly algorithm?: SigningAlgorithm;
}

/**
 * Creates and publishes a new signing key, which starts to sign after `lead_seconds`; the first key of an
 * algorithm signs at once. The previous key stays published at least until the tokens that it signed have
 * expired.
 */
export async function rotateKeys(context: AdminContext, rotation: Rotation = {}): Promise<KeyView> {
  return viewOf(await makeNextKey(context, rotation), context.now());
}

async function makeNextKey(
  context: AdminContext,
  { lead_seconds = publicationLead, algorithm = "RS256" }: Rotation,
): Promise<SigningKeyRow> {
  const { store } = context;
  const isFirst = (await store.count("signing_keys", { algorithm })) === 0;
  const row = await newKey(context, { algorithm, lead_seconds: isFirst ? 0 : lead_seconds });
  const [longest] = await store.list(
    "oauth_apps",
    {},
    { order_by: "access_token_ttl", descending: true, limit: 1 },
  );
  await store.addNextSigningKey(row, Math.max(leastRetention, longest?.access_token_ttl ?? 0));
  logEvent(context, await noteKey(context, row));
  return row;
}

async function newKey(
  context: AdminContext,
  { lead_seconds, algorithm }: Required<Rotation>,
): Promise<SigningKeyRow> {
  const { store, now } = context;
  const id = store.newId(now());
  const made = await generateSigningKey(sealerOf(context), id, { algorithm });
  const created_at = now();
  const activates_at = new Date(created_at.getTime() + lead_seconds * 1000);
  const public_jwk = { ...made.public_jwk };
  return { id, ...made, public_jwk, activates_at, retires_at: null, expires_at: null, created_at };
}

async function noteKey(
  context: AdminContext,
  { id, kid, algorithm, activates_at }: SigningKeyRow,
  tx?: Transaction,
): Promise<AdminEvent> {
  const event: AdminEvent = {
    type: "signing_key.created",
    target_table: "signing_keys",
    target_id: id,
    details: { after: { kid, algorithm, activates_at: activates_at.toISOString() } },
  };
  await recordEvent(context, event, tx);
  return event;
}

/**
 * The first signing keys of algorithms that have none, to be written in the transaction of the record that
 * uses them.
 */
export interface MissingKeys {
  /** If the caller may not rotate keys: the errors of the fields that name an algorithm without a key. */
  readonly errors: readonly FieldError[];
  readonly locks: readonly LockName[];
  write?(tx: Transaction, note: (event: AdminEvent) => void): Promise<void>;
}

export const noMissingKeys: MissingKeys = { errors: [], locks: [] };

/**
 * Returns new keys for the named algorithms that have none. They sign at once. `named` maps field names to
 * algorithms.
 */
export async function missingKeys(
  context: AdminContext,
  named: Readonly<Record<string, unknown>>,
): Promise<MissingKeys> {
  const { store } = context;
  const isMissing = async (algorithm: SigningAlgorithm, reads: Pick<Transaction, "count"> = store) =>
    (await reads.count("signing_keys", { algorithm, expires_at: null })) === 0;
  const missing = new Map<SigningAlgorithm, string>();
  for (const [field, algorithm] of Object.entries(named)) {
    if (typeof algorithm !== "string" || !isSigningAlgorithm(algorithm) || missing.has(algorithm)) continue;
    if (await isMissing(algorithm)) missing.set(algorithm, field);
  }
  if (missing.size === 0) return noMissingKeys;
  const { platform, allowed } = await permissionsOfActor(context);
  if (!platform || !allowed.has("signing_keys:write")) {
    const errors = [...missing].map(([algorithm, field]) =>
      fieldError(`/${field}`, "no_signing_key", { algorithm }),
    );
    return { ...noMissingKeys, errors };
  }
  // Generating a key can take long, so it happens before the transaction.
  const rows = await Promise.all(
    [...missing.keys()].map((algorithm) => newKey(context, { algorithm, lead_seconds: 0 })),
  );
  return {
    errors: [],
    locks: [signingKeysLock()],
    async write(tx, note) {
      for (const row of rows) {
        // A concurrent request may have created a key of this algorithm meanwhile.
        if (!(await isMissing(row.algorithm, tx))) continue;
        await tx.insert("signing_keys", row);
        note(await noteKey(context, row, tx));
      }
    },
  };
}

/**
 * Deletes a signing key. This server no longer accepts tokens that the key signed. If no other key of its
 * algorithm signs, a new key replaces it. Throws 404 `not_found`, 403 `forbidden`, OverloadedError.
 */
export async function dropSigningKey(
  context: AdminContext,
  id: string,
  expected?: Expected<"signing_keys">,
): Promise<void> {
  const { store, now } = context;
  const dropped = await store.find("signing_keys", { id });
  const signs = (key: SigningKeyRow) => key.id !== id && stateOfSigningKey(key, now()) === "signing";
  const others = dropped && (await store.list("signing_keys", { algorithm: dropped.algorithm }));
  // Generating a key can take a long time, and an external signer may be unavailable, so this happens before
  // the transaction.
  const successor =
    dropped && !others?.some(signs)
      ? await newKey(context, { algorithm: dropped.algorithm, lead_seconds: 0 })
      : undefined;
  await deleteRecord(context, "signing_keys", id, {
    expected,
    locks: [signingKeysLock()],
    async remove(tx, { algorithm, activates_at, retires_at, expires_at }) {
      const at = now();
      await tx.remove("signing_keys", { id });
      const retiring = { algorithm, retires_at: activates_at };
      if (activates_at > at)
        await tx.update("signing_keys", retiring, { retires_at: null, expires_at: null });
      const left = await tx.list("signing_keys", { algorithm });
      if (left.some(signs)) return;
      if (successor === undefined)
        throw new OverloadedError(1, "the other signing keys changed at the same moment");
      const waits = left.some((key) => key.activates_at > at);
      await tx.insert("signing_keys", { ...successor, ...(waits && { retires_at, expires_at }) });
      await noteKey(context, successor, tx);
    },
  });
}

/** Maximum of `activates_in`, in seconds. */
export const longestLead = 604_800;

/**
 * Rotates the signing keys of `algorithm` (default RS256). `activates_in` is the number of seconds until the
 * new key signs: 5 to 604,800, default 600. Throws 403 `forbidden`, 422 `invalid_record`.
 */
export async function createSigningKey(context: AdminContext, requested: Input): Promise<SigningKeyRow> {
  const { activates_in = publicationLead, algorithm = "RS256", ...unknown } = requested;
  const errors: FieldError[] = Object.keys(unknown).map((name) =>
    Object.hasOwn(fieldsOf("signing_keys"), name) ? fieldError(`/${name}`, "server_set") : unknownField(name),
  );
  const seconds = activates_in as number;
  if (!(Number.isInteger(seconds) && seconds >= emergencyLead && seconds <= longestLead)) {
    errors.push(fieldError("/activates_in", "out_of_range", { min: emergencyLead, max: longestLead }));
  }
  const isKnown = typeof algorithm === "string" && isSigningAlgorithm(algorithm);
  if (!isKnown) errors.push(fieldError("/algorithm", "not_one_of", { values: signingAlgorithms }));
  if (errors.length > 0 || !isKnown) throw invalidRecord("signing_keys", errors);
  return makeNextKey(context, { lead_seconds: seconds, algorithm });
}
