/**
 * Stores the state of a playground: a console page on which users who manage an app try its flows. A
 * playground belongs to one session and one app, and ends after 15 minutes.
 */
import { credentialPrefix, newCredential } from "../../crypto/credentials.ts";
import { sha256, sha256Base64url } from "../../crypto/digest.ts";
import { makeProof, newProofKey, type ProvenRequest } from "../../crypto/made_proofs.ts";
import { type AdminContext, sealerOf } from "../access/actor.ts";

export const playgroundSeconds = 900;

const kind = "trial";

export interface PlaygroundKey {
  readonly session_id: string;
  readonly app_id: string;
}

/**
 * Returns the random values for an authorization request: the state, the nonce, and a PKCE verifier with its
 * challenge (RFC 7636).
 */
export function playgroundMarks({ now }: Pick<AdminContext, "now">) {
  const at = now();
  const verifier = newCredential(credentialPrefix.one_time, at);
  return {
    verifier,
    challenge: sha256Base64url(verifier),
    state: newCredential("", at),
    nonce: newCredential("", at),
  };
}

export const playgroundProofKey = newProofKey;

/** Returns a function that signs DPoP proofs with the playground's key (RFC 9449, section 4). */
export function playgroundProof({ now }: Pick<AdminContext, "now">, key: string) {
  return (request: ProvenRequest): string => makeProof(key, request, now());
}

export async function findPlayground(
  context: AdminContext,
  place: PlaygroundKey,
): Promise<string | undefined> {
  const key = keyOf(place);
  const sealed = await context.store.findEphemeral(kind, key, context.now());
  return sealed === undefined ? undefined : sealerOf(context).open("ephemera", sealed, aadOf(key));
}

/** Stores the content encrypted until `ends_at`, in place of earlier content. */
export async function storePlayground(
  context: AdminContext,
  place: PlaygroundKey,
  content: string,
  ends_at: Date,
): Promise<void> {
  const key = keyOf(place);
  const sealed = sealerOf(context).seal("ephemera", content, aadOf(key));
  await context.store.storeEphemeral(kind, key, sealed, ends_at, context.now());
}

export async function forgetPlayground({ store }: AdminContext, place: PlaygroundKey): Promise<void> {
  await store.forgetEphemeral(kind, keyOf(place));
}

function keyOf({ session_id, app_id }: PlaygroundKey): Buffer {
  return sha256(JSON.stringify([kind, session_id, app_id]));
}

const aadOf = (key: Buffer) => key.toString("base64url");
