/** Codes of authenticator apps (RFC 6238): SHA-1, 6 digits and 30 seconds, which every app supports. */
import { randomBytes } from "node:crypto";
import { equalBytes } from "./credentials.ts";

/** RFC 4226, section 4 recommends 160 bits, the length of the HMAC's hash. */
const secretBytes = 20;
const step_seconds = 30;
const shape = { algorithm: "SHA1", digits: 6, period: step_seconds } as const;

/** In steps before and after the current one (RFC 6238, section 5.2). */
const tolerance = 1;
/** Maximum age, in steps, of an expired code that is taken as a sign that the clock of the device is slow. */
const mostLate = 10;

/** Returns the secret of a new authenticator: 160 random bits in base32, 32 characters. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await import("otpauth");
  return new Secret({ buffer: Uint8Array.from(randomBytes(secretBytes)).buffer }).base32;
}

/**
 * The result of a typed code. `step` counts 30-second steps since 1970; the caller accepts only a step that
 * is later than the last accepted one (MF-2). `late_by` is the age in steps of a correct code that is too
 * old. Such a code is rejected, but it shows that the device's clock is slow (MF-3). A code of a future step
 * gets no such hint, because it would still become valid.
 */
type TotpMatch = { readonly step: number } | { readonly late_by: number };

/**
 * Matches a code against a secret of `newTotpSecret`; spaces are ignored. Undefined if it is wrong. Takes
 * the same time for every six-digit code. Throws a TypeError if the secret is not base32.
 */
export async function matchTotp(secret: string, code: string, now: Date): Promise<TotpMatch | undefined> {
  const digits = code.length > 40 ? "" : code.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(digits)) return undefined;
  const { HOTP, Secret } = await import("otpauth");
  const key = Secret.fromBase32(secret);
  const current = Math.floor(now.getTime() / 1000 / step_seconds);
  const matches: number[] = [];
  for (let step = current - mostLate; step <= current + tolerance; step++) {
    // Steps before 1970 occur only on a machine whose clock is not set.
    if (step < 0) continue;
    if (equalBytes(HOTP.generate({ secret: key, counter: step, ...shape }), digits)) matches.push(step);
  }
  // If two steps have the same code, uses the later one, which is less likely to have been used.
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
  // Removes colons, because apps split the label at the first one.
  const name = issuer.replaceAll(":", " ").replaceAll(/\s+/g, " ").trim();
  return new TOTP({ secret: Secret.fromBase32(secret), issuer: name, label: account, ...shape }).toString();
}

/** In base32 characters. The minimum is 80 bits, the shortest secret that common programs create. */
const shortestSecret = 16;
const longestSecret = 512;

/**
 * Returns the secret and the label of a URI whose codes have the only parameters supported here: SHA-1, 6
 * digits, 30 seconds. Undefined for any other string.
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
