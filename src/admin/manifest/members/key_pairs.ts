import { reason } from "../../../errors/field_errors.ts";
import type { ServiceAccountKeyPair } from "../../../records/definition/definition.ts";
import { publicView } from "../../../records/definition/view.ts";
import { isUuid } from "../../../records/formats/check.ts";
import { isObject, textOfJson } from "../../../records/names/json_shapes.ts";
import { assertValid, type Input } from "../../access/errors.ts";
import { differing } from "../../changes/changes.ts";
import type { ManifestMember, PreparedRow, Reading } from "../../manage/planned_record.ts";
import { draftKeyPair, draftKeyPairChange, keyPairWriting } from "../../records/key_pairs.ts";
import { pick } from "./entry.ts";

const part = {
  table: "service_account_key_pairs",
  column: "service_account_id",
  ...keyPairWriting,
} as const;

/** Returns the manifest field for a service account's key pairs; `columns` are those that a file may set. */
export function keyPairsMember(columns: readonly string[]): ManifestMember<readonly PreparedRow[]> {
  return {
    names: ["key_pairs"],
    part,

    async read({ key_pairs }, reading) {
      if (key_pairs === undefined) return undefined;
      const { id, path, current: account, context, collector } = reading;
      if (!Array.isArray(key_pairs)) {
        collector.add(`${path}.key_pairs`, reason("not_list"));
        return [];
      }
      const existing =
        account === undefined ? [] : await context.store.list(part.table, { service_account_id: id });
      const rows: PreparedRow[] = [];
      const keyIds = new Set<unknown>();
      for (const [index, pair] of key_pairs.entries()) {
        const below = `${path}.key_pairs[${index}]`;
        if (!isObject(pair)) {
          collector.add(below, reason("not_object"));
          continue;
        }
        for (const name of Object.keys(pair)) {
          if (!columns.includes(name)) collector.add(`${below}.${name}`, reason("unknown_field"));
        }
        const input = Object.fromEntries(Object.entries(pair).filter(([name]) => columns.includes(name)));
        const current = existing.find(({ key_id }) => key_id === input.key_id);
        if (keyIds.has(input.key_id)) collector.add(`${below}.key_id`, reason("key_id_repeated"));
        keyIds.add(input.key_id);
        rows.push(await planKeyPair(current, input, { ...reading, path: below }));
      }
      return rows;
    },

    compare: (rows) => ({
      prepare: () =>
        rows === undefined
          ? {}
          : { rows, named: rows.map(({ current, values }) => String((current ?? values).id)) },
    }),

    async exported(store, { id }) {
      const pairs = await store.list(part.table, { service_account_id: String(id) });
      const views = pairs.map((pair) => pick(publicView(part.table, pair), columns));
      return views.length > 0 ? views : undefined;
    },
  };
}

async function planKeyPair(
  current: ServiceAccountKeyPair | undefined,
  input: Input,
  { id, path, context, collector }: Reading,
): Promise<PreparedRow> {
  const { table } = part;
  const name = `key_pairs[${textOfJson(input.key_id)}]`;
  if (current === undefined) {
    const { errors: found, record } = draftKeyPair(context, id, input);
    collector.addBelow(path, found);
    if (isUuid(input.id) && (await context.store.find(table, { id: record.id })) !== undefined) {
      collector.add(`${path}.id`, reason("id_of_other_key_pair"));
    }
    return { table, part: name, current, values: record };
  }
  const { errors: found, record } = draftKeyPairChange(context, current, input);
  collector.addBelow(path, found);
  return {
    ...{ table, part: name, current, values: differing<typeof table>(current, record) },
    revise: async (row) => assertValid(table, draftKeyPairChange(context, row as never, input)),
  };
}
