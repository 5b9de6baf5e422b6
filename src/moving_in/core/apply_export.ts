import { isObject, textOfJson } from "../../records/names/json_shapes.ts";
import type { ReadExport, Records } from "./collecting.ts";
import type { Entry, ImportMap, Loss, MovedPerson } from "./moved.ts";
import { type Manifest, type RefusedRecord, removeForeign, sections } from "./own_records.ts";

/** The API accepts at most 500 users and 2 MiB in a batch. */
const mostPeople = 500;
const mostBytes = 1_900_000;

type Outcomes = Record<"created" | "updated" | "unchanged" | "refused", number>;

interface Finding {
  readonly path: string;
  readonly code?: string;
  readonly message: string;
}

export interface SentPeople {
  readonly people: Outcomes;
  readonly memberships: readonly { readonly organization: string; readonly count: number }[];
  /**
   * Number of accepted users with a new `sub`, because their identifier in the other system is not a UUID.
   */
  readonly other_subjects: number;
}

export interface PersonResult {
  readonly status: keyof Outcomes;
  readonly losses?: readonly Finding[];
  readonly errors?: readonly Finding[];
}

interface AppliedRecords {
  readonly created: readonly string[];
  readonly unchanged: readonly string[];
  readonly kept?: readonly string[];
  /** Secrets that the importing server generated because the file had no usable ones. */
  readonly secrets: Readonly<Record<string, string>>;
}

export interface Target {
  importPeople(people: readonly MovedPerson[]): Promise<readonly PersonResult[]>;
  /** If the server refuses the manifest, nothing is written. */
  apply(
    manifest: Manifest,
    dry_run: boolean,
  ): Promise<AppliedRecords | { readonly wrong: readonly Finding[]; readonly error: unknown }>;
  findOrganization(slug_or_id: string): Promise<string | undefined>;
  userAttributes(): Promise<readonly string[]>;
}

export interface Importing {
  readonly dryRun: boolean;
  readonly lose: (loss: Loss) => void;
}

/** The server's message for a taken value has no subject. */
const holders: Readonly<Record<string, string>> = {
  "/email": "another user has this email address",
  "/id": "another user has this ID",
};

const whyRefused = ({ path, code, message }: Finding): string =>
  code === "taken" ? (holders[path] ?? message) : message;

/**
 * Sends the users in batches; each of `lines` is one user as JSON. An interrupted run can be repeated,
 * because the server accepts the same batch again. `allowed` returns a user without the references that the
 * import may not make.
 */
export async function importPeople(
  target: Pick<Target, "importPeople">,
  lines: Iterable<string>,
  { records, omitted }: Pick<ReadExport, "records" | "omitted">,
  { dryRun, lose, allowed }: Importing & { readonly allowed: (person: MovedPerson) => MovedPerson },
  onDone: (done: number) => void | Promise<void>,
): Promise<SentPeople> {
  const members = new Map<string, number>();
  const outcomes: Outcomes = { created: 0, updated: 0, unchanged: 0, refused: omitted };
  let other_subjects = 0;
  let done = 0;
  for (const batch of batchesOf(lines)) {
    const people = batch.map(allowed);
    const results = await target.importPeople(people);
    for (const [index, { status, losses = [], errors = [] }] of results.entries()) {
      const person = people[index];
      if (person === undefined) continue;
      outcomes[status] += 1;
      const object = `user ${person.email}`;
      for (const error of errors)
        lose({
          ...{ object, member: error.path.slice(1) },
          reason: `the user is not imported: ${whyRefused(error)}`,
        });
      const lost = losses.filter(({ path }) => !dryRun || !isMadeBefore(path, person, records));
      for (const { path, message } of lost) lose({ object, member: path.slice(1), reason: message });
      if (status === "refused") continue;
      if (person.id === undefined) other_subjects += 1;
      if (status === "unchanged") continue;
      for (const organization of joined(person, lost))
        members.set(organization, (members.get(organization) ?? 0) + 1);
    }
    done += people.length;
    await onDone(done);
  }
  const memberships = [...members]
    .map(([organization, count]) => ({ organization, count }))
    .sort((one, other) => other.count - one.count);
  return { people: outcomes, memberships, other_subjects };
}

function joined({ memberships }: MovedPerson, lost: readonly Finding[]): string[] {
  const paths = new Set(lost.map(({ path }) => path));
  // Memberships from another Postern server are passed on without validation, so they may have any type.
  const given: readonly unknown[] = Array.isArray(memberships) ? memberships : [];
  return given.flatMap((each, index) => {
    const isLost = ["", "/organization", "/role"].some((end) => paths.has(`/memberships/${index}${end}`));
    return isObject(each) && !isLost ? textOfJson(each.organization) : [];
  });
}

/**
 * A dry run reports references to records that it has not created. Returns whether a real run creates the
 * record to which the field at `path` refers before it imports the users.
 */
function isMadeBefore(path: string, person: MovedPerson, records: Records): boolean {
  const [, member, index, part = "", place] = path.split("/");
  const at = Number(index);
  const { organizations, providers, roles, groups } = records;
  const has = (entries: Records["apps"], slug: unknown) => entries.some((entry) => entry.slug === slug);
  if (member === "memberships") {
    const membership = person.memberships?.[at];
    const role = part === "role_ids" ? membership?.role_ids?.[Number(place)] : undefined;
    if (role !== undefined) return roles.some(({ name }) => name === role);
    const group = part === "groups" ? membership?.groups?.[Number(place)] : undefined;
    if (group !== undefined) return groups.some(({ display_name }) => display_name === group);
    return has(organizations, membership?.organization);
  }
  return member === "linked_accounts" && has(providers, person.linked_accounts?.[at]?.provider);
}

function* batchesOf(lines: Iterable<string>): Generator<MovedPerson[]> {
  let people: MovedPerson[] = [];
  let bytes = 0;
  for (const line of lines) {
    const size = Buffer.byteLength(line);
    if (people.length === mostPeople || (people.length > 0 && bytes + size > mostBytes)) {
      yield people;
      [people, bytes] = [[], 0];
    }
    people.push(JSON.parse(line));
    bytes += size;
  }
  if (people.length > 0) yield people;
}

/** Required fields: if the server refuses one of them, the whole entry is removed. */
const needed: ReadonlySet<string> = new Set([
  ...["client_id", "slug", "name", "preset", "kind", "organization", "display_name"],
]);

const nouns = {
  ...{ organizations: "organization", roles: "role", groups: "group", providers: "provider", apps: "client" },
} as const;

/**
 * Applies the records as a manifest; records and fields that the server refuses are left out and reported as
 * losses. Nothing is written in a dry run, or before the server accepts the whole manifest. A record that an
 * earlier import created stays unchanged, even if it differs. Throws if an error concerns the owner or the
 * whole manifest. If the map names an existing organization (`organization_id`), the file's record of this
 * slug is not applied.
 */
export async function applyRecords(
  { apply }: Pick<Target, "apply">,
  records: Records,
  owner: string | undefined,
  {
    dryRun,
    lose,
    map,
    organization_id,
  }: Importing & {
    readonly map: Pick<ImportMap, "organization">;
    readonly organization_id: string | undefined;
  },
): Promise<Applied> {
  const isHere = ({ slug }: Entry) => organization_id !== undefined && slug === map.organization;
  const manifest: Manifest = {
    organizations: records.organizations.filter((entry) => !isHere(entry)).map((entry) => ({ ...entry })),
    roles: records.roles.map((entry) => ({ ...entry })),
    groups: records.groups.map((entry) => ({ ...entry })),
    providers: records.providers.map((entry) => ({ ...entry })),
    apps: records.apps.map((entry) => ({ ...entry, owner })),
  };
  const refused: RefusedRecord[] = [];
  for (;;) {
    refused.push(...removeForeign(manifest, map, lose));
    const planned = await apply(manifest, true);
    const result = dryRun || "wrong" in planned ? planned : await apply(manifest, false);
    if (!("wrong" in result)) {
      for (const label of result.kept ?? [])
        lose({
          object: label.replace(/^app /, "client "),
          member: "",
          reason: "differs on this server and is not changed",
        });
      return { ...result, refused, accepted: manifest };
    }
    const cuts = result.wrong.map(({ path, message }) => ({ cut: cutOf(path, manifest), message }));
    if (cuts.length === 0 || cuts.some(({ cut }) => cut === undefined || cut.member === "owner"))
      throw result.error;
    // List items are removed from the end, so that earlier items keep their positions.
    for (const { cut, message } of cuts.sort((one, other) => (other.cut?.item ?? 0) - (one.cut?.item ?? 0))) {
      const whole = cut && cutOut(manifest[cut.section], cut, message, lose);
      if (whole !== undefined) refused.push(whole);
    }
  }
}

export interface Applied extends AppliedRecords {
  readonly refused: readonly RefusedRecord[];
  readonly accepted: Manifest;
}

interface Cut {
  readonly section: (typeof sections)[number];
  readonly entry: Record<string, unknown>;
  readonly member: string | undefined;
  readonly item: number | undefined;
}

function cutOf(path: string, manifest: Record<string, Record<string, unknown>[]>): Cut | undefined {
  const [, name, index, member, item] = /^(\w+)\[(\d+)\](?:\.(\w+)(?:\[(\d+)\])?)?/.exec(path) ?? [];
  const section = sections.find((each) => each === name);
  const entry = section && manifest[section]?.[Number(index)];
  if (section === undefined || entry === undefined) return undefined;
  return { section, entry, member, item: item === undefined ? undefined : Number(item) };
}

function cutOut(
  entries: Record<string, unknown>[],
  { section, entry, member, item }: Cut,
  message: string,
  lose: (loss: Loss) => void,
): RefusedRecord | undefined {
  if (!entries.includes(entry)) return undefined;
  const object = `${nouns[section]} ${textOfJson(entry.slug ?? entry.client_id ?? entry.display_name ?? entry.name)}`;
  const value = member === undefined ? undefined : entry[member];
  if (member === undefined || needed.has(member) || value === undefined) {
    entries.splice(entries.indexOf(entry), 1);
    const what = member === undefined ? "" : `${member}: `;
    lose({ object, member: "", reason: `the ${nouns[section]} is not imported: ${what}${message}` });
    return { section, entry, object, reason: `${what}${message}` };
  }
  const isItem = Array.isArray(value) && item !== undefined;
  if (isItem) entry[member] = value.filter((_, place) => place !== item);
  else delete entry[member];
  lose({ object, member: isItem ? `${member}[${item}]` : member, reason: message });
  return undefined;
}
