/**
 * The catalogue of refusals, and the one place that makes an `OAuthError`.
 *
 * `throw refuse("code_redirect_uri", { received, expected })` names a refusal and says what its evidence
 * takes; the rest stands in the catalogue. Where several refusals share one sentence, the client may not
 * learn which it was.
 */
import { OAuthError, ReplayError } from "../../errors.ts";
import type { EvidenceKind } from "../../records/names/evidence.ts";
import { assertionRefusals, clientAssertionRefusals } from "./assertion_refusals.ts";
import {
  authorizationRefusals,
  challengeRefusals,
  consentFormRefusals,
  pushedRefusals,
} from "./authorization_refusals.ts";
import type { Catalogued } from "./catalogued.ts";
import { clientDocumentRefusals } from "./client_document_refusals.ts";
import { clientRefusals } from "./client_refusals.ts";
import { bearerRefusals, grantRefusals, scopeRefusals } from "./grant_refusals.ts";
import { bindingRefusals, proofRefusals } from "./proof_refusals.ts";
import { registrationRefusals } from "./registration_refusals.ts";
import { logoutRefusals, pageRefusals, requestRefusals } from "./request_refusals.ts";
import { upstreamRefusals } from "./upstream_refusals.ts";

const catalogue = {
  ...requestRefusals,
  ...clientRefusals,
  ...assertionRefusals,
  ...clientAssertionRefusals,
  ...authorizationRefusals,
  ...clientDocumentRefusals,
  ...pushedRefusals,
  ...consentFormRefusals,
  ...challengeRefusals,
  ...scopeRefusals,
  ...grantRefusals,
  ...bearerRefusals,
  ...proofRefusals,
  ...bindingRefusals,
  ...registrationRefusals,
  ...logoutRefusals,
  ...pageRefusals,
  ...upstreamRefusals,
};

type Catalogue = typeof catalogue;

export type RefusalKind = keyof Catalogue;

export const refusalKinds = Object.keys(catalogue) as readonly RefusalKind[];

/** What a refusal of this kind takes. */
export type Given<Kind extends RefusalKind> =
  Catalogue[Kind] extends Catalogued<infer Value, EvidenceKind> ? Value : never;

/** The kinds of evidence that refusals make. */
export type EvidenceMade = {
  [Kind in RefusalKind]: Catalogue[Kind] extends Catalogued<never, infer K> ? K : never;
}[RefusalKind];

type Arguments<Value> = [Value] extends [undefined] ? [] : [given: Value];

/** Whether something that was thrown is this refusal. */
export function isRefusal(error: unknown, kind: RefusalKind): error is OAuthError {
  return error instanceof OAuthError && error.kind === kind;
}

/** The error of a refusal. Its evidence is gathered by its keeper (`noteRefusal`). */
export function refuse<Kind extends RefusalKind>(kind: Kind, ...[given]: Arguments<Given<Kind>>): OAuthError {
  const { code, status, description, evidence, retry_after, replayed_family } = catalogue[kind] as Catalogued<
    typeof given,
    EvidenceKind
  >;
  const refused = {
    kind,
    code,
    status,
    description: typeof description === "string" ? description : description(given),
    retry_after: retry_after?.(given),
    evidence: () => evidence?.(given) ?? [],
  };
  const family_id = replayed_family?.(given);
  return family_id === undefined ? new OAuthError(refused) : new ReplayError(family_id, refused);
}
