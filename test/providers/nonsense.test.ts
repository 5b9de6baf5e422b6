import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { upstreamClient } from "../../src/providers/upstream_client.ts";
import { UpstreamError } from "../../src/providers/upstream_error.ts";
import type { ProviderPreset } from "../../src/records/names/names.ts";
import { inForm } from "../support/form.ts";
import { type Hooks, type Json, upstreamFake } from "../support/upstream_fake.ts";
import { signIn } from "../support/upstream_fixture.ts";
import { withoutConversions } from "../support/without_conversions.ts";

const members = {
  discovery: ["issuer", "authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"],
  keys: ["keys", "0", "kid", "kty", "n", "alg", "use", "issuer"],
  token: ["access_token", "token_type", "expires_in", "id_token", "refresh_token", "error", "ok"],
  claims: ["iss", "aud", "azp", "exp", "iat", "nbf", "nonce", "at_hash", "c_hash", "sub", "auth_time", "amr"],
  header: ["kid", "typ", "crit", "b64", "jku", "jwk", "x5c"],
  userinfo: ["sub", "id", "email", "email_verified", "name", "picture", "verified", "data", "emails"],
} as const;

type Place = keyof typeof members;

/** Another value for one member of any response. */
const changed = fc
  .constantFrom(...(Object.keys(members) as Place[]))
  .chain((place) =>
    fc.tuple(fc.constant(place), fc.constantFrom<string>(...members[place]), fc.jsonValue({ maxDepth: 2 })),
  );

/** Another value for a whole response. */
const replaced = fc.tuple(fc.constantFrom("keys", "token", "userinfo"), fc.jsonValue({ maxDepth: 2 }));

function changing([place, member, value]: readonly [Place, string, unknown]): Hooks {
  const change = (object: Json) => ({ ...object, [member]: value });
  if (place !== "keys") return { [place]: change };
  return {
    keys: (keys) => ({
      keys: keys.map((key) => change({ ...key })),
      ...(member === "keys" && { keys: value }),
    }),
  };
}

describe("EP-16 malformed values from a provider", () => {
  for (const preset of ["oidc", "microsoft", "github", "oauth2"] as const satisfies ProviderPreset[]) {
    test(`EP-16 a malformed value in any field leads to a sign-in or a named error, with ${preset}`, async () => {
      const now = () => new Date("2027-03-01T10:00:00Z");
      const fake = await upstreamFake(preset, { now });
      const outcomes = new Set<string>();
      const look = async (hooks: Hooks) => {
        for (const name of Object.keys(fake.hooks) as (keyof Hooks)[]) delete fake.hooks[name];
        Object.assign(fake.hooks, hooks);
        const client = upstreamClient({ outbound: fake.outbound, now, timeout: 2000 });
        try {
          const { subject } = await signIn({ fake, client, clock: { at: 0 } });
          assert.match(subject, /^[^\p{Cc}\p{Cs}]{1,255}$/u);
          outcomes.add("taken");
        } catch (error) {
          assert.ok(error instanceof UpstreamError, error as Error);
          outcomes.add(error.kind);
        }
      };
      try {
        for (const place of Object.keys(members) as Place[])
          for (const member of members[place])
            for (const value of withoutConversions) await look(changing([place, member, value]));
        await fc.assert(
          fc.asyncProperty(
            fc.oneof(
              changed.map(changing),
              replaced.map(([place, value]) => ({ [place]: () => value })),
            ),
            look,
          ),
          { numRuns: inForm(60, 600) },
        );
      } finally {
        await fake.close();
      }
      assert.ok(outcomes.has("taken") && outcomes.size > 1, [...outcomes].join(", "));
    });
  }
});
