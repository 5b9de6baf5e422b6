/**
 * Codes of authenticator apps (TOTP, RFC 6238) with SHA-1, 6 digits and 30 seconds, which every app supports.
 */
import { randomBytes } from "node:crypto";
import { equalBytes } from "./credentials.ts";

/** 160 bits, as recommended in RFC 4226, section 4. */
const secretBytes = 20;
const step_seconds = 30;
const shape = { algorithm: "SHA1", digits: 6, period: step_seconds } as const;

/** Codes of this many steps before and after the current one are accepted (RFC 6238, section 5.2). */
const tolerance = 1;
/** A code of up to this many steps before the current one suggests that the device's clock is slow. */
const mostLate = 10;

/** Returns a new secret: 160 random bits in base32 (32 characters). */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await import("otpauth");
  return new Secret({ buffer: Uint8Array.from(randomBytes(secretBytes)).buffer }).base32;
}

/**
 * `step` counts 30-second steps since 1970; the caller must reject one that is not later than the last
 * accepted one (MF-2). `late_by`: the code is that of this many steps before the current one, and no longer
 * valid (MF-3).
 */
type TotpMatch = { readonly step: number } | { readonly late_by: number };

/**
 * Compares a typed code with the valid and recently expired codes of a secret, ignoring spaces. Undefined for
 * any other code. Throws a TypeError if the secret is not base32.
 */
export async function matchTotp(secret: string, code: string, now: Date): Promise<TotpMatch | undefined> {
  const digits = code.length > 40 ? "" : code.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(digits)) return undefined;
  const { HOTP, Secret } = await import("otpauth");
  const key = Secret.fromBase32(secret);
  const current = Math.floor(now.getTime() / 1000 / step_seconds);
  const matches: number[] = [];
  for (let step = current - mostLate; step <= current + tolerance; step++) {
    if (step < 0) continue;
    if (equalBytes(HOTP.generate({ secret: key, counter: step, ...shape }), digits)) matches.push(step);
  }
  // If two steps have the same code, uses the later one, because the earlier one may have been used already.
  const step = matches.at(-1);
  if (step === undefined) return undefined;
  return step >= current - tolerance ? { step } : { late_by: current - step };
}

interface TotpLabel {
  readonly issuer: string;
  readonly account: string;
}

export async function otpauthUri(secret: string, { issuer, account }: TotpLabel): Promise<string> {
  const { Secret, TOTP } = await import("otpauth");
  // Apps split the label at the first colon, so the issuer must contain none.
  const name = issuer.replaceAll(":", " ").replaceAll(/\s+/g, " ").trim();
  return new TOTP({ secret: Secret.fromBase32(secret), issuer: name, label: account, ...shape }).toString();
}

/**
 * Limits of an imported secret in base32 characters. 16 characters (80 bits) is the shortest that common
 * programs create.
 */
const shortestSecret = 16;
const longestSecret = 512;

/**
 * Returns the secret of an `otpauth://totp` URI with SHA-1, 6 digits and 30 seconds, and its issuer as
 * `label` (empty if missing). Undefined for any other string.
 */
export function readTotpUri(text: string): { readonly secret: string; readonly label: string } | undefined {
  const uri = URL.parse(text);
  if (uri?.protocol !== "otpauth:" || uri.host.toLowerCase() !== "totp") return undefined;
  const { searchParams: given } = uri;
  const shape = { algorithm: "SHA1", digits: "6", period: "30" };
  const isUsual = Object.entries(shape).every(
    ([name, value]) => (given.get(name) ?? value).toUpperCase() === value,
  );
  const secret = (given.get("secret") ?? "").replaceAll(/[\s=-]/g, "").toUpperCase();
  const isBase32 = /^[A-Z2-7]+$/.test(secret);
  const isSized = secret.length >= shortestSecret && secret.length <= longestSecret;
  return isUsual && isBase32 && isSized ? { secret, label: given.get("issuer") ?? "" } : undefined;
}
