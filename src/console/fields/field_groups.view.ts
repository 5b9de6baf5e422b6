import type { RecordWords } from "../../web/words/en/records.ts";

/** Fields that are shown together on a record's page and in its forms. */
export type FieldGroup = {
  /** Absent for those that are in no group. */
  legend?: keyof RecordWords["groups"] | undefined;
  /** Few need them: a form folds them away. */
  folded?: boolean;
  names: readonly string[];
};

export type GroupedFields<F> = Omit<FieldGroup, "names"> & { fields: readonly F[] };

/**
 * The fields by group, in the order of the groups and, within one, of its names. Fields without a group come
 * before the folded ones; groups without a field are left out.
 */
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
