/** A sign-in at a fake provider, step by step, with a clock that the test moves. */
import { randomBytes } from "node:crypto";
import type { ProviderSettings } from "../../src/providers/presets/provider_settings.ts";
import {
  beginUpstream,
  type ExpectedAnswer,
  finishUpstream,
  type UpstreamAnswer,
  type UpstreamRequest,
} from "../../src/providers/upstream.ts";
import { type UpstreamClient, upstreamClient } from "../../src/providers/upstream_client.ts";
import type { UpstreamIdentity } from "../../src/providers/upstream_identity.ts";
import type { ProviderPreset } from "../../src/records/names/names.ts";
import { type UpstreamFake, upstreamFake } from "./upstream_fake.ts";

type Options = NonNullable<Parameters<typeof upstreamFake>[1]>;

export interface UpstreamFixture {
  readonly fake: UpstreamFake;
  readonly client: UpstreamClient;
  readonly clock: { at: number };
}

/** Calls `run` with the fake of a preset and a new provider client. */
export async function inFixture(
  preset: ProviderPreset,
  options: Options,
  run: (fixture: UpstreamFixture) => Promise<void>,
) {
  const clock = { at: Date.parse("2027-03-01T10:00:00Z") };
  const now = () => new Date(clock.at);
  const fake = await upstreamFake(preset, { now, ...options });
  try {
    await run({ fake, clock, client: upstreamClient({ outbound: fake.outbound, now, timeout: 2000 }) });
  } finally {
    await fake.close();
  }
}

interface Begun {
  readonly url: URL;
  readonly expected: ExpectedAnswer;
  readonly answer: UpstreamAnswer;
}

/**
 * Runs a sign-in up to the callback: the user agreed, and this server has sent the provider no request yet.
 */
export async function begin(
  { fake, client }: UpstreamFixture,
  settings: ProviderSettings = fake.settings,
  overrides: Partial<UpstreamRequest> & { readonly fresh_since?: Date } = {},
): Promise<Begun> {
  const { fresh_since, ...requested } = overrides;
  const random = () => randomBytes(32).toString("base64url");
  const { slug } = settings;
  const redirect_uri = `https://id.example/sign-in/${slug}/callback`;
  const bound = { state: random(), nonce: random(), code_verifier: random(), redirect_uri };
  const url = await beginUpstream(settings, { ...bound, ...requested }, client);
  const { mode: _, ...answer } = await fake.visit(url);
  const expected = { ...bound, slug, ...(fresh_since !== undefined && { fresh_since }) };
  return { url: new URL(url), expected, answer };
}

/** Runs a sign-in from end to end. */
export async function signIn(
  fixture: UpstreamFixture,
  settings = fixture.fake.settings,
  overrides?: Parameters<typeof begin>[2],
): Promise<UpstreamIdentity> {
  const { answer, expected } = await begin(fixture, settings, overrides);
  return finishUpstream(settings, answer, expected, fixture.client);
}
