import { sha256 } from "../../crypto/digest.ts";
import { proofAlgorithms } from "../../crypto/embedded_keys.ts";
import { among, type Demands } from "../../records/profiles.ts";
import { refuse } from "../refusals/refuse.ts";
import type { AuthorizationServer, SenderConstraint } from "../server.ts";
import type { Confirmation } from "./confirmation.ts";
import { type DpopProof, readProof } from "./dpop_proof.ts";
import { nonceEnd } from "./nonce.ts";

/** How far the clock of a client may be from ours, seconds. */
const clockTolerance = 60;

/** Marks outlive their proofs by this much, milliseconds: the clocks of processes differ. */
const markOutlives = 60_000;

/** Algorithms that proofs may be signed by, as far as every app is concerned. */
export function dpopAlgorithms({ client_algorithms }: Pick<Demands, "client_algorithms">): readonly string[] {
  return among(proofAlgorithms, client_algorithms);
}

/** Proof of possession at the application layer (RFC 9449). */
export const dpop: SenderConstraint = {
  name: "dpop",
  token_type: "DPoP",
  member: "jkt",
  refusals: {
    missing: () => refuse("dpop_missing"),
    algorithm: (given) => refuse("dpop_alg", given),
    used: () => refuse("dpop_replayed"),
  },
  metadata: (demands) => ({ dpop_signing_alg_values_supported: dpopAlgorithms(demands) }),
  async confirm(request, server) {
    if (request.dpop === undefined) return undefined;
    const proof = await readProof(request.dpop, request, server.issuer);
    const ends_at = new Date(proofEnd(proof, server).getTime() + markOutlives);
    const key = sha256(JSON.stringify([proof.jkt, proof.jti]));
    return { thumbprint: proof.jkt, algorithm: proof.alg, mark: { kind: "dpop", key, ends_at } };
  },
};

/** Throws where a token has to be bound by DPoP (RFC 9449 5.2) and the request has no proof. */
export function requireDpop(confirmation: Confirmation | undefined): void {
  if (confirmation?.cnf[dpop.member] === undefined) throw dpop.refusals.missing();
}

/**
 * Until when the proof would be taken again. Throws where it is too old, too new, or lacks a nonce, and where
 * it has one that this server did not give out or that has ended (RFC 9449 8), whatever is asked for.
 */
function proofEnd({ iat, nonce }: DpopProof, server: AuthorizationServer): Date {
  const { dpop_nonce = "clock" } = server.settings;
  const now = server.now().getTime() / 1000;
  const nonce_end = nonce === undefined ? undefined : nonceEnd(server, nonce);
  if (nonce !== undefined && nonce_end === undefined) throw refuse("dpop_nonce_ended");
  if (nonce_end !== undefined && dpop_nonce !== "off") return nonce_end;
  const skew = Math.round(now - iat);
  const isCurrent = Math.abs(now - iat) <= clockTolerance;
  if (dpop_nonce === "always") throw refuse("dpop_nonce_missing");
  if (isCurrent) return new Date((iat + clockTolerance) * 1000);
  throw refuse(dpop_nonce === "clock" ? "dpop_clock_nonce" : "dpop_clock", { skew, most: clockTolerance });
}
