import { reason } from "../../errors/field_errors.ts";
import { nameColumnOf } from "../../records/definition/natural_key.ts";
import { isUuid } from "../../records/formats/check.ts";
import { findByMailbox } from "../../records/names/email.ts";
import type { ManagementStore } from "../access/actor.ts";
import { type Input, nounOf } from "../access/errors.ts";
import type { ErrorCollector, Values } from "../manage/planned_record.ts";
import { whereKey, whereLoose } from "./identity.ts";
import { nameIn } from "./meaning.ts";
import type { Section } from "./sections.ts";

interface NamedEntry {
  readonly input: Input;
  readonly path: string;
  /** The record that had the entry's name in the last manifest. It is found even if users renamed it since. */
  readonly known: Values | undefined;
  readonly names: ReadonlySet<string | undefined>;
}

interface Finding {
  readonly store: Pick<ManagementStore, "find" | "list">;
  readonly collector: Pick<ErrorCollector, "add">;
}

/** Returns the stored record that the entry means; undefined if the entry creates one. */
export async function currentRecord(
  section: Section,
  entry: NamedEntry,
  { store, collector }: Finding,
): Promise<Values | undefined> {
  const { table } = section;
  const { input, path, known } = entry;
  const where = whereKey(table, input);
  const found = where === undefined ? await findLoosely() : await findByKey(where);
  if (found !== undefined) return found;
  return isUuid(input.id) ? find({ id: input.id.toLowerCase() }) : known;

  function find(wanted: Values): Promise<Values | undefined> {
    return store.find(table as "users", wanted as never) as Promise<Values | undefined>;
  }

  /**
   * An email address that only looks like the one in the entry belongs to another user, so it is an error.
   */
  async function findByKey(key: Values): Promise<Values | undefined> {
    if (nameColumnOf(table) !== "email") return find(key);
    const { meant, look_alike } = await findByMailbox(String(key.email), (email_key) =>
      store.find(table as "users", { email_key }),
    );
    if (look_alike !== undefined && look_alike.id !== input.id)
      collector.add(`${path}.email`, reason("taken"));
    return meant as Values | undefined;
  }

  async function findLoosely(): Promise<Values | undefined> {
    const loose = whereLoose(section, input);
    if (loose === undefined) return undefined;
    const rows = (await store.list(table, loose as never)) as Values[];
    const fitting = rows.filter((row) => !entry.names.has(nameIn(table, whereKey(table, row)) ?? ""));
    const made = fitting.find(({ id }) => id === known?.id);
    if (fitting.length > 1 && made === undefined) {
      const why = reason("ambiguous", { count: fitting.length, record: nounOf(table) });
      collector.add(`${path}.${nameColumnOf(table) ?? "id"}`, why);
    }
    return made ?? fitting[0];
  }
}
