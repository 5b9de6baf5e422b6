/**
 * The catalogue of refusals, and the only module that creates an `OAuthError`. Refusals share a description
 * if the client must not be able to distinguish them.
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
import { signalRefusals } from "./signal_refusals.ts";
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
  ...signalRefusals,
};

type Catalogue = typeof catalogue;

export type RefusalKind = keyof Catalogue;

export const refusalKinds = Object.keys(catalogue) as readonly RefusalKind[];

type Given<Kind extends RefusalKind> =
  Catalogue[Kind] extends Catalogued<infer Value, EvidenceKind> ? Value : never;

export type EvidenceMade = {
  [Kind in RefusalKind]: Catalogue[Kind] extends Catalogued<never, infer K> ? K : never;
}[RefusalKind];

type Arguments<Value> = [Value] extends [undefined] ? [] : [input: Value];

export function isRefusal(error: unknown, kind: RefusalKind): error is OAuthError {
  return error instanceof OAuthError && error.kind === kind;
}

export function refuse<Kind extends RefusalKind>(kind: Kind, ...[input]: Arguments<Given<Kind>>): OAuthError {
  const { code, status, description, evidence, retry_after, replayed_family } = catalogue[kind] as Catalogued<
    typeof input,
    EvidenceKind
  >;
  const refused = {
    kind,
    code,
    status,
    description: typeof description === "string" ? description : description(input),
    retry_after: retry_after?.(input),
    evidence: () => evidence?.(input) ?? [],
  };
  const family_id = replayed_family?.(input);
  return family_id === undefined ? new OAuthError(refused) : new ReplayError(family_id, refused);
}
