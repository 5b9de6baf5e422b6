/** The keys that sign tokens, as an operator sees and changes them (requirements D-4). */
import { generateSigningKey } from "../crypto/signing_keys.ts";
import type { SigningKeyRow } from "../records/definition.ts";
import { type AdminContext, sealerOf } from "./actor.ts";
import { recordEvent } from "./audit.ts";

/** Seconds a key is published before it signs: twice the 300 that resource servers may keep the key set. */
export const publicationLead = 600;

/** The same in an emergency: time for every process to have heard of it. */
export const emergencyLead = 5;

/** Seconds a retired key stays published at least; longer where an app's access tokens live longer. */
const leastRetention = 86_400;

export interface KeyView {
  readonly kid: string;
  /** `next` is published and waits, `signing` signs, `retired` verifies what it signed, `expired` is published no more. */
  readonly state: "next" | "signing" | "retired" | "expired";
  readonly activates_at: Date;
  readonly retires_at: Date | null;
  readonly expires_at: Date | null;
  readonly created_at: Date;
}

function viewOf(
  { kid, activates_at, retires_at, expires_at, created_at }: SigningKeyRow,
  now: Date,
): KeyView {
  const past = (moment: Date | null) => moment !== null && moment <= now;
  const state = past(expires_at)
    ? "expired"
    : past(retires_at)
      ? "retired"
      : past(activates_at)
        ? "signing"
        : "next";
  return { kid, state, activates_at, retires_at, expires_at, created_at };
}

/** Every signing key that is kept, in the order in which they were made. */
export async function listKeys({ store, now }: Pick<AdminContext, "store" | "now">): Promise<KeyView[]> {
  const at = now();
  return (await store.listSigningKeys()).map((key) => viewOf(key, at));
}

/**
 * Makes the next signing key. It is published at once and signs `lead_seconds` later; the one before it stays published
 * until the last token that it may have signed has expired. Where there is no key at all it signs at once.
 */
export async function rotateKeys(
  context: AdminContext,
  { lead_seconds = publicationLead }: { lead_seconds?: number } = {},
): Promise<KeyView> {
  const { store, now } = context;
  const id = store.newId(now());
  const made = await generateSigningKey(sealerOf(context), id);
  const created_at = now();
  const isFirst = (await store.count("signing_keys")) === 0;
  const activates_at = isFirst ? created_at : new Date(created_at.getTime() + lead_seconds * 1000);
  const public_jwk = { ...made.public_jwk };
  const row = { id, ...made, public_jwk, activates_at, retires_at: null, expires_at: null, created_at };
  const [longest] = await store.list(
    "oauth_apps",
    {},
    { order_by: "access_token_ttl", descending: true, limit: 1 },
  );
  await store.addNextSigningKey(row, Math.max(leastRetention, longest?.access_token_ttl ?? 0));
  await recordEvent(context, {
    type: "signing_key.created",
    target_table: "signing_keys",
    target_id: id,
    details: { kid: made.kid, activates_at: activates_at.toISOString() },
  });
  return viewOf(row, now());
}
