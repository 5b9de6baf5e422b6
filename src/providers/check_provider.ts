import { findingOfError, type ProviderFindingMessage, providerFinding } from "../errors/provider_findings.ts";
import { clientProof } from "./client_proof.ts";
import { documentAddress } from "./discovery.ts";
import { clockTolerance } from "./id_token.ts";
import { presetOf } from "./presets/all_presets.ts";
import { type Preset, type ProviderMetadata, presetWarnings, sendsPkce } from "./presets/preset.ts";
import type { ProviderSettings } from "./presets/provider_settings.ts";
import { requestProvider } from "./request_provider.ts";
import type { UpstreamClient } from "./upstream_client.ts";
import { UpstreamError } from "./upstream_error.ts";

/** A warning counts as `ok`, because users can sign in. */
export interface ProviderFinding {
  readonly check:
    | "redirect_uri"
    | "settings"
    | "metadata"
    | "keys"
    | "pkce"
    | "protection"
    | "clock"
    | "new_users";
  readonly ok: boolean;
  readonly found: ProviderFindingMessage;
  readonly expected?: string | undefined;
  readonly received?: string | undefined;
}

/**
 * Checks the provider's record and published documents; never throws. Pass a client without cached documents.
 */
export async function checkProvider(
  provider: ProviderSettings,
  redirect_uri: string,
  whole: UpstreamClient,
): Promise<ProviderFinding[]> {
  const client = { ...whole, owner: provider.owner };
  const preset = presetOf(provider);
  const findings: ProviderFinding[] = [
    { check: "redirect_uri", ok: true, found: providerFinding("address", { address: redirect_uri }) },
  ];
  const missing = preset.needs.filter((member) => provider[member] === undefined);
  if (missing.length > 0) {
    findings.push({ check: "settings", ok: false, found: providerFinding("lacks", { members: missing }) });
  }
  for (const found of presetWarnings(preset, provider)) {
    findings.push({ check: "protection", ok: true, found });
  }
  const metadata = await look("metadata", findings, async () => {
    const found = await client.metadata(provider);
    const code = preset.metadata === undefined ? "published_by" : "stated_for";
    return [found, providerFinding(code, { address: found.issuer ?? found.authorization_endpoint })];
  });
  if (metadata === undefined) return findings;
  if (missing.length === 0) {
    await look("settings", findings, async () => {
      await clientProof(provider, preset, metadata, client.now());
      return [true, providerFinding("proves_itself")];
    });
  }
  findings.push(...pkceFindings(preset, provider, metadata));
  await lookAtKeys(findings, preset, metadata, client);
  await lookAtClock(findings, provider, preset, metadata, client);
  return findings;
}

async function look<F>(
  check: ProviderFinding["check"],
  findings: ProviderFinding[],
  at: () => Promise<readonly [found: F, said: ProviderFindingMessage]>,
): Promise<F | undefined> {
  try {
    const [found, said] = await at();
    findings.push({ check, ok: true, found: said });
    return found;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const { kind, field, expected, received } = error;
    findings.push({ check, ok: false, found: findingOfError(kind, field), expected, received });
    return undefined;
  }
}

function pkceFindings(
  preset: Preset,
  provider: ProviderSettings,
  { pkce_methods: methods }: ProviderMetadata,
): ProviderFinding[] {
  if (!sendsPkce(preset, provider)) return [];
  if (methods === undefined) return [{ check: "pkce", ok: true, found: providerFinding("s256_sent") }];
  return methods.includes("S256")
    ? [{ check: "pkce", ok: true, found: providerFinding("s256_sent_and_taken") }]
    : [{ check: "pkce", ok: false, found: providerFinding("s256_not_taken") }];
}

async function lookAtKeys(
  findings: ProviderFinding[],
  { protocol, id_token_algorithms: accepted }: Preset,
  { jwks_uri, id_token_algorithms: published }: ProviderMetadata,
  client: UpstreamClient,
): Promise<void> {
  if (protocol !== "oidc" || jwks_uri === undefined) return;
  if (published !== undefined && !published.some((algorithm) => accepted.includes(algorithm))) {
    const found = providerFinding("algorithms_not_accepted", { published, accepted });
    findings.push({ check: "keys", ok: false, found });
  }
  await look("keys", findings, async () => {
    const { keys } = await client.keys(jwks_uri, undefined, client.owner);
    const signing = keys.filter(({ kty, use }) => kty !== "oct" && use !== "enc");
    if (signing.length === 0) throw new UpstreamError("keys", { expected: "a public key that signs" });
    return [signing, providerFinding("public_keys", { count: signing.length })];
  });
}

async function lookAtClock(
  findings: ProviderFinding[],
  { issuer }: ProviderSettings,
  preset: Preset,
  { jwks_uri }: ProviderMetadata,
  client: UpstreamClient,
): Promise<void> {
  const own = issuer ?? preset.issuer;
  const url = preset.metadata === undefined && own !== undefined ? documentAddress(own) : jwks_uri;
  if (url === undefined) return;
  const { headers } = await requestProvider(client, { method: "GET", url }).catch(() => ({ headers: {} }));
  const date = Date.parse(String((headers as { date?: unknown }).date));
  const seconds = Math.round((date - client.now().getTime()) / 1000);
  const found = Number.isNaN(seconds)
    ? providerFinding("no_time")
    : providerFinding("clocks_differ", { seconds: Math.abs(seconds), most: clockTolerance });
  findings.push({ check: "clock", ok: !(Math.abs(seconds) > clockTolerance), found });
}
