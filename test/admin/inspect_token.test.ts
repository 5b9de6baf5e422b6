import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { describe, test } from "node:test";
import { inspectToken } from "../../src/admin/reports/inspect_token.ts";
import { apiKeyHash, apiKeyText } from "../../src/crypto/api_keys.ts";
import { accessTokenSignature, findSignature, newCredential } from "../../src/crypto/credentials.ts";
import type { ServiceAccountKeyPair } from "../../src/records/definition/definition.ts";
import type { Store } from "../../src/storage/store.ts";
import { aKeyPair, anApiKey, anApp, anOrganization, aToken, aUser, later } from "../support/builders.ts";
import { databasesInForm } from "../support/databases.ts";
import { testContext } from "./context.ts";

/** Returns a text in the format of an access token. The row is found by its hash, and nothing is verified. */
function accessToken(jti: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "RS256" })}.${part({ jti })}.${randomBytes(256).toString("base64url")}`;
}

for (const database of databasesInForm)
  describe(`the inspection of a token on ${database.name}`, () => {
    async function issued() {
      const context = testContext(await database.open());
      const { store } = context;
      const [user, acme] = [await aUser(store), await anOrganization(store)];
      const app = await anApp(store, { organization_id: acme.id });
      const access = accessToken(store.newId(context.now()));
      const refresh = newCredential("prt_", context.now());
      const row = await aToken(store, {
        app_id: app.id,
        user_id: user.id,
        scopes: ["openid", "orders:read"],
        audience: ["https://api.example"],
        access_token_signature: accessTokenSignature(access) ?? Buffer.alloc(32),
        refresh_token_signature: findSignature("prt_", refresh) ?? Buffer.alloc(32),
        access_expires_at: later(900),
        refresh_expires_at: later(9000),
      });
      return { context, store, user, app, acme, access, refresh, row };
    }

    test("the inspection of an active token has the fields of RFC 7662", async () => {
      const { context, user, app, access, row } = await issued();
      const { family_id, ...report } = await inspectToken(context, access);
      assert.equal(family_id, row.family_id);
      const now = context.now().getTime() / 1000;
      assert.deepEqual(report, {
        active: true,
        token_type: "Bearer",
        scope: "openid orders:read",
        client_id: app.client_id,
        username: user.email,
        exp: now + 900,
        iat: now,
        sub: user.id,
        aud: ["https://api.example"],
        jti: row.id,
      });
    });

    const endings: [
      string,
      (input: Awaited<ReturnType<typeof issued>>) => Promise<unknown>,
      RegExp,
      RegExp,
    ][] = [
      [
        "has expired",
        async ({ context }) => context.clock.advance(901),
        /expired at 2030-01-01T00:15:00/,
        /^$/,
      ],
      [
        "was revoked",
        ({ store, row, context }) => store.revokeFamily(row.family_id, "replay", context.now()),
        /revoked \(replay\)/,
        /revoked \(replay\)/,
      ],
      [
        "was rotated",
        ({ store, row }) => store.update("oauth_tokens", { id: row.id }, { rotated_at: later(1) }),
        /^$/,
        /exchanged for a new one/,
      ],
      [
        "lost its user",
        ({ store, user }) => store.update("users", { id: user.id }, { active: false }),
        /user/,
        /user/,
      ],
      [
        "lost its organization",
        ({ store, acme }) => store.update("organizations", { id: acme.id }, { active: false }),
        /organization/,
        /organization/,
      ],
      [
        "lost its app",
        ({ store, app }) => store.update("oauth_apps", { id: app.id }, { revoked_at: later(0) }),
        /app was revoked/,
        /app was revoked/,
      ],
      [
        "is older than an ending",
        ({ store, user }) => store.update("users", { id: user.id }, { tokens_not_before: later(0) }),
        /revoked after the token was issued/,
        /revoked after/,
      ],
    ];
    for (const [what, end, ofAccess, ofRefresh] of endings)
      test(`the inspection of an inactive token names the reason: it ${what}`, async () => {
        const input = await issued();
        await end(input);
        for (const [token, reason] of [
          [input.access, ofAccess],
          [input.refresh, ofRefresh],
        ] as const) {
          const report = await inspectToken(input.context, token);
          assert.match(report.reason ?? "", reason);
          assert.equal(report.active, report.reason === undefined);
        }
      });

    test("the inspection recognizes an API key, and names its owner and why it is inactive", async () => {
      const context = testContext(await database.open());
      const { store } = context;
      const [user, acme] = [await aUser(store), await anOrganization(store)];
      const [theirs, ofAcme] = [apiKeyText(context.now()), apiKeyText(context.now())];
      const now = context.now().getTime() / 1000;
      const key = await anApiKey(store, {
        key_hash: apiKeyHash(theirs),
        user_id: user.id,
        scopes: ["postern:users:read"],
        expires_at: later(900),
      });
      await anApiKey(store, { key_hash: apiKeyHash(ofAcme), organization_id: acme.id });
      assert.deepEqual(await inspectToken(context, theirs), {
        active: true,
        token_type: "api_key",
        scope: "postern:users:read",
        username: user.email,
        exp: now + 900,
        iat: now,
        sub: user.id,
        jti: key.id,
      });
      assert.equal((await inspectToken(context, ofAcme)).sub, acme.id);

      const reason = async (text: string) => (await inspectToken(context, text)).reason ?? "";
      await store.update("organizations", { id: acme.id }, { active: false });
      assert.match(await reason(ofAcme), /^its organization is not active$/);
      await store.update("users", { id: user.id }, { active: false });
      assert.match(await reason(theirs), /^its user is not active$/);
      context.clock.advance(901);
      assert.match(await reason(theirs), /^it expired at 2030-01-01T00:15:00/);
      await store.update("api_keys", { id: key.id }, { revoked: true });
      assert.match(await reason(theirs), /^it was revoked$/);
      assert.match(await reason(`${theirs.slice(0, -1)}!`), /checksum/);
      assert.match(await reason(apiKeyText(context.now())), /does not recognize the API key/);
    });

    test("the inspection names whether a service account's token ended with its key or with the account", async () => {
      const endings: [RegExp, (store: Store, key: ServiceAccountKeyPair) => Promise<unknown>][] = [
        [/^its key pair was revoked$/, (store, { id }) => store.update(keyPairs, { id }, { revoked: true })],
        [/^its key pair was deleted$/, (store, { id }) => store.remove(keyPairs, { id })],
        [
          /^its service account is not active$/,
          (store, { service_account_id: id }) => store.update("service_accounts", { id }, { active: false }),
        ],
      ];
      const keyPairs = "service_account_key_pairs";
      for (const [reason, end] of endings) {
        const { context, store, access, row } = await issued();
        const key = await aKeyPair(store);
        const { service_account_id } = key;
        const request_data = JSON.stringify({ key_pair_id: key.id });
        const machine = { user_id: null, service_account_id, request_data };
        await store.update("oauth_tokens", { id: row.id }, machine);
        assert.equal((await inspectToken(context, access)).active, true);
        await end(store, key);
        assert.match((await inspectToken(context, access)).reason ?? "", reason);
      }
    });

    test("the inspection reports a text that is no token of this server as inactive", async () => {
      const { context, access } = await issued();
      for (const text of ["", "x", `${access}A`, access.slice(0, -1), newCredential("prt_", context.now())])
        assert.deepEqual(await inspectToken(context, text), {
          active: false,
          reason: "this server does not recognize the token",
        });
    });
  });
