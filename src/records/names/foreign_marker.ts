/**
 * The prefix of `users.password_hash` while the user's hash comes from another program and is stored in
 * `foreign_passwords`; the id of that row follows. Code that checks whether a user has a password then finds
 * one, and a conditional update detects that another import has changed the password.
 */

const begin = "foreign:";

export const foreignMarker = (id: string): string => `${begin}${id}`;

/**
 * Returns the id of the row in `foreign_passwords` to which a stored password refers; undefined for this
 * server's own hashes and without a password.
 */
export function foreignIdOf(password_hash: string | null | undefined): string | undefined {
  return password_hash?.startsWith(begin) ? password_hash.slice(begin.length) : undefined;
}

/**
 * Returns whether this is a hash of another program and the time in `POSTERN_FOREIGN_PASSWORDS_UNTIL` has
 * passed (MG-4).
 */
export function isForeignOver(
  { scheme }: { readonly scheme?: string },
  { foreign_passwords_until: until }: { readonly foreign_passwords_until?: Date | undefined } = {},
  now: Date,
): boolean {
  return scheme !== undefined && until !== undefined && now >= until;
}
