/**
 * The bytes that unpadded base64url text stands for (RFC 4648 section 5), or undefined unless the text is
 * exactly what encoding those bytes gives: no padding, no other characters, no stray bits at the end.
 * `Buffer.from` skips whatever it does not know, which would let many texts stand for one token (T-11).
 */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
