/** Options such as `--add-redirect-uri` and `--remove-redirect-uri` change single values of a list. */
import { type Command, Option } from "commander";
import { givenFields, type Resource } from "../../admin/manage/resource.ts";
import { memberOf } from "../../admin/manifest/members/entry.ts";
import { fieldsOf } from "../../records/definition/definition.ts";
import type { Field } from "../../records/definition/field.ts";
import { singularOf } from "../../records/definition/permissions.ts";
import { type Options, WrongUsage } from "../core/terminal.ts";
import type { ListChange } from "../server/server.ts";
import { attributeOf, optionName, valuesIn } from "./typed_values.ts";

const changes = ["add", "remove"] as const;

function listsOf(resource: Resource): { name: string; option: string; field: Field }[] {
  const own = fieldsOf(resource.table);
  return givenFields(resource, "update").flatMap(([name, field]) =>
    field.shape === "strings" && Object.hasOwn(own, name)
      ? [{ name, option: optionName(resource.table, name), field }]
      : [],
  );
}

function changeOption(change: (typeof changes)[number], resource: Resource, name: string): string {
  const one = singularOf(memberOf(resource.table, name)).replaceAll("_", "-");
  return `--${change}-${one}`;
}

export function addListOptions(command: Command, resource: Resource): void {
  for (const { name, option, field } of listsOf(resource)) {
    for (const change of changes) {
      const meaning = `${change} one value ${change === "add" ? "to" : "from"} the list that \`${option}\` replaces; repeatable`;
      command.addOption(
        new Option(`${changeOption(change, resource, name)} <text>`, meaning)
          .argParser((value, before: readonly string[] = []) => [...before, ...valuesIn(field, value)])
          .helpGroup("List changes:"),
      );
    }
  }
}

/**
 * Returns the list changes in the options, by field. Throws `WrongUsage` for a list that is also replaced as
 * a whole or cleared.
 */
export function listChangesOf(resource: Resource, options: Options): Record<string, ListChange> {
  const changed: Record<string, ListChange> = {};
  for (const { name, option } of listsOf(resource)) {
    const [add = [], remove = []] = changes.map(
      (change) => options[attributeOf(changeOption(change, resource, name))] as string[] | undefined,
    );
    if (add.length + remove.length === 0) continue;
    const isCleared = Array.isArray(options.clear) && options.clear.includes(name);
    if (options[attributeOf(option)] !== undefined || isCleared) {
      throw new WrongUsage(
        `${option} replaces the whole list and cannot be combined with adding or removing values`,
      );
    }
    changed[name] = { add, remove };
  }
  return changed;
}
