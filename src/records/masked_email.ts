/**
 * An address by which its owner recognizes it and nobody else learns it: `ada@example.com` becomes
 * `a•••@example.com`.
 */
export function maskedEmail(email: string): string {
  const [first = ""] = email;
  return `${first}•••${email.slice(email.lastIndexOf("@"))}`;
}
