import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createOutbound } from "../../src/outbound/outbound.ts";
import { checkProvider } from "../../src/providers/check_provider.ts";
import { basic } from "../../src/providers/client_proof.ts";
import { revokeUpstream } from "../../src/providers/stored_tokens.ts";
import { beginUpstream, finishUpstream } from "../../src/providers/upstream.ts";
import { upstreamClient } from "../../src/providers/upstream_client.ts";
import { independentProvider } from "../support/independent_provider.ts";

describe("an independent identity provider", () => {
  const redirect_uri = "https://id.example/sign-in/oidc/callback";
  const bound = {
    state: "state-of-this-sign-in",
    nonce: "nonce-of-this-sign-in",
    code_verifier: "verifier-of-this-sign-in-with-43-characters",
    redirect_uri,
  };

  test("EP-5 signs users in, and its tokens are revoked", async () => {
    const provider = await independentProvider(redirect_uri);
    try {
      const { settings } = provider;
      const started = new Date();
      const client = upstreamClient({
        outbound: createOutbound({ allow: ["127.0.0.0/8"] }),
        now: () => new Date(),
      });
      const expected = { ...bound, slug: "oidc", fresh_since: started };
      const requested = { ...bound, prompt: "login", max_age: 0 } as const;
      const answer = await provider.visit(await beginUpstream(settings, requested, client));
      assert.equal(answer.iss, settings.issuer);
      const identity = await finishUpstream(settings, answer, expected, client);
      const { subject, email, email_assurance, name, auth_time, tokens } = identity;
      assert.deepEqual(
        [subject, email, email_assurance, name],
        ["ann", "ann@firm.example", "verified", "Ann Ax"],
      );
      assert.ok(auth_time !== undefined && auth_time.getTime() >= started.getTime() - 1000);

      await assert.rejects(finishUpstream(settings, answer, expected, client), { kind: "token_error" });

      const again = await provider.visit(await beginUpstream(settings, requested, client));
      const { tokens: second } = await finishUpstream(settings, again, expected, client);
      assert.equal(await revokeUpstream(settings, second, client), true);
      const { refresh_token } = second;
      const secret = settings.client_secret ?? "";
      const posted = { method: "POST", headers: { authorization: basic(settings.client_id, secret) } };
      const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refresh_token ?? "" });
      const renewed = await fetch(`${settings.issuer}/token`, { ...posted, body });
      assert.equal(renewed.status, 400, "the refresh token has ended there");
      assert.ok(tokens.expires_at !== undefined);
    } finally {
      await provider.close();
    }
  });

  test("EP-16 reports that the user cancelled, and EP-20 passes the provider check", async () => {
    const provider = await independentProvider(redirect_uri);
    try {
      const { settings } = provider;
      const client = upstreamClient({
        outbound: createOutbound({ allow: ["127.0.0.0/8"] }),
        now: () => new Date(),
      });
      provider.turns_back = true;
      const answer = await provider.visit(await beginUpstream(settings, bound, client));
      await assert.rejects(finishUpstream(settings, answer, { ...bound, slug: "oidc" }, client), {
        kind: "cancelled",
        received: "access_denied",
      });
      const findings = await checkProvider(settings, redirect_uri, client);
      assert.deepEqual(
        findings.filter(({ ok }) => !ok),
        [],
      );
      const closed = upstreamClient({ outbound: createOutbound(), now: () => new Date() });
      await assert.rejects(beginUpstream(settings, bound, closed), { kind: "address_refused" });
    } finally {
      await provider.close();
    }
  });
});
