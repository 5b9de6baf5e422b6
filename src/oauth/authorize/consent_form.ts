/**
 * The question of a consent page, sealed so that the answer can only be to this question, by this session,
 * once.
 */
import { newCredential } from "../../crypto/credentials.ts";
import { sha256 } from "../../crypto/digest.ts";
import { SealError } from "../../crypto/sealing.ts";
import { type Evidence, OAuthError } from "../../errors.ts";
import { evidence, fact, secondsBetween } from "../evidence.ts";
import type { AuthorizationServer } from "../server.ts";

/** How long a person may take over a consent page, milliseconds. */
const patience = 1_800_000;

interface Question {
  readonly url: string;
  readonly session_id: string;
  /** Makes each question one of its own. */
  readonly nonce: string;
  /** Unix time, milliseconds. */
  readonly asked_at: number;
}

const aad = "consent";

/** The sealed question for the hidden field of the consent page. `url` is path and query of the request. */
export function consentForm(url: string, session_id: string, { sealer, now }: AuthorizationServer): string {
  const asked_at = now();
  const question: Question = {
    url,
    session_id,
    nonce: newCredential("", asked_at),
    asked_at: asked_at.getTime(),
  };
  return sealer.seal("form", JSON.stringify(question), aad);
}

/**
 * The request that an answered form is about. Throws an `OAuthError` for the person when the form was forged,
 * belongs to another session, is too old, or was answered before.
 */
export async function openConsentForm(
  form: string,
  session_id: string,
  { sealer, store, now }: AuthorizationServer,
): Promise<string> {
  const refused = (why: string, proof: readonly Evidence[]) =>
    new OAuthError("invalid_request", `the consent form ${why}; start again at the application`, {
      evidence: proof,
    });
  let question: Question;
  try {
    question = JSON.parse(sealer.open("form", form, aad)) as Question;
  } catch (error) {
    if (error instanceof SealError)
      throw refused("cannot be read", fact("consent_form", "request", "unreadable"));
    throw error;
  }
  if (question.session_id !== session_id) {
    throw refused("belongs to another sign-in", fact("consent_form", "request", "other_session"));
  }
  const moment = now();
  const ends_at = new Date(question.asked_at + patience);
  if (ends_at <= moment) {
    const age = secondsBetween(new Date(question.asked_at), moment);
    throw refused("is too old", [
      ...fact("consent_form", "request", "too_old"),
      ...evidence("expired", "request", age, String(patience / 1000)),
    ]);
  }
  if (!(await store.useOnce("consent_form", sha256(question.nonce), ends_at, moment))) {
    throw refused("was answered before", fact("consent_form", "request", "answered"));
  }
  return question.url;
}
