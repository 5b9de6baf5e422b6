import { createHash } from "node:crypto";
import { verifyIdToken } from "./id_token.ts";
import { presetOf } from "./presets/all_presets.ts";
import {
  type Preset,
  type ProviderMetadata,
  sendsPkce,
  type UpstreamClaims,
  type UpstreamPrompt,
} from "./presets/preset.ts";
import type { ProviderSettings } from "./presets/provider_settings.ts";
import type { UpstreamClient } from "./upstream_client.ts";
import { UpstreamError } from "./upstream_error.ts";
import { fetchClaims, nameInForm, readIdentity, type UpstreamIdentity } from "./upstream_identity.ts";
import { requestTokens, type TokenAnswer } from "./upstream_tokens.ts";

/** Stored until the response. All except `redirect_uri` are random, of 256 bits each (EP-3). */
export interface UpstreamBinding {
  readonly state: string;
  readonly nonce: string;
  /** See RFC 7636, section 4.1. */
  readonly code_verifier: string;
  readonly redirect_uri: string;
}

export interface UpstreamRequest extends UpstreamBinding {
  readonly prompt?: UpstreamPrompt;
  /** Maximum number of seconds since the user authenticated at the provider. */
  readonly max_age?: number;
  readonly login_hint?: string;
}

export interface ExpectedAnswer extends UpstreamBinding {
  readonly slug: string;
  /**
   * The earliest time of authentication, by this server's clock, from which `clockTolerance` is subtracted.
   * It is not checked for presets that do not honor `max_age`.
   */
  readonly fresh_since?: Date;
}

export interface UpstreamAnswer {
  readonly state?: string;
  readonly code?: string;
  readonly iss?: string;
  readonly error?: string;
  readonly error_description?: string;
  readonly user?: string;
}

/**
 * Returns the URL of the authorization request (OpenID Connect Core 1.0, section 3.1.2.1). Throws
 * `UpstreamError`.
 */
export async function beginUpstream(
  provider: ProviderSettings,
  request: UpstreamRequest,
  client: UpstreamClient,
): Promise<string> {
  const preset = presetOf(provider);
  const metadata = await client.metadata(provider);
  const { state, nonce, redirect_uri, prompt, max_age, login_hint } = request;
  const { scopes = preset.scopes } = provider;
  const parameters = {
    response_type: "code",
    client_id: provider.client_id,
    redirect_uri,
    ...(scopes.length > 0 && { scope: scopesFor(preset, scopes).join(" ") }),
    state,
    ...(preset.nonce === "always" && { nonce }),
    ...(sendsPkce(preset, provider) && {
      code_challenge: createHash("sha256").update(request.code_verifier).digest("base64url"),
      code_challenge_method: "S256",
    }),
    ...(preset.response_mode !== undefined && { response_mode: preset.response_mode }),
    ...preset.parameters?.(provider),
    ...(max_age !== undefined && preset.honours.max_age && { max_age: String(max_age) }),
    ...(login_hint !== undefined && { login_hint }),
  };
  const url = new URL(metadata.authorization_endpoint);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  if (prompt !== undefined && preset.honours.prompts.includes(prompt)) {
    // Google requires the prompt `consent` for a refresh token.
    url.searchParams.set("prompt", [url.searchParams.get("prompt") ?? [], prompt].flat().join(" "));
  }
  return url.href;
}

/** Without `openid`, there is no id_token (OpenID Connect Core 1.0, section 3.1.2.1). */
function scopesFor({ protocol }: Preset, scopes: readonly string[]): readonly string[] {
  return protocol === "oidc" && !scopes.includes("openid") ? ["openid", ...scopes] : scopes;
}

/**
 * Returns the user that the response identifies. Nothing is sent to the token endpoint unless state, provider
 * and issuer of the response match the request (EP-4). Throws `UpstreamError`, of kind `cancelled` if the
 * user canceled.
 */
export async function finishUpstream(
  provider: ProviderSettings,
  answer: UpstreamAnswer,
  expected: ExpectedAnswer,
  wholeClient: UpstreamClient,
): Promise<UpstreamIdentity> {
  const preset = presetOf(provider);
  requireOwnAnswer(provider, answer, expected);
  const client = legTo(provider, wholeClient);
  const metadata = await client.metadata(provider);
  requireIssuer(answer, metadata, preset);
  const code = requireCode(answer);
  const requested = { provider, preset, metadata };
  const granted = await requestTokens(
    {
      grant_type: "authorization_code",
      code,
      redirect_uri: expected.redirect_uri,
      ...(sendsPkce(preset, provider) && { code_verifier: expected.code_verifier }),
    },
    requested,
    client,
  );
  const signed = await signedClaims({ ...requested, granted, code, expected }, client);
  if (signed !== undefined) requireIssuer(answer, metadata, preset, signed);
  const claims = await fetchClaims(signed, granted.tokens.access_token, requested, client);
  const name = preset.response_mode === "form_post" ? nameInForm(answer.user) : undefined;
  return readIdentity(name === undefined ? claims : { ...claims, name }, granted.tokens, requested);
}

/**
 * Maximum milliseconds for all requests of one sign-in or logout together, because their timeouts would add
 * up.
 */
const longestWait = 8000;

/** Returns the provider client with a limit of `milliseconds` for all its requests together. */
export function legTo(
  { owner }: Pick<ProviderSettings, "owner">,
  client: UpstreamClient,
  milliseconds: number = longestWait,
): UpstreamClient {
  const end = client.now().getTime() + milliseconds;
  const left = (most: number) => Math.max(1, Math.min(most, end - client.now().getTime()));

  /**
   * Stops waiting at the end of the limit. The requests continue with their own timeout, because several
   * sign-ins share them.
   */
  async function untilEnd<R>(work: Promise<R>): Promise<R> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => late.reject(new UpstreamError("timeout")), left(milliseconds));
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    ...client,
    owner,
    get timeout() {
      return left(client.timeout);
    },
    metadata: (provider) => untilEnd(client.metadata(provider)),
    keys: (url, suffices) => untilEnd(client.keys(url, suffices, owner)),
  };
}

function requireOwnAnswer(
  provider: ProviderSettings,
  answer: UpstreamAnswer,
  expected: ExpectedAnswer,
): void {
  if (expected.slug !== provider.slug) {
    throw new UpstreamError("other_provider", { expected: expected.slug, received: provider.slug });
  }
  // The error does not contain the two values, because the received `state` may still be valid.
  if (answer.state !== expected.state) throw new UpstreamError("state");
}

/**
 * A wrong `iss` is refused even if the metadata did not announce `iss` (RFC 9207, section 2.4). If the issuer
 * depends on the tenant, the tenant is read from `iss` itself until the claims are known.
 */
function requireIssuer(
  { iss, error }: UpstreamAnswer,
  { issuer, iss_parameter }: ProviderMetadata,
  preset: Preset,
  claims: UpstreamClaims = { tid: iss?.match(/[0-9a-f]{8}-[0-9a-f-]{27}/i)?.[0] },
): void {
  if (iss === undefined) {
    // Some providers send no `iss` with an error, which contains no code that could be redeemed.
    if (!iss_parameter || error !== undefined) return;
    throw new UpstreamError("response_iss_missing", { expected: issuer });
  }
  const accepted = issuer === undefined ? [] : (preset.tokenIssuers?.(issuer, claims) ?? [issuer]);
  if (!accepted.includes(iss)) {
    throw new UpstreamError("response_iss", { expected: issuer ?? "an issuer in the record", received: iss });
  }
}

/** The error code of RFC 6749, section 4.1.2.1, and Apple's and LinkedIn's own. */
const cancellations = [
  "access_denied",
  "user_cancelled_authorize",
  "user_cancelled_login",
  "user_canceled_authorize",
];

function requireCode({ code, error, error_description: description }: UpstreamAnswer): string {
  if (error !== undefined) {
    const received = description === undefined ? error : `${error}: ${description}`;
    throw new UpstreamError(cancellations.includes(error) ? "cancelled" : "authorization_error", {
      received,
    });
  }
  if (code === undefined || code === "") throw new UpstreamError("code_missing", { expected: "code" });
  return code;
}

interface Exchanged {
  readonly provider: ProviderSettings;
  readonly preset: Preset;
  readonly metadata: ProviderMetadata;
  readonly granted: TokenAnswer;
  readonly code: string;
  readonly expected: ExpectedAnswer;
}

async function signedClaims(
  { provider, preset, metadata, granted, code, expected }: Exchanged,
  client: UpstreamClient,
): Promise<UpstreamClaims | undefined> {
  if (preset.protocol !== "oidc") return undefined;
  const { id_token, tokens } = granted;
  if (id_token === undefined) throw new UpstreamError("id_token_missing", { expected: "id_token" });
  return verifyIdToken(
    id_token,
    {
      preset,
      metadata,
      client_id: provider.client_id,
      nonce: expected.nonce,
      access_token: tokens.access_token,
      code,
      fresh_since: preset.honours.max_age ? expected.fresh_since : undefined,
    },
    client,
  );
}
