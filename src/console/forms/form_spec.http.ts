/** The fields of a resource type as pages take them: shown, or asked for by a form. */
import { platformFields } from "../../admin/guards/guards.ts";
import { givenFields, isRequired, type Resource } from "../../admin/manage/resource.ts";
import { type Field, mustBeGiven } from "../../records/definition/field.ts";
import type { Permission } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { columnOfMember, knownMembersOf } from "../../records/formats/known_members.ts";
import type { Switches } from "../../records/names/profiles.ts";
import type { FieldHelp } from "../../web/words/en/field_help.ts";
import { groupedFields } from "../fields/field_groups.view.ts";
import type { FieldShape } from "../fields/fields.view.ts";
import type { Presentation } from "../presentations/presentation.http.ts";
import { presentations } from "../presentations/presentations.http.ts";

/** A field of a form. */
export interface FormField extends FieldShape {
  readonly many_of?: readonly string[] | undefined;
  readonly one_of?: readonly string[] | undefined;
  readonly grid?: { readonly prefix: string; readonly offered: readonly string[] } | undefined;
  readonly spelled?: Readonly<Record<string, string>> | undefined;
  /** It may be emptied. */
  readonly nullable: boolean;
  readonly help?: keyof FieldHelp | undefined;
  /** The value of a new record for which no other is given. */
  readonly initial?: unknown;
  /** The column of which it is a member (`records/formats/known_members.ts`). */
  readonly member_of?: string | undefined;
  /** What it means that the column lacks the member. */
  readonly absent?: unknown;
}

/**
 * The fields of the form for a new record, or with `view` of the one that changes a record. Every field that
 * may be given (docs/api.md) but those that the presentation leaves out, in the order of its groups. Left out
 * are also fields of platform administrators alone for everybody else, and changes with a page of their own.
 * `own_id` is the viewer's: some changes of one's own record take a proof. `chosen_value` is what was chosen
 * before the form, `switches` the settings of the server, `givable` the permissions that a grid offers.
 */
export function formFields(
  resource: Resource,
  is_platform_admin: boolean,
  view?: PublicView,
  own_id?: string,
  {
    chosen_value,
    switches = {},
    givable,
  }: {
    readonly chosen_value?: string | undefined;
    readonly switches?: Switches;
    readonly givable?: ReadonlySet<Permission> | undefined;
  } = {},
): FormField[] {
  const {
    chosen,
    groups = [],
    order = [],
    unasked = [],
    kept = [],
    proofs = {},
    granted,
    help_where,
  } = presentations[resource.resourceType];
  const verb = view === undefined ? "create" : "update";
  const left = new Set([
    "id",
    ...unasked,
    ...(is_platform_admin ? [] : platformFields(resource.table, verb)),
    ...(view === undefined ? [] : [...kept, ...destructiveFields(resource, view)]),
    ...(chosen?.unfit(chosen_value ?? String(view?.[chosen.field])) ?? []),
  ]);
  if (view !== undefined && view.id === own_id) {
    for (const [name, proof] of Object.entries(proofs)) if (!left.has(name)) left.delete(proof);
  }
  const began = chosen_value === undefined ? {} : chosen?.initial(chosen_value);
  const helps: Readonly<Record<string, keyof FieldHelp>> =
    help_where?.(view ?? began ?? {}, chosen_value) ?? {};
  const fields = givenFields(resource, verb)
    .flatMap(([name, field]) => [
      [name, field] as const,
      ...Object.entries(knownMembersOf(resource.table, name)),
    ])
    .filter(([name]) => !left.has(name))
    .map(([name, field]) => formField(resource, verb, name, field, switches))
    .map((field) => (chosen_value === undefined ? field : withChosen(field, chosen, chosen_value)))
    .map((field) => ({ ...field, help: helps[field.name] ?? field.help }))
    .map((field) => (givable === undefined ? field : withGrid(field, granted, givable)));
  return groupedFields([...groups, { names: order }], fields).flatMap((group) => group.fields);
}

/** The field as it stands once its value, or that of another field, was chosen. */
function withChosen(field: FormField, chosen: Presentation["chosen"], value: string): FormField {
  const { name } = field;
  if (name === chosen?.field) return { ...field, values: [value], initial: value };
  const initial = chosen?.initial(value) ?? {};
  return Object.hasOwn(initial, name) ? { ...field, initial: initial[name] } : field;
}

/** The field with the permissions that its grid offers, where it has one. */
function withGrid(
  field: FormField,
  granted: Presentation["granted"],
  givable: ReadonlySet<Permission>,
): FormField {
  if (granted === undefined || granted.field !== field.name) return field;
  const { prefix } = granted;
  return { ...field, grid: { prefix, offered: [...givable].map((permission) => `${prefix}${permission}`) } };
}

/** The fields that are changed on a page of their own as the record stands. */
function destructiveFields({ resourceType }: Resource, view: PublicView): string[] {
  const { destructive = [] } = presentations[resourceType];
  return destructive.flatMap((change) =>
    change.while === undefined || view[change.field] === change.while
      ? [change.field, ...(change.with ?? [])]
      : [],
  );
}

function formField(
  resource: Resource,
  verb: "create" | "update",
  name: string,
  field: Field,
  switches: Switches = {},
): FormField {
  const { offered, usual, spelled, left_open, help, help_of_new } = presentations[resource.resourceType];
  const member_of = name.includes(".") ? columnOfMember(name) : undefined;
  const initial = verb === "create" && !left_open?.includes(name) ? field.default : undefined;
  const isChosen = field.values !== undefined && initial !== undefined && initial !== null;
  const isOneValue = field.kind !== "bool" && field.kind !== "json";
  // A secret is never shown, so that an empty control means the one there is.
  const isKept = field.required && isOneValue && !field.sensitive;
  return {
    ...field,
    name,
    required: verb === "create" ? isRequired(resource, name, field) || isChosen : isKept,
    nullable: !field.required,
    many_of: offered?.[name]?.(switches),
    one_of: usual?.[name],
    spelled: spelled?.[name],
    initial,
    member_of,
    absent: member_of === undefined ? undefined : field.default,
    help: (verb === "create" ? help_of_new?.[name] : undefined) ?? help?.[name],
  };
}

/** The fields of a page that confirms one change: `names` of those that may be given then. */
export function confirmedFields(resource: Resource, names: readonly string[]): FormField[] {
  const given = new Map(givenFields(resource, "update"));
  return names.flatMap((name) => {
    const field = given.get(name);
    if (field === undefined) return [];
    const asked = formField(resource, "update", name, field);
    return [{ ...asked, required: asked.required || asked.sensitive === true }];
  });
}

/** The fields of a page that confirms a deletion. */
export function removalFields(resource: Resource): FormField[] {
  return givenFields(resource, "remove").map(([name, field]) => ({
    ...field,
    name,
    required: mustBeGiven(field),
    nullable: false,
  }));
}
