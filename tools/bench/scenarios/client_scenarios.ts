/** Requests by clients without a user. */
import { checkIntrospections, checkRevoked, checkTokens } from "../checks.ts";
import { posted } from "../requests.ts";
import type { Scenario } from "../scenario.ts";
import { issueTokens, issuing } from "./issuing.ts";

export const clientCredentials: Scenario = {
  id: "client-credentials",
  name: "client credentials",
  bound: { limit: "RS256", each: 1 },
  prepare: async (subject) => {
    const { server, endpoints } = subject;
    return {
      work: issuing(subject, server.jwt_request),
      check: (answers) => checkTokens(server, endpoints, server.client, answers),
    };
  },
};

/** The same requests over one connection, so none waits for another. */
export const clientCredentialsAlone: Scenario = {
  id: "client-credentials-one",
  name: "client credentials, one connection",
  prepare: (subject) => clientCredentials.prepare({ ...subject, connections: 1 }),
};

export const introspection: Scenario = {
  id: "introspection",
  name: "introspection",
  remark: "JWT access tokens on Postern, opaque ones on oidc-provider, which refuses to introspect JWTs",
  prepare: async (subject) => {
    const { server, endpoints, connections, tokens } = subject;
    const [first, ...rest] = server.stored_tokens ?? (await issueTokens(subject, tokens));
    if (first === undefined) throw new Error("no tokens to introspect");
    return {
      work: {
        connections,
        steps: [
          {
            ...posted(endpoints.introspection_endpoint, server.introspector, { token: "{variant}" }),
            variants: { values: [first, ...rest], used: "in_turn" },
            expected: { status: 200, parts: ['"active":true', `"client_id":"${server.client.client_id}"`] },
          },
        ],
      },
      check: async (answers) => checkIntrospections(server, answers),
    };
  },
};

/**
 * The shares of the tokens that are revoked during the warm-up and during the measurement. The measurement
 * ends before the tokens are used up, because connections without a token would stay idle.
 */
const shares = { warm_up: 0.2, measured: 0.7 };

export const revocation: Scenario = {
  id: "revocation",
  name: "revocation",
  remark:
    "JWT access tokens on Postern, opaque ones on oidc-provider, which refuses to revoke JWTs; each token is revoked once",
  prepare: async (subject) => {
    const { server, endpoints, connections, revocations } = subject;
    const tokens = await issueTokens(subject, revocations);
    return {
      work: {
        connections,
        steps: [
          {
            ...posted(endpoints.revocation_endpoint, server.client, { token: "{variant}" }),
            variants: { values: tokens, used: "once" },
            expected: { status: 200, parts: [] },
          },
        ],
      },
      warm_up: { answers: Math.floor(shares.warm_up * revocations) },
      measured: { answers: Math.floor(shares.measured * revocations) },
      check: () => checkRevoked(server, endpoints, tokens.slice(0, 20)),
    };
  },
};
