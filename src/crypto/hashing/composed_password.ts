/** Maximum length of a password (L-12): bytes of UTF-8 in its composed form, and characters as typed. */
export const longestPassword = 1024;

/**
 * Returns the form in which passwords are compared: Unicode NFC, which composes a letter with its marks.
 * Text that is too long for a password is returned unchanged, because the cost of composing grows with the
 * square of consecutive marks.
 */
export const composedPassword = (password: string): string =>
  password.length > longestPassword ? password : password.normalize("NFC");

/**
 * Returns the byte strings that are hashed for a password: the composed form and, if different, the typed one
 * (docs/decisions/passwords.md). Empty for a password that is too long or not well-formed Unicode.
 */
export function formsOf(password: string): Buffer[] {
  const forms = new Set([composedPassword(password), password]);
  return [...forms].map(bytesOf).filter((bytes) => bytes !== undefined);
}

/**
 * Returns the bytes to hash, because libraries treat NUL characters in text differently. Undefined for a
 * password that is too long or not well-formed Unicode.
 */
export function bytesOf(password: string): Buffer | undefined {
  if (password.length > longestPassword || !password.isWellFormed()) return undefined;
  const bytes = Buffer.from(password);
  return bytes.length > longestPassword ? undefined : bytes;
}
