/** Maximum length of a password: UTF-8 bytes in NFC, and UTF-16 units as typed (L-12). */
export const longestPassword = 1024;

/**
 * Returns the password in Unicode NFC, in which passwords are compared. Returns overlong strings unchanged,
 * because normalizing many combining marks takes quadratic time.
 */
export const composedPassword = (password: string): string =>
  password.length > longestPassword ? password : password.normalize("NFC");

/**
 * Returns the UTF-8 byte strings that may have been hashed for a password: its NFC form and, if different,
 * the password as typed. Empty if the password is too long or not well-formed Unicode.
 */
export function formsOf(password: string): Buffer[] {
  const forms = new Set([composedPassword(password), password]);
  return [...forms].map(bytesOf).filter((bytes) => bytes !== undefined);
}

/**
 * Returns the UTF-8 bytes of a password; undefined if it is too long or not well-formed Unicode. Hash
 * libraries get bytes, because they treat NUL in strings differently.
 */
export function bytesOf(password: string): Buffer | undefined {
  if (password.length > longestPassword || !password.isWellFormed()) return undefined;
  const bytes = Buffer.from(password);
  return bytes.length > longestPassword ? undefined : bytes;
}
