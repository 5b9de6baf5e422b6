/**
 * Executes a request once, even if it is sent several times. A caller that received no response repeats the
 * request with the same key and gets the first response (draft-ietf-httpapi-idempotency-key-header).
 */
import { sha256 } from "../../crypto/digest.ts";
import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import { type Actor, type AdminContext, nameOfActor, sealerOf } from "../access/actor.ts";

export const answerStoredHours = 24;
/**
 * In milliseconds. After this time, a key is usable again if the server crashed while it processed the
 * request.
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
 * If this actor sent the same key in the last 24 hours, returns the first response; otherwise does `work`.
 * Neither responses with status 500 and above nor errors of `work` are stored. After a crash, the key is
 * usable again after five minutes. `permit` runs before an earlier response is returned, because the actor
 * may have lost the permission; it may replace that response. Throws 422 `idempotency_mismatch` if the body
 * differs from the first one, 409 `idempotency_in_progress` while the first request is running, and what
 * `permit` throws.
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
  // The used-once entry is kept after a success: a repetition that looked for the response just before it was
  // stored must still find the entry.
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
 * Credentials of one caller with different scopes have different values. Otherwise a credential with fewer
 * scopes could get a response that it would have been refused.
 */
function whoIs(actor: Actor): string {
  const scopes = "scopes" in actor ? actor.scopes : undefined;
  return scopes === undefined ? nameOfActor(actor) : `${nameOfActor(actor)} ${scopes.toSorted().join(" ")}`;
}
