/**
 * The permissions in docs/permissions.md, written again by hand. Nothing here comes from the server, so a
 * mistake there is not repeated here.
 */

/** The table: permissions on own records, then of each role in its organization; r reads, w writes. */
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

/** `apps:write` and the like. */
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

/** Permissions of a role in its organization; a role of any other name grants none. */
function grantedBy(role: string | undefined): ReadonlySet<Word> {
  return role === undefined || role === "own" ? new Set() : (cells.get(role) ?? new Set());
}

const own = wordsOf("own");

export interface Caller {
  readonly name: string;
  /** A platform administrator, or a client of no organization: every permission for every record. */
  readonly platform: boolean;
  /** The person, by name; undefined for a machine. */
  readonly user?: string;
  /** Roles by organization; an organization's machine is an admin of it. */
  readonly roles: Readonly<Record<string, string>>;
  /** Of the credential; a browser session has none and is not narrowed. */
  readonly scopes?: readonly string[];
}

export interface Place {
  readonly organizations: readonly string[];
  readonly user?: string | undefined;
}

/** The permissions that management scopes carry. */
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

/** The credential lets everything through. */
export function isUnlimited(caller: Caller): boolean {
  return everyWord.every((word) => lets(caller, word));
}

/** Whether the caller holds the permission for what is at this place. */
export function holds(caller: Caller, word: Word, { organizations, user }: Place): boolean {
  if (!lets(caller, word)) return false;
  if (caller.platform) return true;
  if (user !== undefined && user === caller.user && own.has(word)) return true;
  return organizations.some((organization) => grantedBy(caller.roles[organization]).has(word));
}

/** Whether a role in the organization, and not that the record is their own, gives the permission. */
export function holdsByRole(caller: Caller, word: Word, { organizations }: Place): boolean {
  return holds(caller, word, { organizations });
}

const all = (words: Iterable<Word>, is: (word: Word) => boolean) => [...words].every(is);

/**
 * "What a credential may give in an organization is what its owner holds there and its scopes let through."
 */
export function mayGiveIn(caller: Caller, organization: string, words: Iterable<Word>): boolean {
  return all(words, (word) => holds(caller, word, { organizations: [organization] }));
}

/** "For anybody else, and everywhere, is what its scopes let through, for platform administrators alone." */
export function mayGiveEverywhere(caller: Caller, words: Iterable<Word>): boolean {
  return all(words, (word) => caller.platform && lets(caller, word));
}

/**
 * "For its owner is what the owner may do without the credential's limits, as far as its scopes let that
 * through."
 */
export function mayGiveTo(caller: Caller, user: string, words: Iterable<Word>): boolean {
  if (caller.user !== user) return mayGiveEverywhere(caller, words);
  return all(words, (word) => lets(caller, word) && mayAnywhere(caller, word));
}

/** The permissions of a person, whatever the credential. */
export function mayAnywhere({ platform, roles }: Caller, word: Word): boolean {
  return platform || own.has(word) || Object.values(roles).some((role) => grantedBy(role).has(word));
}

const ranks = ["owner", "admin", "developer", "member"];

/** Whether a role is above another; roles of other names are below all. */
export function isAbove(role: string, other: string | undefined): boolean {
  const rank = (of: string | undefined) =>
    of !== undefined && ranks.includes(of) ? ranks.indexOf(of) : ranks.length;
  return rank(role) < rank(other);
}

/**
 * "No role above the role of its giver, and no permission, by its role …, that they may not give there. What
 * the membership had before may stay."
 */
export function mayMakeRole(caller: Caller, organization: string, role: string, before?: string): boolean {
  const had = grantedBy(before);
  const more = [...grantedBy(role)].filter((word) => !had.has(word));
  if (!mayGiveIn(caller, organization, more)) return false;
  return caller.platform || !isAbove(role, caller.roles[organization]);
}

/**
 * The permissions of a person with these roles; an organization's machine is an admin of it without a person.
 */
export function permissionsOf(
  roles: Readonly<Record<string, string>>,
  who: "person" | "machine",
): ReadonlySet<Word> {
  const words = Object.values(roles).flatMap((role) => [...grantedBy(role)]);
  return new Set(who === "person" ? [...words, ...own] : words);
}

export type Fate =
  /** It happens. */
  | "done"
  /** 403. */
  | "forbidden"
  /** 404, the same as for an id that never was. */
  | "missing"
  /** 401. */
  | "unknown"
  /** 422. */
  | "invalid";

/** The information in a `forbidden` response. */
export function refusal(caller: Caller, resourceType: string, word: Word, place: Place): Fate {
  if (!lets(caller, word)) return "forbidden";
  return holds(caller, `${resourceType}:read`, place) ? "forbidden" : "missing";
}
