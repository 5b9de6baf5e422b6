/** Refusals of clients that push requests, sign assertions or use DPoP, each caused over HTTP. */
import { aSigningClient, assertionType } from "../oauth/signing_client.ts";
import { anApp } from "../support/builders.ts";
import { aProof, aProofKey, userinfoUrl } from "../support/dpop.ts";
import { codeParameters, formOf } from "../support/flows.ts";
import type { RefusedCase, Refusing } from "./refusing.ts";

const key = aProofKey();

/** Redeems a code with a proof of possession of the key. */
async function redeemed(
  { it, code, web, post, authorization }: Refusing,
  input?: Parameters<typeof aProof>[2],
) {
  const dpop = await aProof(it, key, input);
  const bound = await code(web, { dpop_jkt: aProofKey().thumbprint });
  return post("/oauth/token", codeParameters(web, bound, { redirect_uri: web.redirect_uris.at(-1) }), {
    authorization,
    dpop,
  });
}

/** Requests a token with an invalid assertion. */
async function signed({ it, organization, post }: Refusing, input: { aud?: string; foreign?: boolean }) {
  const client = await aSigningClient(it, { app: { organization_id: organization.id } });
  const other = input.foreign ? await aSigningClient(it) : client;
  const claims = input.aud === undefined ? {} : { aud: input.aud };
  const client_assertion = await client.assertion(claims, {}, other.pair.privateKey);
  return post("/oauth/token", {
    grant_type: "client_credentials",
    client_assertion_type: assertionType,
    client_assertion,
  });
}

export const refusedProofs: readonly RefusedCase[] = [
  {
    kind: "proof",
    error: "invalid_dpop_proof",
    about: "web",
    shows: [/typ/, /dpop\+jwt/],
    make: (setting) => redeemed(setting, { header: { typ: "JWT" } }),
  },
  {
    kind: "proof_address",
    error: "invalid_dpop_proof",
    about: "web",
    shows: [/u serinfo/, /t oken/, /Differs starting at the 26th character/],
    make: (setting) => redeemed(setting, { url: userinfoUrl }),
  },
  ...(["ahead", "behind"] as const).map(
    (side): RefusedCase => ({
      kind: `proof_clock_${side}`,
      error: "use_dpop_nonce",
      about: "web",
      shows: [new RegExp(`client's clock is ${side}`), /75 seconds/, /at most 60 seconds|at most 1 minute/],
      make: (setting) => {
        const iat = Math.floor(setting.it.clock.now().getTime() / 1000) + (side === "ahead" ? 75 : -75);
        return redeemed(setting, { claims: { iat } });
      },
    }),
  ),
  {
    kind: "proof_key",
    error: "invalid_grant",
    about: "web",
    shows: [/another key/, new RegExp(key.thumbprint)],
    make: (setting) => redeemed(setting),
  },
  {
    kind: "client_assertion",
    error: "invalid_client",
    shows: [/https:\/\/elsewhere\.example/],
    make: (setting) => signed(setting, { aud: "https://elsewhere.example" }),
  },
  {
    kind: "client_assertion_key",
    error: "invalid_client",
    shows: [/k1/],
    make: (setting) => signed(setting, { foreign: true }),
  },
  {
    kind: "pushed_request",
    error: "invalid_request_uri",
    shows: [/request_uri/, /but unknown/],
    make: ({ browser, web }) => {
      const request_uri = `urn:ietf:params:oauth:request_uri:${"x".repeat(22)}`;
      return browser.get(`/oauth/authorize?${formOf({ client_id: web.client_id, request_uri })}`);
    },
  },
  {
    kind: "push_required",
    error: "invalid_request",
    shows: [/request_uri/],
    make: async ({ it, organization, requested }) => {
      const organization_id = organization.id;
      return requested(
        await anApp(it.store, { organization_id, require_pushed_authorization_requests: true }),
      );
    },
  },
];
