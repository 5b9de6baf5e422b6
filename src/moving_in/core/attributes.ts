import type { Members } from "./members.ts";
import type { ImportMap } from "./moved.ts";

/** Returns the values of the unread fields for which `called` returns an attribute name. */
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
