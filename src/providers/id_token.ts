/** Verifies an id_token before any of its claims is trusted (EP-5; OpenID Connect Core 3.1.3.7). */
import { createHash } from "node:crypto";
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, errors, type JWK } from "jose";
import { textOf } from "./presets/claims.ts";
import type { Preset, ProviderMetadata, UpstreamClaims } from "./presets/preset.ts";
import { objectOf } from "./request_provider.ts";
import type { UpstreamClient } from "./upstream_client.ts";
import { UpstreamError } from "./upstream_error.ts";

interface ExpectedToken {
  readonly preset: Preset;
  readonly metadata: ProviderMetadata;
  readonly client_id: string;
}

interface ExpectedIdToken extends ExpectedToken {
  readonly nonce: string;
  readonly access_token: string;
  readonly code: string;
  /**
   * The earliest time of authentication at the provider, from which `clockTolerance` is subtracted; undefined
   * accepts any time.
   */
  readonly fresh_since: Date | undefined;
}

const longest = 32_768;

/** Maximum accepted difference between the clocks of the provider and of this server, in seconds. */
export const clockTolerance = 60;

interface Header {
  readonly alg: string;
  readonly kid: string | undefined;
  readonly typ: string | undefined;
}

/** Returns the claims of the id_token. Throws `UpstreamError` for the first rule that the token violates. */
export async function verifyIdToken(
  token: string,
  expected: ExpectedIdToken,
  client: UpstreamClient,
): Promise<UpstreamClaims> {
  const { header, claims } = await verifyOwnToken(token, expected, client);
  requireTimes(claims, expected, client.now());
  requireNonce(claims, expected);
  requireHash("at_hash", claims, header, expected.access_token);
  requireHash("c_hash", claims, header, expected.code);
  if (textOf(claims.sub) === undefined) throw new UpstreamError("sub_missing", { expected: "sub" });
  return claims;
}

/**
 * Verifies that the provider signed the token for this client. Throws `UpstreamError` for the first rule that
 * the token violates.
 */
export async function verifyOwnToken(
  token: string,
  expected: ExpectedToken,
  client: UpstreamClient,
): Promise<{ readonly header: Header; readonly claims: UpstreamClaims }> {
  const header = readHeader(token);
  requireAlgorithm(header, expected.preset);
  const { claims, key } = await verifySignature(token, header, expected, client);
  requireIssuer(claims, key, expected);
  requireAudience(claims, expected);
  return { header, claims };
}

function readHeader(token: string): Header {
  try {
    if (token.length > longest || token.split(".").length !== 3) throw new Error("not three parts");
    const { alg = "", kid, typ } = decodeProtectedHeader(token);
    return { alg: String(alg), kid: textOf(kid), typ: textOf(typ) };
  } catch (error) {
    throw new UpstreamError("id_token_malformed", { expected: "a JWS in compact form" }, error);
  }
}

function requireAlgorithm({ alg }: Header, { id_token_algorithms: accepted }: Preset): void {
  if (accepted.includes(alg)) return;
  const facts = { expected: accepted.join(", "), received: alg };
  if (alg.toLowerCase() === "none" || alg === "") throw new UpstreamError("alg_none", facts);
  throw new UpstreamError(alg.startsWith("HS") ? "alg_symmetric" : "alg", facts);
}

async function verifySignature(
  token: string,
  { alg, kid }: Header,
  { metadata, preset }: ExpectedToken,
  client: UpstreamClient,
): Promise<{ claims: UpstreamClaims; key: JWK | undefined }> {
  const { jwks_uri } = metadata;
  if (jwks_uri === undefined) throw new UpstreamError("not_configured", { expected: "jwks_uri" });
  const isNamed = (key: JWK) => kid === undefined || key.kid === kid;
  const keySet = await client.keys(jwks_uri, (keys) => keys.some(isNamed));
  try {
    const { payload } = await compactVerify(token, createLocalJWKSet(keySet), {
      algorithms: [...preset.id_token_algorithms],
    });
    const claims = objectOf(Buffer.from(payload));
    if (claims === undefined) throw new UpstreamError("id_token_malformed", { expected: "claims" });
    return { claims, key: keySet.keys.find((key) => kid !== undefined && key.kid === kid) };
  } catch (error) {
    if (error instanceof UpstreamError) throw error;
    if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) {
      const published = keySet.keys.map((key) => textOf(key.kid) ?? "a key without kid").join(", ");
      throw new UpstreamError("kid_unknown", { expected: published, received: kid ?? "no kid" }, error);
    }
    throw new UpstreamError("signature", { received: `${alg}, kid ${kid ?? "missing"}` }, error);
  }
}

function requireIssuer(
  claims: UpstreamClaims,
  key: JWK | undefined,
  { preset, metadata }: ExpectedToken,
): void {
  const { issuer = "" } = metadata;
  const accepted = preset.tokenIssuers?.(issuer, claims) ?? [issuer];
  if (typeof claims.iss !== "string" || !accepted.includes(claims.iss)) {
    throw new UpstreamError("iss", { expected: accepted[0] ?? issuer, received: claims.iss });
  }
  // For each key, Entra names the issuer whose tokens the key signs.
  const { issuer: template } = (key ?? {}) as { readonly issuer?: unknown };
  if (typeof template !== "string" || preset.tokenIssuers === undefined) return;
  const ofKey = preset.tokenIssuers(template, claims);
  if (!ofKey.includes(claims.iss)) {
    throw new UpstreamError("key_issuer", { expected: claims.iss, received: template });
  }
}

function requireAudience({ aud, azp }: UpstreamClaims, { client_id }: ExpectedToken): void {
  const audiences: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(client_id)) throw new UpstreamError("aud", { expected: client_id, received: aud });
  const isNeeded = audiences.length > 1;
  if ((isNeeded || azp !== undefined) && azp !== client_id) {
    throw new UpstreamError("azp", { expected: client_id, received: azp });
  }
}

function requireTimes(
  { exp, iat, nbf, auth_time }: UpstreamClaims,
  { fresh_since }: ExpectedIdToken,
  now: Date,
): void {
  const seconds = Math.floor(now.getTime() / 1000);
  const clock = `the clock here says ${seconds}`;
  if (!isTime(exp) || exp <= seconds - clockTolerance) {
    throw new UpstreamError("exp", { expected: clock, received: exp });
  }
  if (!isTime(iat) || iat > seconds + clockTolerance) {
    throw new UpstreamError("iat", { expected: clock, received: iat });
  }
  if (nbf !== undefined && (!isTime(nbf) || nbf > seconds + clockTolerance)) {
    throw new UpstreamError("nbf", { expected: clock, received: nbf });
  }
  if (fresh_since === undefined) return;
  const earliest = Math.floor(fresh_since.getTime() / 1000) - clockTolerance;
  if (!isTime(auth_time) || auth_time < earliest || auth_time > seconds + clockTolerance) {
    throw new UpstreamError("auth_time", { expected: `not before ${earliest}`, received: auth_time });
  }
}

export function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value);
}

function requireNonce({ nonce }: UpstreamClaims, { preset, nonce: sent }: ExpectedIdToken): void {
  const isSent = preset.nonce === "always";
  // If the request had no nonce, some providers return an empty one.
  const isRight = isSent ? nonce === sent : nonce === undefined || nonce === "";
  if (!isRight) throw new UpstreamError("nonce", { expected: isSent ? sent : "none", received: nonce });
}

/**
 * The claim is the left half of the hash of `of` (OpenID Connect Core 1.0, sections 3.1.3.6 and 3.3.2.11).
 * `alg` determines the hash function.
 */
function requireHash(name: "at_hash" | "c_hash", claims: UpstreamClaims, { alg }: Header, of: string): void {
  const received = claims[name];
  if (received === undefined) return;
  const digest = alg.startsWith("Ed") ? "sha512" : `sha${alg.slice(2)}`;
  const hash = createHash(digest).update(of).digest();
  const expected = hash.subarray(0, hash.length / 2).toString("base64url");
  if (received !== expected) throw new UpstreamError(name, { expected, received });
}
