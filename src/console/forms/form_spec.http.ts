/**
 * Describes the form of each resource type. What does not depend on a record or viewer is computed once, when
 * this file is loaded.
 */
import { platformFields } from "../../admin/guards/guards.ts";
import { givenFields, isRequired, type Resource } from "../../admin/manage/resource.ts";
import { resources } from "../../admin/resources/resources.ts";
import type { IdentityContext } from "../../people/core/context/context.ts";
import { type Field, mustBeGiven, tableMeant } from "../../records/definition/field.ts";
import type { Permission } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { columnOfMember, knownMembersOf } from "../../records/formats/known_members.ts";
import type { Switches } from "../../records/names/profiles.ts";
import { groupedFields } from "../fields/field_groups.view.ts";
import type { FieldControl, FieldShape } from "../fields/fields.view.ts";
import { presentations } from "../presentations/presentations.http.ts";
import { suggestionsFor } from "./natural_names.http.ts";
import { isRoleList, offeredRoleHelp } from "./offered_roles.http.ts";

export interface FormField
  extends FieldShape,
    Pick<
      FieldControl,
      "many_of" | "one_of" | "grid" | "spelled" | "help" | "suggestions" | "titled" | "value_type"
    > {
  readonly nullable: boolean;
  readonly refers_to?: string | undefined;
  readonly initial?: unknown;
  /** The JSON column that contains the field (`records/formats/known_members.ts`), if any. */
  readonly member_of?: string | undefined;
  /** The value that applies if the JSON column does not contain the field. */
  readonly absent?: unknown;
  /** The field of the record that this form field replaces, such as `user_id` for `email`. */
  readonly asks?: string | undefined;
}

interface FormSpec {
  readonly fields: readonly FormField[];
  readonly platform: readonly string[];
}

const specs: ReadonlyMap<Resource["resourceType"], Readonly<Record<"create" | "update", FormSpec>>> = new Map(
  resources.map((resource) => [
    resource.resourceType,
    { create: specOf(resource, "create"), update: specOf(resource, "update") },
  ]),
);

function specOf(resource: Resource, verb: "create" | "update"): FormSpec {
  const { groups = [], order = [], unasked = [], kept = [] } = presentations[resource.resourceType];
  const left = new Set(["id", ...unasked, ...(verb === "update" ? kept : [])]);
  const fields = givenFields(resource, verb)
    .flatMap(([name, field]) => [
      [name, field] as const,
      ...Object.entries(knownMembersOf(resource.table, name)),
    ])
    .filter(([name]) => !left.has(name))
    .map(([name, field]) => formField(resource, verb, name, field));
  return {
    fields: groupedFields([...groups, { names: order }], fields).flatMap((group) => group.fields),
    platform: platformFields(resource.table, verb),
  };
}

function formField(resource: Resource, verb: "create" | "update", name: string, field: Field): FormField {
  const {
    usual,
    spelled,
    left_open,
    help,
    help_of_new,
    asked_by = {},
    needed = [],
  } = presentations[resource.resourceType];
  const member_of = name.includes(".") ? columnOfMember(name) : undefined;
  const initial = verb === "create" && !left_open?.includes(name) ? field.default : undefined;
  const isChosen = field.values !== undefined && initial !== undefined && initial !== null;
  const isOneValue = field.kind !== "bool" && field.kind !== "json";
  // A required field must not be emptied. A secret is an exception: its control is empty because it is never
  // shown, and leaving it empty keeps it.
  const isKept = field.required && isOneValue && !field.sensitive;
  const table = tableMeant(field);
  const asks = Object.keys(asked_by).find((asked) => asked_by[asked] === name);
  const isNeeded = asks !== undefined || needed.includes(name) || isRequired(resource, name, field);
  return {
    ...field,
    name,
    asks,
    required: verb === "create" ? isNeeded || isChosen : isKept,
    nullable: !field.required,
    refers_to: field.references?.table ?? field.ids_of,
    suggestions: table && suggestionsFor(table),
    one_of: usual?.[name],
    spelled: spelled?.[name],
    initial,
    member_of,
    absent: member_of === undefined ? undefined : field.default,
    help: (verb === "create" ? help_of_new?.[name] : undefined) ?? help?.[name],
  };
}

interface FormContext {
  readonly chosen_value?: string | undefined;
  readonly offered?: Readonly<Record<string, readonly string[]>>;
  readonly givable?: ReadonlySet<Permission> | undefined;
}

/**
 * Returns the fields of the form for a new record or, with `view`, for changing one. For the viewer's own
 * record (`own_id`), adds the proofs that some changes require.
 */
export function formFields(
  { resourceType }: Resource,
  is_platform_admin: boolean,
  view?: PublicView,
  own_id?: string,
  { chosen_value, offered = {}, givable }: FormContext = {},
): FormField[] {
  const { chosen, proofs = {}, granted, platform_help = {}, reserved } = presentations[resourceType];
  const chosen_in = chosen_value ?? (chosen && view?.[chosen.field]);
  const { fields = [], platform = [] } =
    specs.get(resourceType)?.[view === undefined ? "create" : "update"] ?? {};
  const left = new Set([
    ...(is_platform_admin ? [] : platform),
    ...(view === undefined ? [] : destructiveFields(resourceType, view)),
    ...(chosen === undefined || chosen_in === undefined ? [] : chosen.unfit(String(chosen_in))),
  ]);
  if (view !== undefined && view.id === own_id) {
    for (const [name, proof] of Object.entries(proofs)) if (!left.has(name)) left.delete(proof);
  }
  const added: Record<string, Partial<FormField>> = {};
  const add = (name: string, more: Partial<FormField>) => {
    added[name] = { ...added[name], ...more };
  };
  if (is_platform_admin) for (const [name, help] of Object.entries(platform_help)) add(name, { help });
  for (const [name, many_of] of Object.entries(offered)) {
    add(name, { many_of, ...(isRoleList(name) && { help: offeredRoleHelp[name] }) });
  }
  if (chosen !== undefined && chosen_value !== undefined) {
    for (const [name, initial] of Object.entries(chosen.initial(chosen_value))) add(name, { initial });
    add(chosen.field, { values: [chosen_value], initial: chosen_value });
  }
  if (granted !== undefined && givable !== undefined) {
    const { field, prefix, folded } = granted;
    const offered = [...givable].map((permission) => `${prefix}${permission}`);
    add(field, { grid: { prefix, offered, folded } });
  }
  for (const name of chosen?.needed?.(String(chosen_in)) ?? []) add(name, { required: true });
  if (reserved !== undefined && !is_platform_admin) {
    for (const [name, help] of Object.entries(reserved.help ?? {})) add(name, { help });
    const record = view ?? (chosen === undefined ? {} : { [chosen.field]: chosen_value });
    for (const { name, kind, values = kind === "bool" ? [false, true] : [] } of fields) {
      const offered = values.filter((value) => value === view?.[name] || !reserved.is(name, value, record));
      if (offered.length === values.length) continue;
      // A choice of one value is none.
      if (offered.length === 1) left.add(name);
      else add(name, { values: offered.map(String) });
    }
  }
  return fields.flatMap((field) => {
    const more = added[field.name];
    return left.has(field.name) ? [] : more === undefined ? field : { ...field, ...more };
  });
}

/** Returns the options that the server's settings allow, by list field. */
export function offeredIn(
  { resourceType }: Resource,
  switches: Switches,
): NonNullable<FormContext["offered"]> {
  const { offered = {} } = presentations[resourceType];
  return Object.fromEntries(Object.entries(offered).map(([name, of]) => [name, of(switches)]));
}

/** Returns the fields with the help texts of `help_where`. */
export function withHelp(
  { resourceType }: Resource,
  fields: readonly FormField[],
  { settings = {} }: Pick<IdentityContext, "settings">,
  view?: PublicView,
  chosen_value?: string,
): readonly FormField[] {
  const { chosen, help_where } = presentations[resourceType];
  const began = chosen_value === undefined ? {} : chosen?.initial(chosen_value);
  const helps = help_where?.(view ?? began ?? {}, chosen_value, settings) ?? {};
  return fields.map((field) => ({ ...field, help: helps[field.name] ?? field.help }));
}

function destructiveFields(resourceType: Resource["resourceType"], view: PublicView): string[] {
  const { destructive = [] } = presentations[resourceType];
  return destructive.flatMap((change) =>
    change.while === undefined || view[change.field] === change.while
      ? [change.field, ...(change.with ?? [])]
      : [],
  );
}

/** Returns the fields of a confirmation page. */
export function confirmedFields(resource: Resource, names: readonly string[]): FormField[] {
  const input = new Map(givenFields(resource, "update"));
  return names.flatMap((name) => {
    const field = input.get(name);
    if (field === undefined) return [];
    const requested = formField(resource, "update", name, field);
    return [{ ...requested, required: requested.required || requested.sensitive === true }];
  });
}

export function removalFields(resource: Resource): FormField[] {
  return givenFields(resource, "remove").map(([name, field]) => ({
    ...formField(resource, "update", name, field),
    required: mustBeGiven(field),
    nullable: false,
  }));
}
