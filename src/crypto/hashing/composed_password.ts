/** Maximum length of a password (L-12): bytes of UTF-8 in NFC, and characters as typed. */
export const longestPassword = 1024;

/**
 * Returns a password in Unicode NFC, the form in which passwords are compared. A string that is too long for
 * a password is returned unchanged, because the cost of NFC grows with the square of consecutive combining
 * marks.
 */
export const composedPassword = (password: string): string =>
  password.length > longestPassword ? password : password.normalize("NFC");

/**
 * Returns the byte strings that are hashed for a password: its NFC form and, if different, the password as
 * typed (docs/decisions/passwords.md). Empty for a password that is too long or not well-formed Unicode.
 */
export function formsOf(password: string): Buffer[] {
  const forms = new Set([composedPassword(password), password]);
  return [...forms].map(bytesOf).filter((bytes) => bytes !== undefined);
}

/**
 * Returns the UTF-8 to hash. Libraries get bytes rather than strings, because they differ in how they treat
 * NUL in strings. Undefined for a password that is too long or not well-formed Unicode.
 */
export function bytesOf(password: string): Buffer | undefined {
  if (password.length > longestPassword || !password.isWellFormed()) return undefined;
  const bytes = Buffer.from(password);
  return bytes.length > longestPassword ? undefined : bytes;
}
