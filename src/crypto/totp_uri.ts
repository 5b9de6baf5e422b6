/** The secret in an `otpauth://totp/` URI, as used by authenticator apps and exports. */

/** 80 bits, the length used by the programs with the shortest secrets. */
const shortestSecret = 16;
const longestSecret = 512;

/**
 * Returns the secret and the label of a URI whose codes are like ours: SHA-1, 6 digits, 30 seconds
 * (`totp.ts`). Undefined for any other text.
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
