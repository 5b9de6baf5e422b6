/**
 * The bytes that unpadded base64url text encodes (RFC 4648 section 5). Undefined unless encoding those bytes
 * gives exactly this text: no padding, no other characters, no stray bits at the end. `Buffer.from` skips
 * unknown characters, so that many texts would mean one token (T-11).
 */
export function decodeBase64url(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : undefined;
}
