/** What clients are refused whose tokens are bound to keys, really made to happen over HTTP. */
import { aProof, aProofKey, userinfoUrl } from "../support/dpop.ts";
import { codeParameters } from "../support/flows.ts";
import type { RefusedCase, RefusingStage } from "./refusing_stage.ts";

const key = aProofKey();

/** Redeems a code with a proof of the key. */
async function redeemed(
  { it, code, web, post, authorization }: RefusingStage,
  given?: Parameters<typeof aProof>[2],
) {
  const dpop = await aProof(it, key, given);
  const bound = await code(web, { dpop_jkt: aProofKey().thumbprint });
  return post("/oauth/token", codeParameters(web, bound, { redirect_uri: web.redirect_uris.at(-1) }), {
    authorization,
    dpop,
  });
}

export const refusedProofs: readonly RefusedCase[] = [
  {
    kind: "proof",
    error: "invalid_dpop_proof",
    about: "web",
    shows: [/typ/, /dpop\+jwt/],
    make: (stage) => redeemed(stage, { header: { typ: "JWT" } }),
  },
  {
    kind: "proof_address",
    error: "invalid_dpop_proof",
    about: "web",
    shows: [/u serinfo/, /t oken/, /Differs from the 26th character on/],
    make: (stage) => redeemed(stage, { url: userinfoUrl }),
  },
  {
    kind: "proof_clock",
    error: "use_dpop_nonce",
    about: "web",
    shows: [/75 seconds/, /at most 60 seconds|at most 1 minute/],
    make: (stage) => {
      const iat = Math.floor(stage.it.clock.now().getTime() / 1000) - 75;
      return redeemed(stage, { claims: { iat } });
    },
  },
  {
    kind: "proof_key",
    error: "invalid_grant",
    about: "web",
    shows: [/another key/, new RegExp(key.thumbprint)],
    make: (stage) => redeemed(stage),
  },
];
