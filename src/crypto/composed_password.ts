/** Bytes of UTF-8 of the longest password in its composed form, and characters as it is typed (L-12). */
export const longestPassword = 1024;

/**
 * The form in which passwords are compared: Unicode's NFC, in which a letter and its marks are one. A text
 * that is too long for a password stays as it is: what composing takes grows with the square of marks in a
 * row.
 */
export const composedPassword = (password: string): string =>
  password.length > longestPassword ? password : password.normalize("NFC");
