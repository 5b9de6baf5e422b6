import { type PublicKeyFacts, readPublicKey } from "../crypto/public_keys.ts";
import type { FieldFault } from "../errors.ts";
import { type Checked, checkChange, checkNew, isUuid } from "../records/check.ts";
import type { NewRow, ServiceAccount, ServiceAccountKeyPair } from "../records/definition.ts";
import type { AdminContext } from "./actor.ts";
import { changeRecord, insertRecord } from "./changes.ts";
import { type Input, notFound, sound, withoutServerSet } from "./faults.ts";

const serverSet = ["service_account_id", "last_used_at"] as const;

/** What the key itself says, in the place of what is said of it; `facts` is undefined when there is no key to read. */
function readKey(input: Input): { input: Input; faults: FieldFault[]; facts: PublicKeyFacts | undefined } {
  const read = typeof input.public_key_pem === "string" ? readPublicKey(input.public_key_pem) : undefined;
  if (typeof read === "string") {
    return { input, faults: [{ path: "/public_key_pem", message: read }], facts: undefined };
  }
  if (read === undefined) return { input, faults: [], facts: undefined };
  const { key_type, algorithms, public_key_pem } = read;
  const meant = { key_type, algorithm: algorithms[0], ...input, public_key_pem };
  return { input: meant, faults: [], facts: read };
}

/** The algorithm must be one that the key itself, its type and its curve, can sign with (requirements H-13). */
function misfits(facts: PublicKeyFacts | undefined, key: Partial<ServiceAccountKeyPair>): FieldFault[] {
  if (facts === undefined) return [];
  const faults: FieldFault[] = [];
  if (key.key_type !== undefined && key.key_type !== facts.key_type) {
    faults.push({ path: "/key_type", message: `must be ${facts.key_type}, as the key is` });
  }
  if (key.algorithm !== undefined && !facts.algorithms.includes(key.algorithm)) {
    faults.push({ path: "/algorithm", message: `must be ${facts.algorithms.join(" or ")} for this key` });
  }
  return faults;
}

function onePerPath(faults: readonly FieldFault[]): FieldFault[] {
  return faults.filter(({ path }, index) => faults.findIndex((fault) => fault.path === path) === index);
}

/** A new key pair of the account, checked; `key_type` and `algorithm` follow from the key when absent. */
export function draftKeyPair(
  { store, now }: AdminContext,
  service_account_id: string,
  asked: Input,
): Checked<NewRow<"service_account_key_pairs">> {
  const at = now();
  const own = withoutServerSet(asked, serverSet);
  const key = readKey(own.input);
  const { faults, record } = checkNew("service_account_key_pairs", key.input, {
    ...(asked.id === undefined ? { id: store.newId(at) } : {}),
    service_account_id,
    last_used_at: null,
    created_at: at,
  });
  return {
    faults: onePerPath([...own.faults, ...key.faults, ...misfits(key.facts, record), ...faults]),
    record: { ...record, revoked_at: record.revoked_at ?? (record.revoked ? at : null) },
  };
}

/** A change of a key pair, checked. */
export function draftKeyPairChange(
  { now }: Pick<AdminContext, "now">,
  current: ServiceAccountKeyPair,
  asked: Input,
): Checked<Partial<ServiceAccountKeyPair>> {
  const own = withoutServerSet(asked, serverSet);
  // What the file leaves out stays, so the key that stands is what a new algorithm is held against.
  const key = readKey({ ...own.input, public_key_pem: own.input.public_key_pem ?? current.public_key_pem });
  const { key_type, algorithm, ...rest } = key.input;
  const input = {
    ...rest,
    key_type: own.input.key_type ?? (own.input.public_key_pem === undefined ? undefined : key_type),
    algorithm: own.input.algorithm,
  };
  const { faults, record } = checkChange("service_account_key_pairs", current, input);
  const whole = { ...current, ...record };
  if (record.revoked === true && !current.revoked) record.revoked_at ??= now();
  if (record.revoked === false && current.revoked) record.revoked_at = null;
  return {
    faults: onePerPath([...own.faults, ...key.faults, ...misfits(key.facts, whole), ...faults]),
    record,
  };
}

/** Registers a public key of the account. Throws 422 `invalid_record`, 409 `conflict` for a `key_id` that it has. */
export async function addKeyPair(
  context: AdminContext,
  account: ServiceAccount,
  asked: Input,
): Promise<ServiceAccountKeyPair> {
  const draft = sound("service_account_key_pairs", draftKeyPair(context, account.id, asked));
  return insertRecord(context, "service_account_key_pairs", draft);
}

export function listKeyPairs(
  { store }: Pick<AdminContext, "store">,
  account: ServiceAccount,
): Promise<ServiceAccountKeyPair[]> {
  return store.list("service_account_key_pairs", { service_account_id: account.id });
}

async function getKeyPair(
  { store }: AdminContext,
  account: ServiceAccount,
  id: string,
): Promise<ServiceAccountKeyPair> {
  const key = isUuid(id)
    ? await store.find("service_account_key_pairs", { id: id.toLowerCase(), service_account_id: account.id })
    : undefined;
  if (key === undefined) throw notFound("service_account_key_pairs", id);
  return key;
}

/** Changes a key pair of the account; `revoked: true` ends it. Throws 404 `not_found`, 422 `invalid_record`. */
export async function updateKeyPair(
  context: AdminContext,
  account: ServiceAccount,
  id: string,
  asked: Input,
): Promise<ServiceAccountKeyPair> {
  const current = await getKeyPair(context, account, id);
  const changes = sound("service_account_key_pairs", draftKeyPairChange(context, current, asked));
  return changeRecord(context, "service_account_key_pairs", current, changes);
}
