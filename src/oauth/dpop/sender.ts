/**
 * Tokens and grants that are bound to a key of their sender (RFC 9449 5 to 7). A DPoP proof is read once per
 * request, compared with the bound key, and accepted once.
 */
import { sha256 } from "../../crypto/digest.ts";
import { OAuthError } from "../../errors.ts";
import type { OAuthToken } from "../../records/definition/definition.ts";
import type { BoundKey, Sender, TokenType } from "../core/authorization.ts";
import type { Rules } from "../core/rules.ts";
import { offersFeature } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";
import { type ProvenRequest, proofEnd, readProof } from "./proof.ts";

/**
 * A used proof is remembered for these milliseconds after its expiry, because the clocks of the server's
 * processes differ.
 */
const markOutlives = 60_000;

/**
 * Returns the key that the sender of the request proved to hold; undefined without a proof, or if DPoP is
 * switched off. Throws `invalid_dpop_proof` and `use_dpop_nonce`: an invalid proof never counts as a missing
 * one.
 */
export async function proveSender(
  request: ProvenRequest,
  server: AuthorizationServer,
): Promise<Sender | undefined> {
  if (request.dpop === undefined || !offersFeature(server, "dpop")) return undefined;
  const proof = await readProof(request.dpop, request, server.issuer);
  const ends_at = new Date(proofEnd(proof, server).getTime() + markOutlives);
  const { jkt, alg, jti } = proof;
  return { jkt, alg, once_key: { key: sha256(JSON.stringify([jkt, jti])), ends_at } };
}

export function requireProof(sender: Sender | undefined): void {
  if (sender === undefined) throw refuse("dpop_missing");
}

export function requireProofAlgorithm(
  sender: Sender | undefined,
  { client_algorithms: allowed }: Pick<Rules, "client_algorithms">,
): void {
  if (sender === undefined || allowed === null || allowed.includes(sender.alg)) return;
  throw refuse("dpop_alg", { received: sender.alg, allowed });
}

/**
 * Checks that the sender proved the key to which a grant is bound. Throws `invalid_grant` or, without a
 * proof, `invalid_dpop_proof`.
 */
export function requireKey(
  bound: BoundKey | null | undefined,
  sender: Sender | undefined,
  { rebinds = false }: { readonly rebinds?: boolean | undefined } = {},
): void {
  if (bound === undefined || bound === null) return;
  requireProof(sender);
  if (!rebinds && bound.jkt !== sender?.jkt)
    throw refuse("grant_of_other_key", { received: sender?.jkt, expected: bound });
}

/**
 * Checks that an access token is presented under the scheme of its type. A bound token is never accepted as a
 * bearer token (RFC 9449 7.2).
 */
export function requireBinding(
  { cnf }: Pick<OAuthToken, "cnf">,
  { scheme, sender }: { readonly scheme: TokenType; readonly sender: Sender | undefined },
): void {
  if (cnf === null) {
    if (scheme !== "Bearer") throw refuse("token_unbound");
    return;
  }
  const input = { received: sender?.jkt, expected: cnf };
  if (scheme !== "DPoP" || sender === undefined) throw refuse("token_bound", input);
  if (cnf.jkt !== sender.jkt) throw refuse("token_of_other_key", input);
}

export const tokenTypeOf = (cnf: BoundKey | null): TokenType => (cnf === null ? "Bearer" : "DPoP");

/** Marks the proof as used. Throws if any process has used it before (RFC 9449 11.1). */
export async function useProof(
  sender: Sender | undefined,
  { store, now }: Pick<AuthorizationServer, "store" | "now">,
): Promise<void> {
  if (sender === undefined) return;
  const { key, ends_at } = sender.once_key;
  if (!(await store.useOnce("dpop", key, ends_at, now()))) throw refuse("dpop_replayed");
}

/** The errors of `proveSender` have status 401 at a protected resource (RFC 9449 7.1). */
export const proveSenderAtResource = (
  ...input: Parameters<typeof proveSender>
): ReturnType<typeof proveSender> => proveSender(...input).catch(refuseAtResource);

export const useProofAtResource = (...input: Parameters<typeof useProof>): Promise<void> =>
  useProof(...input).catch(refuseAtResource);

export function requireProofAlgorithmAtResource(...input: Parameters<typeof requireProofAlgorithm>): void {
  try {
    requireProofAlgorithm(...input);
  } catch (error) {
    refuseAtResource(error);
  }
}

function refuseAtResource(error: unknown): never {
  throw error instanceof OAuthError ? error.atResource() : error;
}
