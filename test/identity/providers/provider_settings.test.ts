import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { sealer } from "../../../src/crypto/sealing.ts";
import { providerSettings } from "../../../src/people/providers/provider_settings.ts";
import { aProvider } from "../../support/builders.ts";
import { describeInForm } from "../../support/databases.ts";

const seals = sealer([randomBytes(32)]);

describeInForm("the settings used for a provider", (database) => {
  const sealed = (id: string, text: string) => seals.seal("provider_secret", text, id);

  test("EP-1 the settings have the values of the record with the secret decrypted, and the preset supplies missing ones", async () => {
    const store = await database.open();
    const id = store.newId(new Date(0));
    const row = await aProvider(store, { id, slug: "acme", client_secret: sealed(id, "told") });
    assert.deepEqual(providerSettings(row, seals), {
      slug: "acme",
      preset: "oidc",
      issuer: "https://acme.example",
      client_id: "postern",
      client_secret: "told",
      email_trust: "never",
      email_domains: [],
      allowed_tenants: [],
      trust_amr: false,
      keep_tokens: false,
    });
    const other = { ...row, id: store.newId(new Date(0)) };
    assert.throws(() => providerSettings(other, seals), { name: "SealError" });
    const { client_secret } = providerSettings({ ...row, client_secret: "" }, seals);
    assert.equal(client_secret, undefined);
  });

  test("EP-1 Apple's private key is separate from client secrets, and each preset reads its own settings", async () => {
    const store = await database.open();
    const id = store.newId(new Date(0));
    const apple = await aProvider(store, {
      id,
      slug: "apple",
      preset: "apple",
      issuer: null,
      client_secret: sealed(id, "a key"),
      settings: { team_id: "T", key_id: "K" },
    });
    const { private_key, client_secret, team_id, key_id, issuer } = providerSettings(apple, seals);
    assert.deepEqual([private_key, client_secret, team_id, key_id], ["a key", undefined, "T", "K"]);
    assert.equal(issuer, undefined);
    const generic = await aProvider(store, {
      slug: "generic",
      preset: "oauth2",
      issuer: null,
      authorization_endpoint: "https://a.example/authorize",
      token_endpoint: "https://a.example/token",
      userinfo_endpoint: "https://a.example/me",
      client_secret: "",
      scopes: ["me"],
      settings: {
        claim_names: { subject: "id" },
        revocation_endpoint: "https://a.example/revoke",
        pkce: false,
      },
    });
    const { endpoints, claim_names, scopes, pkce } = providerSettings(generic, seals);
    assert.deepEqual(endpoints, {
      authorization: "https://a.example/authorize",
      token: "https://a.example/token",
      userinfo: "https://a.example/me",
      revocation: "https://a.example/revoke",
    });
    assert.deepEqual([claim_names, scopes, pkce], [{ subject: "id" }, ["me"], false]);
  });
});
