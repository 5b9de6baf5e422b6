/**
 * Creates and redeems proofs: expiring, encrypted rows. Every new kind of mailed link or code must be a proof
 * too.
 */
import { credentialPrefix, equalBytes, newCredential } from "../../../crypto/credentials.ts";
import type { Row, User } from "../../../records/definition/definition.ts";
import { hasPassed, isActive, isAhead } from "../../../records/names/liveness.ts";
import type { Verbs } from "../../../storage/database/verbs.ts";
import type { Codes, Rows, Transaction } from "../../../storage/ports.ts";
import type { IdentityContext } from "../context/context.ts";
import { type Bonds, type NewestOf, type ProofData, type ProofPurpose, purposes } from "./purposes.ts";

type Parts = Pick<IdentityContext, "sealer" | "now"> & { readonly store: Rows & Codes };

/** Of all proofs of one purpose with the same `newest_of`, only the newest is valid. */
export type NewProof<P extends ProofPurpose> = NewestOf<P> & {
  /** A secret or an ID that identifies the proof. Only a MAC of it is stored. */
  readonly place: string;
  readonly user?: ProofUser | undefined;
  readonly bonds: Bonds<P>;
  readonly data: ProofData[P];
};

type ProofUser = Pick<User, "id" | "tokens_not_before" | "reset_links_not_before">;

export interface OpenProof<P extends ProofPurpose> {
  readonly purpose: P;
  readonly user: User | undefined;
  readonly data: ProofData[P];
  readonly expires_at: Date;
  readonly row: { readonly id: string; readonly key: Buffer; readonly value: string };
  readonly sealed: Sealed<P>;
}

interface Sealed<P extends ProofPurpose> {
  readonly purpose: P;
  readonly standing: string | null;
  readonly bonds: Bonds<P>;
  readonly data: ProofData[P];
  readonly newest_of?: string | undefined;
}

/** Returns a token for a mailed link: 256 random bits. */
export function newProofToken({ now }: Parts): string {
  return newCredential(credentialPrefix.one_time, now());
}

/**
 * Stores a proof. It replaces earlier proofs of the same purpose that have the same place or the same
 * `newest_of`.
 */
export async function makeProof<P extends ProofPurpose>(
  purpose: P,
  { place, user, bonds, data, newest_of }: NewProof<P>,
  context: Parts,
  tx?: Transaction,
): Promise<void> {
  const { store, now } = context;
  const [key, ...keysBefore] = keysOf(["proof", purpose, place], context);
  const standing = user === undefined ? null : stateOf(user);
  const value = sealed({ purpose, standing, bonds, data, newest_of }, key, context);
  const expires_at = new Date(now().getTime() + purposes[purpose].minutes * 60_000);
  await store.storeEphemeral("proof", key, value, expires_at, now(), tx);
  for (const before of keysBefore) await (tx ?? store).remove("ephemera", { kind: "proof", key: before });
  if (newest_of === undefined) return;
  const [newest] = keysOf(["newest proof", purpose, newest_of], context);
  await store.storeEphemeral("proof", newest, key.toString("hex"), expires_at, now(), tx);
}

/**
 * Returns a valid proof without consuming it, so that mail scanners do no harm. If it was stored with a
 * `user`, any event that ends the user's tokens or reset links also ends the proof.
 */
export async function openProof<P extends ProofPurpose>(
  purpose: P,
  place: string,
  presented: Bonds<P>,
  context: Parts,
  reads: Pick<Verbs, "find"> = context.store,
): Promise<OpenProof<P> | undefined> {
  const row = await findLatest(keysOf(["proof", purpose, place], context), reads);
  if (row === undefined || row.value === null || isOver(purpose, row, context.now())) return undefined;
  const { key } = row;
  const opened = JSON.parse(context.sealer.open("ephemera", row.value, aadOf(key))) as Sealed<P>;
  const { standing, bonds, data, newest_of } = opened;
  if (opened.purpose !== purpose || !isBoundTo(purpose, bonds, presented)) return undefined;
  if (newest_of !== undefined) {
    const kept = await findLatest(keysOf(["newest proof", purpose, newest_of], context), reads);
    if (kept?.value !== key.toString("hex")) return undefined;
  }
  const user = standing === null ? undefined : await userOf(standing, reads);
  if (standing !== null && user === undefined) return undefined;
  const { id, value, expires_at } = row;
  return { purpose, user, data, expires_at, row: { id, key, value }, sealed: opened };
}

/** Consumes a proof in a transaction; returns true to one caller only. */
export async function redeemProof(
  tx: Pick<Verbs, "remove">,
  { row }: Pick<OpenProof<ProofPurpose>, "row">,
): Promise<boolean> {
  return (await tx.remove("ephemera", { id: row.id, value: row.value })) === 1;
}

/** Replaces the data of a proof; undefined if another request changed or used it in the meantime. */
export async function changeProof<P extends ProofPurpose>(
  proof: OpenProof<P>,
  data: ProofData[P],
  context: Parts,
): Promise<OpenProof<P> | undefined> {
  const { row } = proof;
  const content = { ...proof.sealed, data };
  const value = sealed(content, row.key, context);
  const changed = await context.store.update("ephemera", { id: row.id, value: row.value }, { value });
  return changed === 1 ? { ...proof, data, sealed: content, row: { ...row, value } } : undefined;
}

export async function dropProof(purpose: ProofPurpose, place: string, context: Parts): Promise<void> {
  for (const key of keysOf(["proof", purpose, place], context)) {
    await context.store.forgetEphemeral("proof", key);
  }
}

/**
 * Longest lifetime, in minutes, of a proof that becomes invalid if the clock is set back. Proofs with a
 * longer lifetime protect their user, and stay valid.
 */
const longestShort = 60;

/** A clock that was ahead at creation does not extend a short lifetime (docs/decisions/operations.md). */
function isOver(
  purpose: ProofPurpose,
  { expires_at }: Pick<Row<"ephemera">, "expires_at">,
  now: Date,
): boolean {
  const { minutes } = purposes[purpose];
  const made_at = new Date(expires_at.getTime() - minutes * 60_000);
  return hasPassed(expires_at, now) || (minutes <= longestShort && isAhead(made_at, now));
}

function isBoundTo<P extends ProofPurpose>(purpose: P, bonds: Bonds<P>, presented: Bonds<P>): boolean {
  const names = purposes[purpose].bound_to as readonly (keyof Bonds<P>)[];
  return names.every((name) => equalBytes(bonds[name], presented[name]));
}

async function userOf(standing: string, reads: Pick<Verbs, "find">): Promise<User | undefined> {
  const [id] = JSON.parse(standing) as [string, ...unknown[]];
  const user = await reads.find("users", { id });
  return isActive(user) && stateOf(user) === standing ? user : undefined;
}

function stateOf({ id, tokens_not_before, reset_links_not_before }: ProofUser): string {
  const moments = [tokens_not_before, reset_links_not_before];
  return JSON.stringify([id, ...moments.map((moment) => moment?.getTime() ?? null)]);
}

type Named = readonly ["proof" | "newest proof", ProofPurpose, place_or_name: string];

/**
 * The table must reveal neither `place` nor purpose. The first key is made with the current secret key. The
 * others match rows from before a rotation of that key.
 */
function keysOf(named: Named, { sealer }: Pick<Parts, "sealer">): readonly [Buffer, ...Buffer[]] {
  const [first, ...others] = sealer.macs("ephemera", JSON.stringify(named));
  return [bytesOf(first), ...others.map(bytesOf)];
}

const bytesOf = (mac: string): Buffer => Buffer.from(mac, "base64url");

/** While the secret key is being rotated, another process may still store a newer row under another key. */
async function findLatest(
  keys: readonly Buffer[],
  reads: Pick<Verbs, "find">,
): Promise<Row<"ephemera"> | undefined> {
  let latest: Row<"ephemera"> | undefined;
  for (const key of keys) {
    const row = await reads.find("ephemera", { kind: "proof", key });
    if (row !== undefined && !(latest && latest.expires_at >= row.expires_at)) latest = row;
  }
  return latest;
}

const aadOf = (key: Buffer): string => `proof ${key.toString("hex")}`;

function sealed<P extends ProofPurpose>(content: Sealed<P>, key: Buffer, { sealer }: Parts): string {
  return sealer.seal("ephemera", JSON.stringify(content), aadOf(key));
}
