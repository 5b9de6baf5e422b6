import type { RecordWords } from "../../web/words/en/records.ts";

export type FieldGroup = {
  legend?: keyof RecordWords["groups"] | undefined;
  folded?: boolean;
  names: readonly string[];
};

export type GroupedFields<F> = Omit<FieldGroup, "names"> & { fields: readonly F[] };

/** Returns the fields by group. Fields without a group come before the folded groups. */
export function groupedFields<F extends { name: string }>(
  groups: readonly FieldGroup[],
  fields: readonly F[],
): GroupedFields<F>[] {
  const named = groups.flatMap(({ names }) => names);
  const known = groups.map(({ names, ...group }) => ({
    ...group,
    fields: names.flatMap((name) => fields.filter((field) => field.name === name)),
  }));
  const rest = { fields: fields.filter(({ name }) => !named.includes(name)) };
  const open = known.filter(({ folded }) => !folded);
  const closed = known.filter(({ folded }) => folded);
  return [...open, rest, ...closed].filter((group) => group.fields.length > 0);
}
