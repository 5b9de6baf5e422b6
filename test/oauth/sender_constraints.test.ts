/** What the core does with proofs of any constraint, shown with a second one beside DPoP. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { refuse } from "../../src/oauth/refusals/refuse.ts";
import {
  confirmSender,
  requireKeys,
  requireProofAlgorithm,
  tokenTypeOf,
  useProofs,
} from "../../src/oauth/sender_constraints/binding.ts";
import { dpop } from "../../src/oauth/sender_constraints/dpop.ts";
import type { AuthorizationServer, SenderConstraint } from "../../src/oauth/server.ts";
import { testServer } from "../support/authorization_server.ts";
import { databasesInForm } from "../support/databases.ts";

const own = {
  missing: refuse("client_ended"),
  algorithm: refuse("token_unbound"),
  used: refuse("client_not_named"),
};

/** As by the certificate of a client (RFC 8705 3): its tokens are a bearer's by their name. */
const certificate: SenderConstraint = {
  name: "dpop",
  token_type: "Bearer",
  member: "x5t#S256",
  refusals: { missing: () => own.missing, algorithm: () => own.algorithm, used: () => own.used },
  metadata: () => ({}),
  confirm: async (_request, { now }) => {
    const ends_at = new Date(now().getTime() + 1000);
    const mark = { kind: "client_assertion", key: Buffer.alloc(32, 1), ends_at } as const;
    return { thumbprint: "print", algorithm: "RS256", mark };
  },
};

const request = { method: "POST", path: "/oauth/token", dpop: undefined };
const thrown = (error: unknown) => (given: unknown) => given === error;

describe("a second constraint refuses with its own refusals", () => {
  async function staged(): Promise<AuthorizationServer> {
    const [database = assert.fail()] = databasesInForm;
    const { server } = await testServer(await database.open());
    const settings = { ...server.settings, extra_features: ["dpop"] as const };
    return { ...server, settings, senderConstraints: [dpop, certificate] };
  }

  test("of an algorithm that is not allowed, and of a proof that comes twice", async () => {
    const server = await staged();
    const confirmation = await confirmSender(request, server);
    assert.deepEqual(confirmation?.cnf, { "x5t#S256": "print" });
    assert.throws(
      () => requireProofAlgorithm(confirmation, { client_algorithms: ["ES256"] }),
      thrown(own.algorithm),
    );
    await useProofs(confirmation, server);
    await assert.rejects(useProofs(confirmation, server), thrown(own.used));
  });

  test("of a proof that is missing, beside one of another constraint too", async () => {
    const server = await staged();
    const confirmation = await confirmSender(request, server);
    assert.throws(() => requireKeys({ "x5t#S256": "print" }, undefined, server), thrown(own.missing));
    assert.throws(() => requireKeys({ jkt: "key" }, confirmation, server), { kind: "dpop_missing" });
    assert.throws(() => requireKeys({ "x5t#S256": "other" }, confirmation, server), {
      kind: "grant_of_other_key",
    });
    assert.equal(tokenTypeOf({ "x5t#S256": "print" }, server), "Bearer");
    assert.equal(tokenTypeOf({ "x5t#S256": "print", jkt: "key" }, server), "DPoP");
  });
});
