import assert from "node:assert/strict";
import { createPrivateKey } from "node:crypto";
import { before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type JWK, SignJWT } from "jose";
import { OAuthError } from "../../src/errors.ts";
import { pushRequest } from "../../src/oauth/authorize/push_request.ts";
import { endSession } from "../../src/oauth/end_session.ts";
import { introspect } from "../../src/oauth/introspect.ts";
import { refuse } from "../../src/oauth/refusals/refuse.ts";
import { readRegistration } from "../../src/oauth/registration/read_registration.ts";
import { token } from "../../src/oauth/token/token.ts";
import { userinfo } from "../../src/oauth/userinfo.ts";
import type { JsonObject } from "../../src/records/definition/field.ts";
import { serverOn } from "../support/authorization_server.ts";
import { describeInForm } from "../support/databases.ts";
import { tokenUrl } from "../support/dpop.ts";
import {
  ask,
  authorizeParameters,
  endpointRequest,
  origin,
  type Parameters,
  redirected,
} from "../support/flows.ts";
import { aClientFixture, claimsOf } from "./client_fixture.ts";
import { aMachine, jwtBearer } from "./machine.ts";
import { aSigningClient, assertionType, jwkOf } from "./signing_client.ts";

/** The `typ` of each kind of JWT, including kinds that this server accepts at no endpoint. */
const kinds = {
  client_assertion: "client-authentication+jwt",
  grant_assertion: "authorization-grant+jwt",
  access_token: "at+jwt",
  id_token: "JWT",
  dpop_proof: "dpop+jwt",
  logout_token: "logout+jwt",
  request_object: "oauth-authz-req+jwt",
  id_jag: "oauth-id-jag+jwt",
} as const;
type Kind = keyof typeof kinds;

/**
 * An endpoint or parameter that accepts JWTs of one kind; `none` is one that recognizes JWTs but accepts no
 * kind.
 */
type Taker = readonly [
  at: string,
  takes: Kind | "none",
  /** The claims that it requires. */
  claims: () => Record<string, unknown>,
  present: (jwt: string) => Promise<unknown>,
  /** Set if it requires another algorithm than that of this server's own tokens. */
  alg?: "PS256",
];

/** Throws in place of an answer that refuses a JWT without an exception. */
function refused(): never {
  throw refuse("access_token_malformed");
}

describeInForm("the kinds of JWT that this server reads", (database) => {
  const scenario = serverOn(database, {
    extra_client_auth: ["private_key_jwt"],
    extra_grants: [jwtBearer],
    extra_features: ["dpop", "par"],
  });
  let takers: readonly Taker[];
  /** Issued JWTs, unchanged. */
  let issued: Readonly<Record<"access_token" | "id_token", string>>;
  /** Signs with the only key that all verifiers here trust: this server's own, a client's, an account's. */
  let sign: (typ: string, claims: Record<string, unknown>, alg?: string) => Promise<string>;

  before(async () => {
    const { server, clock } = scenario;
    const key = (await server.keys()).signingKey(clock.now());
    const [row] = await scenario.store.listSigningKeys();
    const privateKey = createPrivateKey(
      server.sealer.open("signing_key", row?.private_key_sealed ?? "", row?.id ?? ""),
    );
    const pair = { privateKey, publicKey: key.publicKey };
    const machine = await aMachine(scenario, { algorithm: "RS256", pair, key: { key_id: key.kid } });
    // The client has the account's name, so neither name nor key distinguishes them.
    const client = await aSigningClient(scenario, {
      algorithm: "RS256",
      pair,
      app: { client_id: machine.account.id, jwks: { keys: [jwkOf(pair, { kid: key.kid } as JsonObject)] } },
    });
    const fixture = await aClientFixture(scenario, { allowed_scopes: ["openid", "offline_access"] });
    // With offline_access, the tokens are still active after the logout that uses this id_token as its hint.
    const { access_token, id_token = "" } = await fixture.flow({ scope: "openid offline_access" });
    issued = { access_token, id_token };
    // A proof contains its key in the header. Only proofs may be read that way, so every kind has this header
    // here.
    const { kty, n, e } = pair.publicKey.export({ format: "jwk" });
    sign = (typ, claims, alg = "RS256") =>
      new SignJWT(claims)
        .setProtectedHeader({ alg, typ, kid: key.kid, jwk: { kty, n, e } as JWK })
        .sign(pair.privateKey);
    const assertion = (client_assertion: string) => ({
      client_assertion_type: assertionType,
      client_assertion,
    });
    const bearer = (jwt: string) => ({ ...endpointRequest({}), authorization: `Bearer ${jwt}` });
    const ofClient = () => client.claims();
    const ofAccess = () => claimsOf(issued.access_token);
    const ofIdToken = () => claimsOf(issued.id_token);
    const active = async (answer: Promise<object>) => {
      if (!("active" in (await answer)) || ((await answer) as { active: boolean }).active !== true) refused();
    };
    const { app, who } = fixture;
    const requested = (input: Parameters) => ask(scenario, who, authorizeParameters(app, input));
    takers = [
      ["the token endpoint, of the client", "client_assertion", ofClient, (jwt) => client.ask(jwt)],
      [
        "introspection, of the client",
        "client_assertion",
        ofClient,
        (jwt) => introspect(endpointRequest({ token: "x", ...assertion(jwt) }), server),
      ],
      [
        // The client may not push requests, which the server only finds out once it has identified the
        // client.
        "pushed requests, of the client",
        "client_assertion",
        ofClient,
        (jwt) =>
          pushRequest(endpointRequest(assertion(jwt)), server).catch((error: OAuthError) => {
            if (error.code === "invalid_client") throw error;
          }),
      ],
      [
        "the token endpoint, of the account",
        "grant_assertion",
        () => machine.claims(),
        (jwt) => token(endpointRequest({ grant_type: jwtBearer, assertion: jwt }), server),
      ],
      [
        "the header DPoP",
        "dpop_proof",
        () => ({
          htm: "POST",
          htu: tokenUrl,
          jti: crypto.randomUUID(),
          iat: Math.floor(clock.now().getTime() / 1000),
        }),
        async (dpop) =>
          token({ ...endpointRequest(await refreshForm(), fixture.authorization), dpop }, server),
        "PS256",
      ],
      [
        "userinfo, in the header",
        "access_token",
        ofAccess,
        (jwt) => userinfo({ method: "GET", dpop: undefined, ...bearer(jwt) }, server),
      ],
      [
        "userinfo, in the form",
        "access_token",
        ofAccess,
        (jwt) =>
          userinfo({ method: "POST", dpop: undefined, ...endpointRequest({ access_token: jwt }) }, server),
      ],
      ["introspection, as the token", "access_token", ofAccess, (jwt) => active(fixture.introspect(jwt))],
      [
        "logout, as a hint",
        "id_token",
        ofIdToken,
        async (id_token_hint) => {
          const { params } = endpointRequest({ id_token_hint });
          return endSession({ params, signedIn: undefined, confirmed: false, origin }, server);
        },
      ],
      [
        "authorize, as a hint",
        "id_token",
        ofIdToken,
        async (id_token_hint) => {
          const outcome = await requested({ id_token_hint });
          if (outcome.type === "redirect" && redirected(outcome).has("error")) refused();
        },
      ],
      [
        "authorize, as a request object",
        "none",
        () => ({ ...authorizeParameters(app), iss: app.client_id, aud: server.issuer }),
        async (request) => {
          if (redirected(await requested({ request })).has("error")) refused();
        },
      ],
      [
        "pushed requests, as a request object",
        "none",
        () => ({ ...authorizeParameters(app), iss: app.client_id, aud: server.issuer }),
        (request) =>
          pushRequest(
            endpointRequest({ ...authorizeParameters(app), request }, fixture.authorization),
            server,
          ),
      ],
      ["the token endpoint, as a code", "none", ofAccess, (code) => fixture.exchange(code)],
      ["the token endpoint, as a refresh token", "none", ofAccess, (jwt) => fixture.refresh(jwt)],
      [
        // The software statement is ignored; if it were read, it would change the registration.
        "registration, as a software statement",
        "none",
        () => ({ client_name: "Trusted", redirect_uris: ["https://other.example/cb"] }),
        async (software_statement) => {
          const members = { redirect_uris: ["https://client.example/cb"], client_name: "Client" };
          const registered = (input: JsonObject) =>
            readRegistration(input, { methods: ["none"], scopes: [] });
          if (isDeepStrictEqual(registered(members), registered({ ...members, software_statement })))
            refused();
        },
      ],
    ];
    const refreshForm = async () => ({
      grant_type: "refresh_token",
      refresh_token: (await fixture.flow({ scope: "openid offline_access" })).refresh_token,
    });
  });

  const passes = (work: Promise<unknown>) =>
    work.then(
      () => true,
      (error: unknown) => {
        assert.ok(error instanceof OAuthError, String(error));
        return false;
      },
    );

  test("PR-34: every endpoint and parameter accepts JWTs of its own kind, and no other kind even with the right claims", async () => {
    for (const [at, takes, claims, present, alg] of takers) {
      for (const [kind, typ] of Object.entries(kinds) as [Kind, string][]) {
        // The type `JWT` is valid for every kind. Such a JWT is distinguished by its claims.
        const typed = typ === "JWT" && takes !== "id_token" ? claimsOf(issued.id_token) : claims();
        const own = kind === takes && (kind === "access_token" || kind === "id_token");
        const jwt = own ? issued[kind] : await sign(typ, typed, alg);
        assert.equal(await passes(present(jwt)), kind === takes, `${kind} at ${at}`);
      }
    }
  });

  test("PR-34: every kind of JWT that is accepted has a test here", () => {
    const accepted_nowhere = ["logout_token", "request_object", "id_jag"];
    const taken = new Set(takers.map(([, takes]) => takes));
    assert.deepEqual(
      Object.keys(kinds).filter((kind) => !taken.has(kind as Kind)),
      accepted_nowhere,
    );
  });

  test("PR-34: a JWT that this server issues is accepted only where its kind is expected", async () => {
    for (const [at, takes, , present] of takers) {
      for (const [kind, jwt] of Object.entries(issued)) {
        assert.equal(await passes(present(jwt)), kind === takes, `${kind} at ${at}`);
      }
    }
  });

  test("PR-34: an assertion without typ is refused as the other kind, which does not use it up", async () => {
    const [client, grant] = takers.filter(([at]) => at.startsWith("the token endpoint, of"));
    assert.ok(client !== undefined && grant !== undefined);
    const elsewhere = await aSigningClient(scenario, { algorithm: "ES256" });
    const assertion = await elsewhere.assertion({}, { typ: "JWT" });
    await assert.rejects(grant[3](assertion), OAuthError);
    assert.ok(await elsewhere.ask(assertion));
    const machine = await aMachine(scenario);
    const other = await machine.assertion();
    const form = { client_assertion_type: assertionType, client_assertion: other };
    await assert.rejects(
      token(endpointRequest({ grant_type: "client_credentials", ...form }), scenario.server),
      OAuthError,
    );
    assert.ok(await machine.exchange({ assertion: other }));
  });
});
