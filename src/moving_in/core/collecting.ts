import { isObject } from "../../records/names/json_shapes.ts";
import type { Found } from "./import_fault.ts";
import type { Entry, ImportMap, Loss, MovedPerson } from "./moved.ts";
import type { Source } from "./source.ts";

/** The entries of a manifest, by section. */
export interface Records {
  readonly organizations: Entry[];
  readonly roles: Entry[];
  readonly groups: Entry[];
  readonly providers: Entry[];
  readonly apps: Entry[];
}

export interface ReadExport {
  readonly records: Records;
  readonly people: number;
  /**
   * Number of users who cannot be imported, because the email address or the identifier is missing or
   * invalid.
   */
  readonly omitted: number;
}

/**
 * Returns the user as a member of the organization. Memberships from another Postern server have not been
 * validated, so they may have any type.
 */
export function asMember(person: MovedPerson, organization: string | undefined): MovedPerson {
  const memberships = [person.memberships ?? []].flat();
  const isMember = memberships.some((each) => isObject(each) && each.organization === organization);
  if (organization === undefined || isMember) return person;
  return { ...person, memberships: [...memberships, { organization, role: "member" }] };
}

/**
 * Reads an export, and makes its users members of the organization that the map names. Users of another
 * Postern server become members later, by the ID of the organization (MG-12). Calls `each` twice if the
 * source reads outermost objects (`document`).
 */
export async function collect(
  source: Source,
  map: ImportMap,
  each: (take: (found: Found) => unknown) => Promise<void>,
  on: { readonly person: (moved: MovedPerson) => void; readonly lose: (loss: Loss) => void },
): Promise<ReadExport> {
  const records: Records = { organizations: [], roles: [], groups: [], providers: [], apps: [] };
  let people = 0;
  let omitted = 0;
  const reading = source.begin(
    {
      person(moved) {
        people += 1;
        on.person(source.of_postern ? moved : asMember(moved, map.organization));
      },
      omit(object, reason) {
        omitted += 1;
        on.lose({ object, member: "", reason: `the user is not imported: ${reason}` });
      },
      organization: (entry) => records.organizations.push(entry),
      role: (entry) => records.roles.push(entry),
      group: (entry) => records.groups.push(entry),
      provider: (entry) => records.providers.push(entry),
      app: (entry) => records.apps.push(entry),
      lose: on.lose,
    },
    map,
  );
  const isWhole = source.arrays.length === 0;
  const isDocument = ({ is_document }: Found) => is_document && !isWhole;
  if (reading.document !== undefined)
    await each((found) => (isWhole || isDocument(found)) && reading.document?.(found.value()));
  await each((found) => {
    if (!isDocument(found)) reading.element(found.value(), found.at);
  });
  reading.end?.();
  return { records, people, omitted };
}
