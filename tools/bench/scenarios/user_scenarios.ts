/** Requests with a user. Each connection is the browser or the client of a different user. */
import { decodeJwt } from "jose";
import { checkUserTokens, flow, refreshed } from "../checks.ts";
import { emailOf, redirect_uri, users } from "../contender.ts";
import { authorizationQuery, codeForm, form, posted, refreshForm } from "../requests.ts";
import type { Scenario } from "../scenario.ts";

const threeTokens = ['"access_token":"', '"refresh_token":"', '"id_token":"'];

export const refresh: Scenario = {
  id: "refresh",
  name: "refresh rotation",
  bound: { limit: "RS256", each: 2 },
  prepare: async ({ server, endpoints, connections }) => {
    const carried: string[] = [];
    for (const cookie of await server.signIn(connections)) {
      const { refresh_token } = await flow(server, endpoints, cookie);
      if (refresh_token === undefined) throw new Error("the code flow returned no refresh token");
      carried.push(refresh_token);
    }
    return {
      work: {
        connections,
        carried,
        steps: [
          {
            ...posted(endpoints.token_endpoint, server.web_client, refreshForm(server, "{carried}")),
            expected: { status: 200, parts: threeTokens },
            carry: '"refresh_token":"([^"]+)"',
          },
        ],
      },
      async check(answers, carried) {
        // Rotation also ends the old access token, so only the tokens that the connections have at the end
        // are still active.
        await checkUserTokens(server, endpoints, answers, { still_active: false });
        const last = await Promise.all(carried.map((each) => refreshed(server, endpoints, each)));
        await checkUserTokens(
          server,
          endpoints,
          last.map((answer) => JSON.stringify(answer)),
        );
      },
    };
  },
};

export const codeFlow: Scenario = {
  id: "code-flow",
  name: "code flow",
  remark: "one flow is two requests: a session gets a code with PKCE S256, and the client redeems the code",
  bound: { limit: "RS256", each: 2 },
  prepare: async ({ server, endpoints, connections }) => {
    const [first, ...rest] = await server.signIn(connections);
    if (first === undefined) throw new Error("no user signed in");
    // The first flow of a browser may take longer than the others, so it is not measured.
    for (const cookie of [first, ...rest]) await flow(server, endpoints, cookie);
    const { pathname } = new URL(endpoints.authorization_endpoint);
    return {
      work: {
        connections,
        steps: [
          {
            method: "GET",
            target: `${pathname}?${authorizationQuery(server)}`,
            headers: { Cookie: "{variant}", Accept: "text/html" },
            variants: { values: [first, ...rest], used: "by_connection" },
            expected: { status: server.redirect_status, parts: [redirect_uri] },
            carry: "[?&]code=([^&\\s]+)",
          },
          {
            ...posted(endpoints.token_endpoint, server.web_client, codeForm(server, "{carried}")),
            expected: { status: 200, parts: threeTokens },
          },
        ],
      },
      check: (answers) => checkUserTokens(server, endpoints, answers),
    };
  },
};

export const userinfo: Scenario = {
  id: "userinfo",
  name: "userinfo",
  remark: "each connection has the access token of a different user; oidc-provider refuses JWTs at userinfo",
  prepare: async ({ server, endpoints, connections }) => {
    if (endpoints.userinfo_endpoint === "") return undefined;
    const tokens: string[] = [];
    // The userinfo endpoint refuses tokens for another resource.
    const forItself = { ...server, resource: {} };
    for (const cookie of await server.signIn(connections))
      tokens.push((await flow(forItself, endpoints, cookie)).access_token);
    const [first, ...rest] = tokens;
    if (first === undefined) throw new Error("no user signed in");
    return {
      work: {
        connections,
        steps: [
          {
            method: "GET",
            target: new URL(endpoints.userinfo_endpoint).pathname,
            headers: { Authorization: "Bearer {variant}", Accept: "application/json" },
            variants: { values: [first, ...rest], used: "by_connection" },
            expected: { status: 200, parts: ['"sub":"'] },
          },
        ],
      },
      async check(answers) {
        const subjects = new Set(tokens.map((token) => decodeJwt(token).sub));
        for (const answer of answers)
          if (!subjects.has((JSON.parse(answer) as { sub: string }).sub))
            throw new Error(`userinfo answered ${answer}`);
      },
    };
  },
};

export const signIn: Scenario = {
  id: "sign-in",
  name: "sign-in",
  remark: "the login form with the correct password; oidc-provider has no passwords",
  bound: { limit: "argon2id", each: 1 },
  prepare: async ({ server, endpoints, connections }) => {
    const page = await server.signInForm?.();
    if (page === undefined) return undefined;
    const [first, ...rest] = Array.from({ length: users }, (_, user) => form({ email: emailOf(user) }));
    return {
      work: {
        connections,
        steps: [
          {
            method: "POST",
            target: page.target,
            headers: {
              Cookie: page.cookie,
              "Content-Type": "application/x-www-form-urlencoded",
              Accept: "text/html",
            },
            body: `{variant}&${form(page.fields)}`,
            variants: { values: [first ?? "", ...rest], used: "in_turn" },
            expected: { status: server.redirect_status, parts: ["session="] },
          },
        ],
      },
      // Every signed-in user must get a code.
      async check(answers) {
        for (const head of answers) {
          const cookie = /^set-cookie: *([^;\r\n]*session=[^;\r\n]+)/im.exec(head)?.[1];
          if (cookie === undefined) throw new Error("a sign-in response has no session");
          await flow(server, endpoints, cookie);
        }
      },
    };
  },
};
