/**
 * Executes a request with an Idempotency-Key only once. A caller who got no response can repeat the request
 * with the same key and gets the first response (draft-ietf-httpapi-idempotency-key-header).
 */
import { sha256 } from "../../crypto/digest.ts";
import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import { type Actor, type AdminContext, nameOfActor, sealerOf } from "../access/actor.ts";

export const answerStoredHours = 24;
/**
 * In milliseconds. If the server crashes while processing a request, its Idempotency-Key can be used again
 * after this time.
 */
const underWayFor = 5 * 60_000;

const kind = "idempotency";

export interface OnceRequest {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body: string;
}

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Answered {
  readonly answer: StoredAnswer;
  readonly repeated: boolean;
}

interface StoredContent {
  readonly fingerprint: string;
  readonly answer: StoredAnswer;
}

/**
 * Calls `work` and stores its response for 24 hours, except for a server error. If the actor already sent
 * this key, returns the stored response after `permit`, which may throw or replace it. Throws 422
 * `idempotency_mismatch` for a different body, 409 `idempotency_in_progress` while the first request is
 * running.
 */
export async function answerOnce(
  context: AdminContext,
  request: OnceRequest,
  work: () => Promise<StoredAnswer>,
  permit: (answer: StoredAnswer) => Promise<StoredAnswer | undefined>,
): Promise<Answered> {
  const { store, now } = context;
  const named = [whoIs(context.actor), request.method, request.path, request.key];
  const kept = keyOf("answer", named);
  const once_key = keyOf("mark", named);
  const sealer = sealerOf(context);
  const belongsTo = kept.toString("base64url");
  const fingerprint = sha256(request.body).toString("base64url");

  const first = await storedAnswer();
  if (first !== undefined) return first;
  const at = now();
  // After success the key stays marked as used. A repetition that looked for the response just before it was
  // stored finds the response here.
  if (!(await store.useOnce(kind, once_key, new Date(at.getTime() + underWayFor), at))) {
    const meanwhile = await storedAnswer();
    if (meanwhile !== undefined) return meanwhile;
    throw new Problem("idempotency_in_progress", detail("request_in_progress"));
  }
  let answer: StoredAnswer | undefined;
  try {
    answer = await work();
  } finally {
    if (answer === undefined || answer.status >= 500) await store.forgetEphemeral(kind, once_key);
  }
  if (answer.status >= 500) return { answer, repeated: false };
  const content: StoredContent = { fingerprint, answer };
  const sealed = sealer.seal("ephemera", JSON.stringify(content), belongsTo);
  const done = now();
  await store.storeEphemeral(
    kind,
    kept,
    sealed,
    new Date(done.getTime() + answerStoredHours * 3_600_000),
    done,
  );
  return { answer, repeated: false };

  async function storedAnswer(): Promise<Answered | undefined> {
    const found = await store.findEphemeral(kind, kept, now());
    if (found === undefined) return undefined;
    const content: StoredContent = JSON.parse(sealer.open("ephemera", found, belongsTo));
    if (content.fingerprint === fingerprint) {
      const permitted = await permit(content.answer);
      return { answer: permitted ?? content.answer, repeated: true };
    }
    throw new Problem("idempotency_mismatch", detail("idempotency_mismatch"));
  }
}

function keyOf(what: "answer" | "mark", named: readonly string[]): Buffer {
  return sha256(JSON.stringify([what, ...named]));
}

/**
 * The scopes are part of the name. Otherwise a credential with fewer scopes could get a response that its
 * scopes forbid.
 */
function whoIs(actor: Actor): string {
  const scopes = "scopes" in actor ? actor.scopes : undefined;
  return scopes === undefined ? nameOfActor(actor) : `${nameOfActor(actor)} ${scopes.toSorted().join(" ")}`;
}
