import assert from "node:assert/strict";
import { createPublicKey } from "node:crypto";
import { before, describe, test } from "node:test";
import { SignJWT } from "jose";
import { OAuthError } from "../../src/errors.ts";
import { endSession } from "../../src/oauth/end_session.ts";
import { token } from "../../src/oauth/token/token.ts";
import { userinfo } from "../../src/oauth/userinfo.ts";
import type { JsonObject } from "../../src/records/field.ts";
import { type TestServer, testServer } from "../support/authorization_server.ts";
import { databases } from "../support/databases.ts";
import { endpointRequest, origin } from "../support/flows.ts";
import { aMachine, jwtBearer } from "./machine.ts";
import { aParty, claimsOf } from "./party.ts";
import { aSigningClient, assertionType, jwkOf } from "./signing_client.ts";

/** Every kind of JWT of the protocol, those that are not built yet among them, and its `typ`. */
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

/** A place that takes JWTs of one kind. */
interface Taker {
  readonly takes: Kind;
  /** The claims that it wants. */
  readonly claims: () => Record<string, unknown>;
  readonly present: (jwt: string) => Promise<unknown>;
}

for (const database of databases)
  describe(`kinds of JWT on ${database.name}`, () => {
    let stage: TestServer;
    let takers: readonly Taker[];
    /** What is really handed out, as it is. */
    let issued: Readonly<Record<"access_token" | "id_token", string>>;
    /** Signs by the one key that everybody here believes: this server's own, a client's, an account's. */
    let sign: (typ: string, claims: Record<string, unknown>) => Promise<string>;

    before(async () => {
      stage = await testServer(await database.open(), {
        extra_client_auth: ["private_key_jwt"],
        extra_grants: [jwtBearer],
      });
      const { server, clock } = stage;
      const key = (await server.keys()).signingKey(clock.now());
      const pair = { privateKey: key.privateKey, publicKey: createPublicKey(key.privateKey) };
      const machine = await aMachine(stage, { algorithm: "RS256", pair, key: { key_id: key.kid } });
      // The client has the name of the account, so that neither name nor key tells one from the other.
      const client = await aSigningClient(stage, {
        algorithm: "RS256",
        pair,
        app: { client_id: machine.account.id, jwks: { keys: [jwkOf(pair, { kid: key.kid } as JsonObject)] } },
      });
      const party = await aParty(stage);
      const { access_token, id_token = "" } = await party.flow();
      issued = { access_token, id_token };
      sign = (typ, claims) =>
        new SignJWT(claims).setProtectedHeader({ alg: "RS256", typ, kid: key.kid }).sign(pair.privateKey);
      takers = [
        { takes: "client_assertion", claims: () => client.claims(), present: (jwt) => client.ask(jwt) },
        {
          takes: "grant_assertion",
          claims: () => machine.claims(),
          present: (assertion) => token(endpointRequest({ grant_type: jwtBearer, assertion }), server),
        },
        {
          takes: "access_token",
          claims: () => claimsOf(issued.access_token),
          present: (jwt) =>
            userinfo(
              { method: "GET", dpop: undefined, ...endpointRequest({}), authorization: `Bearer ${jwt}` },
              server,
            ),
        },
        {
          takes: "id_token",
          claims: () => claimsOf(issued.id_token),
          present: async (id_token_hint) => {
            const { params } = endpointRequest({ id_token_hint });
            return endSession({ params, signedIn: undefined, confirmed: false, origin }, server);
          },
        },
      ];
    });

    const passes = (work: Promise<unknown>) =>
      work.then(
        () => true,
        (error: unknown) => {
          assert.ok(error instanceof OAuthError, String(error));
          return false;
        },
      );

    test("PR-34: each place takes its own kind, and no other kind even with the claims that it wants", async () => {
      for (const { takes, claims, present } of takers) {
        for (const [kind, typ] of Object.entries(kinds) as [Kind, string][]) {
          // JWT is the type of any kind that does not say: such a one is told apart by its claims.
          const typed = typ === "JWT" && takes !== "id_token" ? claimsOf(issued.id_token) : claims();
          const own = kind === takes && (kind === "access_token" || kind === "id_token");
          const jwt = own ? issued[kind] : await sign(typ, typed);
          assert.equal(await passes(present(jwt)), kind === takes, `${kind} as ${takes}`);
        }
      }
    });

    test("PR-34: what is handed out is good for nothing else, at any place that takes a JWT", async () => {
      for (const { takes, present } of takers) {
        for (const [kind, jwt] of Object.entries(issued)) {
          assert.equal(await passes(present(jwt)), kind === takes, `${kind} as ${takes}`);
        }
      }
    });

    test("PR-34: an untyped assertion of one kind is spent apart from the other, and believed by its record alone", async () => {
      const [client, grant] = takers;
      assert.ok(client !== undefined && grant !== undefined);
      const elsewhere = await aSigningClient(stage, { algorithm: "ES256" });
      const assertion = await elsewhere.assertion({}, { typ: "JWT" });
      await assert.rejects(grant.present(assertion), OAuthError);
      assert.ok(await elsewhere.ask(assertion));
      const machine = await aMachine(stage);
      const other = await machine.assertion();
      const form = { client_assertion_type: assertionType, client_assertion: other };
      await assert.rejects(
        token(endpointRequest({ grant_type: "client_credentials", ...form }), stage.server),
        OAuthError,
      );
      assert.ok(await machine.exchange({ assertion: other }));
    });
  });
