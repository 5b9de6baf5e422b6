import type { Members } from "./members.ts";
import type { ImportMap } from "./moved.ts";

/**
 * Returns the values of the fields that have not been read yet, keyed by attribute name. `called` returns the
 * attribute of a field; fields without one remain unread.
 */
export const attributesOf = (
  members: Members | undefined,
  called: (name: string) => string | undefined,
): Record<string, string | readonly string[] | undefined> =>
  Object.fromEntries(
    (members?.unread() ?? []).flatMap((name) => {
      const attribute = called(name);
      return members === undefined || attribute === undefined ? [] : [[attribute, members.value(name)]];
    }),
  );

export const columnOf = ({ columns }: Pick<ImportMap, "columns">, name: string): string | undefined =>
  Object.hasOwn(columns, name) ? columns[name] : undefined;
