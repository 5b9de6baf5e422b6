/**
 * The hidden value of the consent page: what the page asks the user, encrypted. Only the session that was
 * shown the page can submit it, and only once.
 */
import { newCredential } from "../../crypto/credentials.ts";
import { sha256 } from "../../crypto/digest.ts";
import { SealError } from "../../crypto/sealing.ts";
import { hasPassed, isAhead } from "../../records/names/liveness.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";

/** Milliseconds until a consent form expires. */
const maxWait = 1_800_000;

interface Requested {
  readonly url: string;
  readonly document_hash: string | null;
  readonly scopes: readonly string[];
  readonly resource_ids: readonly string[];
  readonly organization_id?: string;
}

interface Question extends Requested {
  readonly session_id: string;
  readonly nonce: string;
  /** Unix time in milliseconds. */
  readonly asked_at: number;
}

const aad = "consent";

export function consentForm(
  requested: Requested,
  session_id: string,
  { sealer, now }: Pick<AuthorizationServer, "sealer" | "now">,
): string {
  const asked_at = now();
  const question: Question = {
    ...requested,
    session_id,
    nonce: newCredential("", asked_at),
    asked_at: asked_at.getTime(),
  };
  return sealer.seal("form", JSON.stringify(question), aad);
}

function readQuestion(form: string, sealer: AuthorizationServer["sealer"]): Question {
  try {
    return JSON.parse(sealer.open("form", form, aad)) as Question;
  } catch (error) {
    throw error instanceof SealError ? refuse("consent_form_unreadable") : error;
  }
}

/**
 * Returns the path and query of the authorization request that a consent form belongs to, even if the form
 * was submitted before.
 */
export function requestOfForm(form: string, { sealer }: Pick<AuthorizationServer, "sealer">): string {
  return readQuestion(form, sealer).url;
}

/**
 * Returns the request that a submitted form belongs to, and marks the form as used. Throws an `OAuthError`
 * that is shown to the user if the form is not valid.
 */
export async function openConsentForm(
  form: string,
  session_id: string,
  { sealer, store, now }: AuthorizationServer,
): Promise<Requested> {
  const question = readQuestion(form, sealer);
  if (question.session_id !== session_id) throw refuse("consent_form_of_other_session");
  const moment = now();
  const created_at = new Date(question.asked_at);
  const expires_at = new Date(question.asked_at + maxWait);
  if (hasPassed(expires_at, moment) || isAhead(created_at, moment)) {
    throw refuse("consent_form_too_old", { created_at, expires_at, now: moment });
  }
  if (!(await store.useOnce("consent_form", sha256(question.nonce), expires_at, moment))) {
    throw refuse("consent_form_answered");
  }
  return question;
}
