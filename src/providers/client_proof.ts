import { createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import type { Preset, ProviderMetadata } from "./presets/preset.ts";
import type { ProviderSettings } from "./presets/provider_settings.ts";
import { UpstreamError } from "./upstream_error.ts";

interface ClientProof {
  readonly authorization?: string;
  readonly members: Readonly<Record<string, string>>;
}

/**
 * Lifetime of a signed client secret in seconds. Apple allows up to six months, but a secret for one request
 * needs only a few minutes.
 */
const signedFor = 300;

/** Returns the client authentication for one request. Throws `UpstreamError`. */
export async function clientProof(
  provider: ProviderSettings,
  preset: Preset,
  metadata: ProviderMetadata,
  now: Date,
): Promise<ClientProof> {
  const { client_id, client_secret } = provider;
  if (preset.client_authentication === "signed_secret") {
    const secret = await signedSecret(provider, metadata, now);
    return { members: { client_id, client_secret: secret } };
  }
  if (client_secret === undefined) {
    if (preset.needs.includes("client_secret")) {
      throw new UpstreamError("not_configured", { expected: "client_secret" });
    }
    return { members: { client_id } };
  }
  const { authentication_methods: methods } = metadata;
  const takesBasic =
    preset.client_authentication === "client_secret_basic" &&
    (methods === undefined || methods.includes("client_secret_basic"));
  return takesBasic
    ? { authorization: basic(client_id, client_secret), members: {} }
    : { members: { client_id, client_secret } };
}

/**
 * Returns the value of the `Authorization` header. Its parts are form-encoded first (RFC 6749, section
 * 2.3.1).
 */
export function basic(client_id: string, client_secret: string): string {
  const encoded = (text: string) => new URLSearchParams([["", text]]).toString().slice(1);
  return `Basic ${Buffer.from(`${encoded(client_id)}:${encoded(client_secret)}`).toString("base64")}`;
}

async function signedSecret(
  { client_id, private_key, key_id, team_id }: ProviderSettings,
  { issuer }: ProviderMetadata,
  now: Date,
): Promise<string> {
  if (private_key === undefined || key_id === undefined || team_id === undefined || issuer === undefined) {
    throw new UpstreamError("not_configured", { expected: "private_key, key_id and team_id" });
  }
  const seconds = Math.floor(now.getTime() / 1000);
  try {
    return await new SignJWT()
      .setProtectedHeader({ alg: "ES256", kid: key_id })
      .setIssuer(team_id)
      .setSubject(client_id)
      .setAudience(issuer)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + signedFor)
      .sign(createPrivateKey(private_key));
  } catch (error) {
    throw new UpstreamError("not_configured", { expected: "private_key for the curve P-256" }, error);
  }
}
