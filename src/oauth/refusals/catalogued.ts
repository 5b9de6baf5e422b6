import type { OAuthErrorCode } from "../../errors.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import {
  type EvidenceKind,
  type EvidenceOf,
  evidence,
  secondsBetween,
} from "../../records/names/evidence.ts";
import { type AllowedGrant, grantNames } from "../../records/names/names.ts";

export type Pieces<K extends EvidenceKind> = readonly EvidenceOf<K>[];

/** `Given` is the data about the request that the caller must pass. */
export interface Catalogued<Given, K extends EvidenceKind> {
  readonly code: OAuthErrorCode;
  readonly status?: number | undefined;
  /** For the developer of the client; never quotes a secret. */
  readonly description: string | ((input: Given) => string);
  /** Called only for a refusal that is stored. The response does not wait for a promise. */
  readonly evidence?: ((input: Given) => Pieces<K> | Promise<Pieces<K>>) | undefined;
  /** Seconds. */
  readonly retry_after?: (input: Given) => number;
  readonly replayed_family?: (input: Given) => string;
}

export function refusalsOf(code: OAuthErrorCode, status?: number) {
  return <Given = undefined, K extends EvidenceKind = never>(
    description: Catalogued<Given, K>["description"],
    proof?: Catalogued<Given, K>["evidence"],
    special: Pick<Catalogued<Given, K>, "retry_after" | "replayed_family"> = {},
  ): Catalogued<Given, K> => ({ code, status, description, evidence: proof, ...special });
}

/**
 * One description for failed client authentication, so the caller cannot distinguish an unknown client, an
 * inactive client and wrong credentials (C-4).
 */
export const failed = "client authentication failed";

export const invalidRequest = refusalsOf("invalid_request");
export const invalidClient = refusalsOf("invalid_client");
export const invalidGrant = refusalsOf("invalid_grant");
export const invalidScope = refusalsOf("invalid_scope");
export const invalidTarget = refusalsOf("invalid_target");
export const unauthorizedClient = refusalsOf("unauthorized_client");

export type Texts<Name extends string> = Readonly<Record<Name, string>>;

export interface Requested {
  readonly requested: readonly string[];
  readonly allowed: readonly string[];
}

export const missing = (name: string) => () => evidence("missing", name);

export interface Lifetime {
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly now: Date;
}

export function expired(name: string) {
  return ({ created_at, expires_at, now }: Lifetime) =>
    evidence("expired", name, secondsBetween(created_at, now), secondsBetween(created_at, expires_at));
}

/** Minimum and maximum length of a code verifier and a code challenge (RFC 7636 4.1, 4.2). */
export const verifierLengths = ["43", "128"];

export function allowedGrants(grant_type: string, { allowed_grants }: Pick<OAuthApp, "allowed_grants">) {
  const allowed = allowed_grants.map((word) => grantNames[word as AllowedGrant] ?? word);
  return evidence("allowed_grants", "allowed_grants", grant_type, allowed);
}
