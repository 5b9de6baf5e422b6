/** Bytes of UTF-8 of the longest password in its composed form, and characters as it is typed (L-12). */
export const longestPassword = 1024;

/**
 * The form in which passwords are compared: Unicode NFC, in which a letter and its marks are one. A text that
 * is too long for a password is not composed: the cost grows with the square of consecutive marks.
 */
export const composedPassword = (password: string): string =>
  password.length > longestPassword ? password : password.normalize("NFC");

/**
 * The bytes that are hashed for a password: of its composed form and, where that is another, as typed
 * (docs/decisions/passwords.md). None for a password that is never hashed.
 */
export function formsOf(password: string): Buffer[] {
  const forms = new Set([composedPassword(password), password]);
  return [...forms].map(bytesOf).filter((bytes) => bytes !== undefined);
}

/**
 * The hashed bytes, since libraries differ on NUL characters in text. Undefined for passwords that are never
 * hashed.
 */
export function bytesOf(password: string): Buffer | undefined {
  if (password.length > longestPassword || !password.isWellFormed()) return undefined;
  const bytes = Buffer.from(password);
  return bytes.length > longestPassword ? undefined : bytes;
}
