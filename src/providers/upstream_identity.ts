import { lastMoment } from "../records/names/liveness.ts";
import { boundedClaims, type ProvidedValues } from "../records/rules/provided_attributes.ts";
import { type EmailAssurance, emailAssurance } from "./email_assurance.ts";
import { memberOf, textOf } from "./presets/claims.ts";
import type { Preset, ProviderMetadata, UpstreamClaims } from "./presets/preset.ts";
import type { ProviderSettings } from "./presets/provider_settings.ts";
import { objectOf, requestObject, requestProvider } from "./request_provider.ts";
import type { UpstreamClient } from "./upstream_client.ts";
import { UpstreamError } from "./upstream_error.ts";
import type { UpstreamTokens } from "./upstream_tokens.ts";

export interface UpstreamIdentity {
  /** Compared byte for byte (EP-7), and unique only together with the provider's slug. */
  readonly subject: string;
  readonly email: string | undefined;
  readonly email_assurance: EmailAssurance;
  /** Plain text of at most 200 characters. */
  readonly name: string | undefined;
  readonly picture: string | undefined;
  /** Authentication methods (RFC 8176); only if the provider's record trusts them (EP-14). */
  readonly amr: readonly string[] | undefined;
  readonly auth_time: Date | undefined;
  /** The end of the provider's session (OpenID IPSIE, `session_expiry`). */
  readonly session_expiry: Date | undefined;
  readonly sid: string | undefined;
  readonly tenant: string | undefined;
  /** Claims for attributes; undefined if the provider's record maps none (OC-7). */
  readonly attributes: ProvidedValues | undefined;
  readonly tokens: UpstreamTokens;
}

/** Returns the user, from verified claims. Throws `UpstreamError`. */
export function readIdentity(
  claims: UpstreamClaims,
  tokens: UpstreamTokens,
  { provider, preset }: { readonly provider: ProviderSettings; readonly preset: Preset },
): UpstreamIdentity {
  const read = preset.read(claims, provider);
  const { subject } = read;
  const tenant = isIdentifier(read.tenant) ? read.tenant : undefined;
  if (!isIdentifier(subject)) {
    throw new UpstreamError("sub_missing", { expected: "an identifier of at most 255 characters" });
  }
  const { allowed_tenants: allowed } = provider;
  if (allowed.length > 0 && (tenant === undefined || !allowed.includes(tenant))) {
    throw new UpstreamError("tenant", { expected: allowed.join(", "), received: tenant ?? "none" });
  }
  return {
    subject,
    email: read.email,
    email_assurance: emailAssurance(preset, claims, provider),
    name: lineOf(read.name),
    picture: httpsOf(read.picture),
    amr: provider.trust_amr ? textsOf(claims.amr) : undefined,
    auth_time: timeOf(claims.auth_time),
    session_expiry: sessionExpiry(claims),
    sid: isIdentifier(textOf(claims.sid)) ? textOf(claims.sid) : undefined,
    tenant,
    attributes: provider.attribute_claims && claimsOfAttributes(claims, provider.attribute_claims),
    tokens,
  };
}

/**
 * A claim that is not a time is an error, because a session would otherwise outlive the provider's limit. A
 * time too late to be stored sets no limit.
 */
function sessionExpiry({ session_expiry: claim }: UpstreamClaims): Date | undefined {
  const seconds = typeof claim === "string" ? Number(claim) : claim;
  const isLate = typeof seconds === "number" && seconds * 1000 > lastMoment.getTime();
  const time = timeOf(claim);
  if (claim === undefined || claim === null || isLate || time !== undefined) return time;
  throw new UpstreamError("session_expiry", { expected: "seconds since 1970", received: claim });
}

function claimsOfAttributes(
  claims: UpstreamClaims,
  mapped: Readonly<Record<string, unknown>>,
): ProvidedValues {
  return boundedClaims(
    Object.entries(mapped).map(([name, claim]) => {
      const isOwn = typeof claim === "string" && Object.hasOwn(claims, claim);
      return [name, isOwn ? claims[claim] : memberOf(claims, textOf(claim))] as const;
    }),
  );
}

/**
 * Returns the merged claims of the id_token, userinfo and further endpoints (OpenID Connect Core 1.0, section
 * 5.3). Throws `UpstreamError`.
 */
export async function fetchClaims(
  id_token: UpstreamClaims | undefined,
  access_token: string,
  { preset, metadata }: { readonly preset: Preset; readonly metadata: ProviderMetadata },
  client: UpstreamClient,
): Promise<UpstreamClaims> {
  const { userinfo_endpoint: url } = metadata;
  if (!preset.userinfo || url === undefined) {
    if (id_token === undefined) throw new UpstreamError("not_configured", { expected: "endpoints.userinfo" });
    return id_token;
  }
  const authorization = `Bearer ${access_token}`;
  const userinfo = await requestObject(client, { method: "GET", url, authorization });
  const further: Record<string, unknown> = {};
  for (const [name, address] of Object.entries(preset.further_claims?.(metadata) ?? {})) {
    further[name] = await requestList(address, authorization, client);
  }
  if (id_token === undefined) return { ...userinfo, ...further };
  if (userinfo.sub !== id_token.sub) {
    throw new UpstreamError("userinfo_sub", { expected: textOf(id_token.sub), received: userinfo.sub });
  }
  return { ...mergeClaims(id_token, userinfo), ...further };
}

/** Signed claims take precedence. `email_verified` counts only for the email address in the same response. */
function mergeClaims(id_token: UpstreamClaims, userinfo: UpstreamClaims): UpstreamClaims {
  const { email_verified, ...others } = userinfo;
  if (id_token.email === undefined) {
    const { email_verified: _, ...signed } = id_token;
    return { ...others, email_verified, ...signed };
  }
  const isSame = id_token.email === userinfo.email;
  return { ...others, ...(isSame && { email_verified }), ...id_token };
}

/** Returns the list at a further endpoint; empty if the user did not grant the scope that it requires. */
async function requestList(
  url: string,
  authorization: string,
  client: UpstreamClient,
): Promise<readonly unknown[]> {
  const { status, body } = await requestProvider(client, { method: "GET", url, authorization });
  const isRefused = status === 401 || status === 403 || status === 404;
  if (status !== 200 && !isRefused) throw new UpstreamError("status", { expected: "200", received: status });
  return isRefused ? [] : listOf(body);
}

function listOf(body: Buffer): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(body.toString());
    if (Array.isArray(value)) return value;
  } catch {
    // Invalid JSON is reported below, like any other value that is not a list.
  }
  throw new UpstreamError("not_json", { expected: "a JSON array" });
}

/** Returns the name in Apple's unsigned form field `user`. */
export function nameInForm(user: string | undefined): string | undefined {
  const name = objectOf(user ?? "")?.name as { firstName?: unknown; lastName?: unknown } | undefined | null;
  const parts = [textOf(name?.firstName), textOf(name?.lastName)].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(" ");
}

/**
 * Returns whether the text can be an identifier (OpenID Connect Core 1.0, section 2). No genuine one contains
 * control characters or lone surrogates.
 */
export function isIdentifier(text: string | undefined): text is string {
  return text !== undefined && /^[^\p{Cc}\p{Cs}]{1,255}$/u.test(text);
}

function lineOf(text: string | undefined): string | undefined {
  const line = text
    ?.toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, 200);
  return line === "" ? undefined : line;
}

function httpsOf(text: string | undefined): string | undefined {
  const url = text === undefined || text.length > 2048 ? null : URL.parse(text);
  return url?.protocol === "https:" && url.username === "" ? url.href : undefined;
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === "string") : undefined;
}

/**
 * Some providers send a NumericDate (RFC 7519, section 2) as a string. Undefined also for a time too late to
 * be stored.
 */
function timeOf(value: unknown): Date | undefined {
  const seconds = typeof value === "string" && /^\d{1,12}(\.\d{1,9})?$/.test(value) ? Number(value) : value;
  if (typeof seconds !== "number" || !(seconds >= 0 && seconds * 1000 <= lastMoment.getTime()))
    return undefined;
  return new Date(Math.floor(seconds) * 1000);
}
