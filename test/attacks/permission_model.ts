/**
 * The permissions of docs/permissions.md, written again by hand. This file uses nothing of the server, so it
 * does not repeat the server's mistakes.
 */

/**
 * The table: permissions for own records, then those of each role in its organization. `r` means read, `w`
 * write.
 */
const table = `
                 own member developer admin owner
users            rw  -      -         r     r
organizations    -   r      r         rw    rw
memberships      rw  r      r         rw    rw
roles            -   r      r         rw    rw
groups           -   r      r         rw    rw
group_members    -   r      r         rw    rw
attributes       -   -      -         rw    rw
providers        -   -      -         rw    rw
linked_accounts  rw  -      -         -     -
api_keys         rw  -      -         rw    rw
apps             rw  r      rw        rw    rw
app_secrets      rw  -      rw        rw    rw
tokens           rw  -      rw        rw    rw
auth_codes       rw  -      rw        rw    rw
consents         rw  -      -         rw    rw
sessions         rw  -      -         -     -
resources        -   r      rw        rw    rw
app_roles        -   r      rw        rw    rw
service_accounts -   -      rw        rw    rw
key_pairs        -   -      rw        rw    rw
signing_keys     -   -      -         -     -
audit_events     r   -      -         r     r
refusals         r   -      r         r     r
deliveries       -   -      rw        rw    rw
events           -   -      -         r     r
webhook_endpoints -  -      -         rw    rw
`;

const columns = ["own", "member", "developer", "admin", "owner"] as const;

/** A permission such as `apps:write`. */
export type Word = string;

const cells = new Map<string, ReadonlySet<Word>>(columns.map((column) => [column, wordsOf(column)]));

function wordsOf(column: (typeof columns)[number]): ReadonlySet<Word> {
  const lines = table.trim().split("\n").slice(1);
  return new Set(
    lines.flatMap((line) => {
      const [resourceType, ...marks] = line.trim().split(/ +/);
      const mark = marks[columns.indexOf(column)] ?? "";
      return [
        ...(mark.includes("r") ? [`${resourceType}:read`] : []),
        ...(mark.includes("w") ? [`${resourceType}:write`] : []),
      ];
    }),
  );
}

export const allFamilies: readonly string[] = table
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.trim().split(/ +/)[0] ?? "");

export const everyWord: readonly Word[] = allFamilies.flatMap((resourceType) => [
  `${resourceType}:read`,
  `${resourceType}:write`,
]);

/** Returns the permissions of a role in its organization. Roles with other names grant none. */
function grantedBy(role: string | undefined): ReadonlySet<Word> {
  return role === undefined || role === "own" ? new Set() : (cells.get(role) ?? new Set());
}

const own = wordsOf("own");

export interface Caller {
  readonly name: string;
  /**
   * Whether the caller is a platform administrator or a client without an organization, which have every
   * permission for every record.
   */
  readonly platform: boolean;
  /** The name of the user; undefined for a machine. */
  readonly user?: string;
  /** Roles by organization; an organization's machine is an admin of it. */
  readonly roles: Readonly<Record<string, string>>;
  /** The scopes of the credential; undefined for a browser session, which is not restricted. */
  readonly scopes?: readonly string[];
}

export interface Place {
  readonly organizations: readonly string[];
  readonly user?: string | undefined;
}

/** Returns the permissions that these management scopes include. */
export function carriedBy(scopes: readonly string[]): ReadonlySet<Word> {
  return new Set(
    everyWord.filter(
      (word) =>
        scopes.includes("postern:manage") ||
        scopes.includes(`postern:${word}`) ||
        (scopes.includes("postern:read") && word.endsWith(":read")),
    ),
  );
}

export function lets({ scopes }: Caller, word: Word): boolean {
  return scopes === undefined || carriedBy(scopes).has(word);
}

/** Returns whether the credential has no restriction. */
export function isUnlimited(caller: Caller): boolean {
  return everyWord.every((word) => lets(caller, word));
}

/** Returns whether the caller has the permission for records at this place. */
export function holds(caller: Caller, word: Word, { organizations, user }: Place): boolean {
  if (!lets(caller, word)) return false;
  if (caller.platform) return true;
  if (user !== undefined && user === caller.user && own.has(word)) return true;
  return organizations.some((organization) => grantedBy(caller.roles[organization]).has(word));
}

/**
 * Returns whether a role in the organization grants the permission, apart from permissions for own records.
 */
export function holdsByRole(caller: Caller, word: Word, { organizations }: Place): boolean {
  return holds(caller, word, { organizations });
}

const all = (words: Iterable<Word>, is: (word: Word) => boolean) => [...words].every(is);

/**
 * In an organization, a credential grants permissions that its owner has there and that its scopes include.
 */
export function mayGiveIn(caller: Caller, organization: string, words: Iterable<Word>): boolean {
  return all(words, (word) => holds(caller, word, { organizations: [organization] }));
}

/**
 * Outside organizations, and to other users, only platform administrators grant permissions, limited by the
 * scopes of their credential.
 */
export function mayGiveEverywhere(caller: Caller, words: Iterable<Word>): boolean {
  return all(words, (word) => caller.platform && lets(caller, word));
}

/**
 * A credential grants to its own owner any permission that the owner has anywhere, if the credential's scopes
 * include it.
 */
export function mayGiveTo(caller: Caller, user: string, words: Iterable<Word>): boolean {
  if (caller.user !== user) return mayGiveEverywhere(caller, words);
  return all(words, (word) => lets(caller, word) && mayAnywhere(caller, word));
}

/** Returns whether the user has the permission anywhere, whatever the credential. */
export function mayAnywhere({ platform, roles }: Caller, word: Word): boolean {
  return platform || own.has(word) || Object.values(roles).some((role) => grantedBy(role).has(word));
}

const ranks = ["owner", "admin", "developer", "member"];

/** Returns whether a role is above another one. Roles with other names are below all others. */
export function isAbove(role: string, other: string | undefined): boolean {
  const rank = (of: string | undefined) =>
    of !== undefined && ranks.includes(of) ? ranks.indexOf(of) : ranks.length;
  return rank(role) < rank(other);
}

/**
 * Returns whether the caller may set the role. It must not be above the caller's own, and must not add a
 * permission that the caller may not grant. Permissions that the membership had before may stay.
 */
export function mayMakeRole(caller: Caller, organization: string, role: string, before?: string): boolean {
  const had = grantedBy(before);
  const more = [...grantedBy(role)].filter((word) => !had.has(word));
  if (!mayGiveIn(caller, organization, more)) return false;
  return caller.platform || !isAbove(role, caller.roles[organization]);
}

/**
 * Returns the permissions of a user with these roles. An organization's machine has an admin's permissions,
 * but no own records.
 */
export function permissionsOf(
  roles: Readonly<Record<string, string>>,
  who: "person" | "machine",
): ReadonlySet<Word> {
  const words = Object.values(roles).flatMap((role) => [...grantedBy(role)]);
  return new Set(who === "person" ? [...words, ...own] : words);
}

export type Fate =
  /** Success. */
  | "done"
  /** 403. */
  | "forbidden"
  /** 404, as for an id that never existed. */
  | "missing"
  /** 401. */
  | "unknown"
  /** 422. */
  | "invalid";

/** Returns the refusal of a caller without the permission: 403, or 404 if they may not see the record. */
export function refusal(caller: Caller, resourceType: string, word: Word, place: Place): Fate {
  if (!lets(caller, word)) return "forbidden";
  return holds(caller, `${resourceType}:read`, place) ? "forbidden" : "missing";
}
