import { clientProof } from "./client_proof.ts";
import { textOf } from "./presets/claims.ts";
import type { Preset, ProviderMetadata } from "./presets/preset.ts";
import type { ProviderSettings } from "./presets/provider_settings.ts";
import { formBody, type JsonAnswer, requestProvider } from "./request_provider.ts";
import type { UpstreamClient } from "./upstream_client.ts";
import { UpstreamError } from "./upstream_error.ts";

/** Discarded unless the provider's record stores tokens (EP-19). */
export interface UpstreamTokens {
  readonly access_token: string;
  readonly refresh_token: string | undefined;
  readonly expires_at: Date | undefined;
}

/** See RFC 6749, section 5.1. */
export interface TokenAnswer {
  readonly tokens: UpstreamTokens;
  readonly id_token: string | undefined;
}

/** Sends this grant to the token endpoint, with the client's authentication. Throws `UpstreamError`. */
export async function requestTokens(
  grant: Readonly<Record<string, string>>,
  {
    provider,
    preset,
    metadata,
  }: { readonly provider: ProviderSettings; readonly preset: Preset; readonly metadata: ProviderMetadata },
  client: UpstreamClient,
): Promise<TokenAnswer> {
  const { authorization, members } = await clientProof(provider, preset, metadata, client.now());
  const { status, json } = await requestProvider(client, {
    method: "POST",
    url: metadata.token_endpoint,
    body: formBody({ ...grant, ...members }),
    ...(authorization !== undefined && { authorization }),
  });
  const sent = [...Object.values(grant), ...Object.values(members), provider.client_secret ?? ""];
  const error = json && errorOf(json, sent);
  if (error !== undefined) throw new UpstreamError("token_error", { received: error });
  if (status !== 200) throw new UpstreamError("status", { expected: "200", received: status });
  if (json === undefined) throw new UpstreamError("not_json", { expected: "a JSON object" });
  return readAnswer(json, client.now());
}

function readAnswer(json: JsonAnswer, now: Date): TokenAnswer {
  const { token_type } = json;
  const access_token = textOf(json.access_token);
  if (access_token === undefined) throw new UpstreamError("access_token_missing", { expected: "a string" });
  // A token of another type, such as one bound to a key, is not usable here. Some providers omit the type.
  if (token_type !== undefined && textOf(token_type)?.toLowerCase() !== "bearer") {
    throw new UpstreamError("token_type", { expected: "Bearer", received: token_type });
  }
  const { expires_in } = json;
  // Azure AD version 1 sends `expires_in` as a string.
  const lifetime = typeof expires_in === "string" && expires_in !== "" ? Number(expires_in) : expires_in;
  const isKnown = typeof lifetime === "number" && Number.isFinite(lifetime) && lifetime >= 0;
  return {
    tokens: {
      access_token,
      refresh_token: textOf(json.refresh_token),
      expires_at: isKnown ? new Date(now.getTime() + Math.min(lifetime, longestLife) * 1000) : undefined,
    },
    id_token: textOf(json.id_token),
  };
}

/** Ten years in seconds; longer lifetimes are shortened to it. */
const longestLife = 10 * 365 * 86_400;

/**
 * GitHub and Slack send errors with status 200, Slack with `ok: false`. In errors of Facebook, `error` is an
 * object. The description is omitted if it contains a value that this server sent.
 */
function errorOf(json: JsonAnswer, sent: readonly string[]): string | undefined {
  const { error, ok } = json;
  if (error === undefined && ok !== false) return undefined;
  const isObject = typeof error === "object" && error !== null;
  const members = (isObject ? error : json) as JsonAnswer;
  const code = textOf(error) ?? textOf(members.type) ?? textOf(members.code) ?? "no error code";
  const description = textOf(members.error_description) ?? textOf(members.message);
  const text = description === undefined ? code : `${code}: ${description}`;
  const repeats = (part: string) => sent.some((value) => value.length >= 8 && part.includes(value));
  if (repeats(code)) return "an error that repeats the request";
  return repeats(text) ? code : text;
}
