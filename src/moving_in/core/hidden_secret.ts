/** Returns what an export has in place of a secret; undefined if the string is the secret itself. */
export function placeholderIn(secret: string): string | undefined {
  if (/^\*+$/.test(secret)) return "asterisks";
  return /^\$\{vault\..*\}$/.test(secret) ? "a reference to a vault" : undefined;
}
