import { makeKeyPair } from "../../crypto/key_pairs.ts";
import { type PublicKeyFacts, readPublicJwk, readPublicKey } from "../../crypto/public_keys.ts";
import { type FieldError, fieldError, reason } from "../../errors/field_errors.ts";
import type { NewRow, ServiceAccountKeyPair } from "../../records/definition/definition.ts";
import { type Checked, checkChange, checkNew, isUuid } from "../../records/formats/check.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { keyAlgorithms } from "../../records/names/names.ts";
import type { AdminContext } from "../access/actor.ts";
import { assertValid, type Input, withoutServerSet } from "../access/errors.ts";
import { changeRecord, type Expected, insertRecord, type Transaction } from "../changes/changes.ts";
import { deleteRecord } from "../changes/removal.ts";

const serverSet = ["service_account_id", "last_used_at"] as const;

function readKey(input: Input): { input: Input; errors: FieldError[]; facts: PublicKeyFacts | undefined } {
  const { jwk, ...fields } = input;
  if (jwk !== undefined && fields.public_key_pem !== undefined) {
    const errors = [fieldError("/jwk", "excluded_by", { field: "public_key_pem" })];
    return { input: fields, errors, facts: undefined };
  }
  const path = jwk === undefined ? "/public_key_pem" : "/jwk";
  const { public_key_pem } = fields;
  const read =
    jwk !== undefined
      ? isObject(jwk)
        ? readPublicJwk(jwk)
        : reason("not_jwk")
      : typeof public_key_pem === "string"
        ? readPublicKey(public_key_pem)
        : undefined;
  if (read !== undefined && "code" in read) {
    // Replaces an unreadable key with a placeholder, because the text may be a private key and must not
    // appear in errors. Placeholders for derived fields prevent errors that only follow from the unreadable
    // key.
    const standIns = { key_id: "unread", ...fields, public_key_pem: "unread" };
    return { input: standIns, errors: [{ path, ...read }], facts: undefined };
  }
  if (read === undefined) return { input: fields, errors: [], facts: undefined };
  const named = isObject(jwk) && typeof jwk.kid === "string" ? jwk.kid : read.thumbprint;
  const algorithm = isObject(jwk) && typeof jwk.alg === "string" ? jwk.alg : read.algorithms[0];
  const meant = { key_type: read.key_type, algorithm, key_id: named, ...fields };
  return { input: { ...meant, public_key_pem: read.public_key_pem }, errors: [], facts: read };
}

/** Returns errors if `key_type` or `algorithm` does not fit the key (H-13). */
function misfits(facts: PublicKeyFacts | undefined, key: Partial<ServiceAccountKeyPair>): FieldError[] {
  if (facts === undefined) return [];
  const errors: FieldError[] = [];
  if (key.key_type !== undefined && key.key_type !== facts.key_type) {
    errors.push(fieldError("/key_type", "not_type_of_key", { key_type: facts.key_type }));
  }
  if (key.algorithm !== undefined && !facts.algorithms.includes(key.algorithm)) {
    errors.push(fieldError("/algorithm", "not_algorithm_of_key", { algorithms: facts.algorithms }));
  }
  return errors;
}

function onePerPath(errors: readonly FieldError[]): FieldError[] {
  return errors.filter(({ path }, index) => errors.findIndex((error) => error.path === path) === index);
}

/** Returns a new key pair with the errors of the input. */
export function draftKeyPair(
  { store, now }: AdminContext,
  service_account_id: string,
  requested: Input,
): Checked<NewRow<"service_account_key_pairs">> {
  const at = now();
  const own = withoutServerSet(requested, serverSet);
  const key = readKey(own.input);
  const { errors, record } = checkNew("service_account_key_pairs", key.input, {
    ...(requested.id === undefined ? { id: store.newId(at) } : {}),
    service_account_id,
    last_used_at: null,
    created_at: at,
  });
  return {
    errors: onePerPath([...own.errors, ...key.errors, ...misfits(key.facts, record), ...errors]),
    record: { ...record, revoked_at: record.revoked_at ?? (record.revoked ? at : null) },
  };
}

/** Returns the checked change to a key pair, with the errors in the input. */
export function draftKeyPairChange(
  { now }: Pick<AdminContext, "now">,
  current: ServiceAccountKeyPair,
  requested: Input,
): Checked<Partial<ServiceAccountKeyPair>> {
  const own = withoutServerSet(requested, serverSet);
  const { public_key_pem, jwk } = own.input;
  const isNewKey = public_key_pem !== undefined || jwk !== undefined;
  const isNewUse = own.input.algorithm !== undefined || own.input.key_type !== undefined;
  // A new algorithm must fit the stored key if the change contains no new key.
  const kept = isNewUse && !isNewKey ? { public_key_pem: current.public_key_pem } : {};
  const key = readKey({ ...own.input, ...kept });
  const { key_type, algorithm, key_id, ...rest } = key.input;
  const input = {
    ...rest,
    ...(own.input.key_id === undefined ? {} : { key_id }),
    key_type: own.input.key_type === undefined && isNewKey ? key_type : own.input.key_type,
    algorithm: own.input.algorithm,
  };
  const { errors, record } = checkChange("service_account_key_pairs", current, input);
  const whole = { ...current, ...record };
  const all = [...own.errors, ...key.errors, ...misfits(key.facts, whole), ...errors];
  if (record.revoked === true && !current.revoked) record.revoked_at ??= now();
  if (record.revoked === false && current.revoked) {
    all.push(fieldError("/revoked", "key_pair_revoked"));
  }
  return { errors: onePerPath(all), record };
}

const table = "service_account_key_pairs";

/** Call `endTokensOfKeyPair` after the commit to revoke the tokens obtained with the key (RFC 7523). */
const storeEndedKeyPair = (
  tx: Transaction,
  { store }: Pick<AdminContext, "store">,
  { id, service_account_id }: ServiceAccountKeyPair,
  at: Date,
): Promise<void> => store.storeEnded(tx, "service_accounts", service_account_id, at, at, { key_pair_id: id });

/** If this process stops before it has revoked the last token, another process continues. */
const endTokensOfKeyPair = ({ store }: Pick<AdminContext, "store">, id: string): Promise<void> =>
  store.markSomeTokens(id, Number.POSITIVE_INFINITY);

const endsTokens = (
  before: ServiceAccountKeyPair,
  { active, revoked, public_key_pem }: Partial<ServiceAccountKeyPair>,
): boolean =>
  active === false ||
  revoked === true ||
  (public_key_pem !== undefined && public_key_pem !== before.public_key_pem);

export const keyPairWriting = {
  async also(
    tx: Transaction,
    {
      before,
      after,
    }: { readonly before: ServiceAccountKeyPair | undefined; readonly after: ServiceAccountKeyPair },
    at: Date,
    context: AdminContext,
  ): Promise<void> {
    if (before !== undefined && endsTokens(before, after)) await storeEndedKeyPair(tx, context, after, at);
  },
  remove: (tx: Transaction, row: ServiceAccountKeyPair, at: Date, context: AdminContext): Promise<void> =>
    removeKeyPair(tx, context, row, at),
  finish: ({ id }: ServiceAccountKeyPair, context: AdminContext): Promise<void> =>
    endTokensOfKeyPair(context, id),
};

/**
 * Adds the public key in `public_key_pem` or `jwk` to a service account. Without either, generates a key pair
 * for `algorithm` and returns the private key in PKCS #8, which is not stored. Throws 422 `invalid_record`,
 * 409 `conflict` if the account already has the `key_id`.
 */
export async function createKeyPair(
  context: AdminContext,
  requested: Input,
): Promise<{ row: ServiceAccountKeyPair; private_key_pem: string | undefined }> {
  const { service_account_id, ...rest } = requested;
  const id = typeof service_account_id === "string" ? service_account_id.toLowerCase() : "";
  const account = isUuid(id) ? await context.store.find("service_accounts", { id }) : undefined;
  const errors: FieldError[] = [];
  if (account === undefined) {
    const why =
      service_account_id === undefined
        ? reason("required")
        : reason("no_record", { record: "service account" });
    errors.push({ path: "/service_account_id", ...why });
  }
  if (rest.public_key_pem !== undefined || rest.jwk !== undefined) {
    const checked = draftKeyPair(context, id, rest);
    const draft = assertValid(table, { errors: [...errors, ...checked.errors], record: checked.record });
    return { row: await insertRecord(context, table, draft), private_key_pem: undefined };
  }
  const usual = rest.key_type === "ec" ? "ES256" : "RS256";
  const algorithm = rest.algorithm === undefined ? usual : rest.algorithm;
  const isKnown = (keyAlgorithms as readonly unknown[]).includes(algorithm);
  const key_type = isKnown && String(algorithm).startsWith("ES") ? "ec" : "rsa";
  const standIn = { key_type, key_id: "made", ...rest, algorithm, public_key_pem: "made" };
  const own = withoutServerSet(standIn, serverSet);
  const early = checkNew(table, own.input, {
    ...(rest.id === undefined ? { id } : {}),
    service_account_id: id,
    created_at: context.now(),
  });
  assertValid(table, {
    errors: onePerPath([...errors, ...own.errors, ...early.errors]),
    record: early.record,
  });

  const { facts, private_key_pem } = await makeKeyPair(String(algorithm));
  const input = { ...rest, algorithm, public_key_pem: facts.public_key_pem };
  const row = await insertRecord(context, table, assertValid(table, draftKeyPair(context, id, input)));
  return { row, private_key_pem };
}

/**
 * Changes a key pair. Deactivating, revoking or replacing the key ends the tokens obtained with it. Throws
 * 404 `not_found`, 422 `invalid_record`.
 */
export async function updateKeyPair(
  context: AdminContext,
  id: string,
  requested: Input,
  expected?: Expected<typeof table>,
): Promise<ServiceAccountKeyPair> {
  const row = await changeRecord(
    context,
    table,
    id,
    (current) => assertValid(table, draftKeyPairChange(context, current, requested)),
    {
      expected,
      async also(tx, current, changes, at) {
        if (endsTokens(current, changes)) await storeEndedKeyPair(tx, context, current, at);
      },
    },
  );
  await endTokensOfKeyPair(context, row.id);
  return row;
}

/** Revokes a key pair permanently and ends the tokens obtained with it. Throws 404 `not_found`. */
export async function revokeKeyPair(
  context: AdminContext,
  id: string,
  expected?: Expected<typeof table>,
): Promise<ServiceAccountKeyPair> {
  const revoked_at = context.now();
  const draft = ({ revoked }: ServiceAccountKeyPair) => (revoked ? {} : { revoked: true, revoked_at });
  const row = await changeRecord(context, table, id, draft, {
    expected,
    verb: "revoked",
    also: (tx, current, _, at) => storeEndedKeyPair(tx, context, current, at),
  });
  await endTokensOfKeyPair(context, row.id);
  return row;
}

/** Deletes a key pair and ends the tokens obtained with it. */
export async function deleteKeyPair(
  context: AdminContext,
  id: string,
  expected?: Expected<typeof table>,
): Promise<void> {
  await deleteRecord(context, table, id, {
    expected,
    remove: (tx, current) => removeKeyPair(tx, context, current, context.now()),
  });
  await endTokensOfKeyPair(context, id.toLowerCase());
}

async function removeKeyPair(
  tx: Transaction,
  context: Pick<AdminContext, "store">,
  pair: ServiceAccountKeyPair,
  at: Date,
): Promise<void> {
  await storeEndedKeyPair(tx, context, pair, at);
  await tx.remove(table, { id: pair.id });
}
