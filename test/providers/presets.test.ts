import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { ProviderSettings } from "../../src/providers/presets/provider_settings.ts";
import { beginUpstream, finishUpstream, type UpstreamBinding } from "../../src/providers/upstream.ts";
import { upstreamClient } from "../../src/providers/upstream_client.ts";
import type { UpstreamIdentity } from "../../src/providers/upstream_identity.ts";
import { type ProviderPreset, providerPresets } from "../../src/records/names/names.ts";
import { type UpstreamFake, upstreamFake } from "../support/upstream_fake.ts";

const now = () => new Date("2027-03-01T10:00:00Z");
const random = () => randomBytes(32).toString("base64url");

function binding({ slug }: ProviderSettings): UpstreamBinding {
  const redirect_uri = `https://id.example/sign-in/${slug}/callback`;
  return { state: random(), nonce: random(), code_verifier: random(), redirect_uri };
}

interface Round {
  readonly url: URL;
  readonly mode: string;
  readonly identity: UpstreamIdentity;
}

/** Runs one sign-in from end to end. */
async function signIn(fake: UpstreamFake, settings = fake.settings): Promise<Round> {
  const client = upstreamClient({ outbound: fake.outbound, now });
  const bound = binding(settings);
  const url = await beginUpstream(settings, bound, client);
  const { mode, ...answer } = await fake.visit(url);
  const identity = await finishUpstream(settings, answer, { ...bound, slug: settings.slug }, client);
  return { url: new URL(url), mode, identity };
}

test("EP-1: behavior specific to a provider is defined in its preset, and no other code names a preset", () => {
  const src = join(import.meta.dirname, "..", "..", "src");
  const named = new RegExp(`(?:preset|name) [!=]== "(?:${providerPresets.join("|")})"`);
  for (const path of [
    ...["preset_fields.ts", "preset_errors.ts", "provider_draft.ts", "provider_origin.ts"].map(
      (file) => `providers/presets/${file}`,
    ),
    "admin/records/providers.ts",
    "admin/guards/provider_rules.ts",
  ])
    assert.doesNotMatch(readFileSync(join(src, path), "utf8"), named, path);
});

const expected: Readonly<Record<ProviderPreset, Partial<UpstreamIdentity>>> = {
  google: { subject: "1102484", email: "ann@gmail.com", email_assurance: "authoritative", name: "Ann Ax" },
  microsoft: {
    subject: "3338040d-6c67-4c5b-b112-36a304b66dad.0a1b",
    email: "ann@firm.example",
    email_assurance: "none",
    tenant: "3338040d-6c67-4c5b-b112-36a304b66dad",
  },
  apple: {
    subject: "000792.d71.0638",
    email: "x@privaterelay.appleid.com",
    email_assurance: "verified",
    name: "Ann Ax",
  },
  github: { subject: "583231", email: "ann@firm.example", email_assurance: "verified", name: "ann" },
  gitlab: { subject: "31", email: "ann@firm.example", email_assurance: "verified" },
  discord: { subject: "80351", email: "ann@firm.example", email_assurance: "verified", name: "ann" },
  facebook: { subject: "1022", email: "ann@firm.example", email_assurance: "none", name: "Ann Ax" },
  linkedin: { subject: "782bbtaQ", email: "ann@firm.example", email_assurance: "verified" },
  slack: { subject: "T1.U1", email: "ann@firm.example", email_assurance: "verified", tenant: "T1" },
  oidc: { subject: "ann", email: "ann@firm.example", email_assurance: "verified", name: "Ann Ax" },
  oauth2: { subject: "7", email: "ann@firm.example", email_assurance: "none" },
};

/** The presets without nonce or PKCE, as `docs/providers.md` says. */
const without = {
  nonce: ["linkedin", "github", "discord", "facebook", "oauth2"],
  pkce: ["linkedin", "slack"],
};

describe("sign-ins at a simulated provider for each preset", () => {
  for (const preset of providerPresets) {
    test(`EP-3, EP-7 a sign-in at ${preset} uses every protection that the provider supports, and proves the subject`, async () => {
      const fake = await upstreamFake(preset, { now });
      try {
        const { url, mode, identity } = await signIn(fake);
        const { tokens, ...proved } = identity;
        const reported = Object.fromEntries(
          Object.keys(expected[preset]).map((name) => [name, proved[name as keyof typeof proved]]),
        );
        assert.deepEqual(reported, expected[preset]);
        assert.match(tokens.access_token, /^access-/);
        assert.deepEqual(tokens.expires_at, new Date("2027-03-01T11:00:00Z"));
        assert.equal(proved.amr, undefined);

        const { searchParams: query } = url;
        assert.equal(query.get("response_type"), "code");
        assert.match(query.get("state") ?? "", /^[\w-]{43}$/);
        assert.equal(query.has("nonce"), !without.nonce.includes(preset));
        assert.equal(query.get("code_challenge_method"), without.pkce.includes(preset) ? null : "S256");
        assert.equal(query.get("redirect_uri"), `https://id.example/sign-in/${preset}/callback`);
        assert.equal(mode, preset === "apple" ? "form_post" : "query");
        assert.ok(!url.href.includes("secret"));
        const exchange = fake.seen.find(({ path }) => path.endsWith("/token"));
        assert.equal("code_verifier" in (exchange?.form ?? {}), !without.pkce.includes(preset));
      } finally {
        await fake.close();
      }
    });
  }
});
