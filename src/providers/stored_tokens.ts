import { basic, clientProof } from "./client_proof.ts";
import { presetOf } from "./presets/all_presets.ts";
import type { ProviderMetadata } from "./presets/preset.ts";
import type { ProviderSettings } from "./presets/provider_settings.ts";
import { formBody, requestProvider } from "./request_provider.ts";
import type { UpstreamClient } from "./upstream_client.ts";
import { UpstreamError } from "./upstream_error.ts";
import type { UpstreamTokens } from "./upstream_tokens.ts";

export type RevocableTokens = Pick<UpstreamTokens, "access_token" | "refresh_token">;

/**
 * Revokes the tokens at the provider; false if it has no revocation endpoint. A token that the provider no
 * longer knows counts as revoked. Throws `UpstreamError`.
 */
export async function revokeUpstream(
  provider: ProviderSettings,
  tokens: RevocableTokens,
  whole: UpstreamClient,
): Promise<boolean> {
  const client = { ...whole, owner: provider.owner };
  const preset = presetOf(provider);
  if (preset.revocation === undefined) return false;
  const metadata = await client.metadata(provider);
  if (preset.revocation === "github") return revokeAtGitHub(provider, tokens.access_token, metadata, client);
  const { revocation_endpoint: url } = metadata;
  if (url === undefined) return false;
  const { authorization, members } = await clientProof(provider, preset, metadata, client.now());
  const token =
    tokens.refresh_token === undefined
      ? { token: tokens.access_token, token_type_hint: "access_token" }
      : { token: tokens.refresh_token, token_type_hint: "refresh_token" };
  const body = formBody({ ...token, ...members });
  const { status, json } = await requestProvider(client, {
    method: "POST",
    url,
    body,
    ...(authorization !== undefined && { authorization }),
  });
  // Google returns 400 `invalid_token` where RFC 7009, section 2.2 requires 200.
  if (status === 200 || json?.error === "invalid_token") return true;
  throw new UpstreamError("status", { expected: "200", received: status });
}

async function revokeAtGitHub(
  { client_id, client_secret = "" }: ProviderSettings,
  access_token: string,
  { userinfo_endpoint = "" }: ProviderMetadata,
  client: UpstreamClient,
): Promise<boolean> {
  const path = `/applications/${encodeURIComponent(client_id)}/grant`;
  const { status } = await requestProvider(client, {
    method: "DELETE",
    url: userinfo_endpoint.replace(/\/user$/, path),
    authorization: basic(client_id, client_secret),
    body: { type: "application/json", text: JSON.stringify({ access_token }) },
  });
  if (status === 204 || status === 404 || status === 422) return true;
  throw new UpstreamError("status", { expected: "204", received: status });
}
