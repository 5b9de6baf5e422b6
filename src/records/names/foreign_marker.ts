/**
 * The value of `users.password_hash` while a foreign hash is stored in `foreign_passwords`: the name of that
 * row. Checks for a password find one, and a conditional update notices another import.
 */

const begin = "foreign:";

export const foreignMarker = (id: string): string => `${begin}${id}`;

/** The row that a stored password refers to; undefined for a hash of our own and for none. */
export function foreignIdOf(password_hash: string | null | undefined): string | undefined {
  return password_hash?.startsWith(begin) ? password_hash.slice(begin.length) : undefined;
}

/** Whether a foreign hash no longer signs in, after the time in a setting (MG-4). */
export function isForeignOver(
  { scheme }: { readonly scheme?: string },
  { foreign_passwords_until: until }: { readonly foreign_passwords_until?: Date | undefined } = {},
  now: Date,
): boolean {
  return scheme !== undefined && until !== undefined && now >= until;
}
