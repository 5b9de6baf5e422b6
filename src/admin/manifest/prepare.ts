/** Does all slow work of a manifest before the transaction: hashing, encrypting and verifying secrets. */
import type { AdminContext } from "../access/actor.ts";
import { recallSecrets, type SecretMemory } from "../manage/manifest_memory.ts";
import type {
  Comparison,
  ManifestPart,
  PlannedRecord,
  PreparedMember,
  PreparedRow,
  Values,
} from "../manage/planned_record.ts";

export interface Prepared {
  readonly record: PlannedRecord;
  readonly state: "created" | "updated" | "unchanged";
  readonly rows: readonly PreparedRow[];
  readonly matching: readonly PreparedRow[];
  readonly dropped: readonly ManifestPart[];
  readonly named: readonly { readonly part: ManifestPart; readonly ids: readonly string[] }[];
  readonly hidden: readonly string[];
  readonly made: readonly (readonly [name: string, secret: string])[];
}

/** Keeps the hash workers busy without filling their queue. */
const preparedAtOnce = 8;

/** Returns the prepared records and the memory of verified secrets, to store for the next run. */
export async function prepareRecords(
  records: readonly PlannedRecord[],
  context: AdminContext,
  at: Date,
  onPrepared?: (done: number) => void,
): Promise<{ prepared: Prepared[]; memory: SecretMemory }> {
  const comparisons = await inBatches(records, (record) =>
    Promise.all(record.members.map(({ member, input }) => member.compare(input, record, context))),
  );
  const memory = await recallSecrets(
    context,
    comparisons.flat().flatMap(({ pairs = [] }) => pairs),
  );
  let done = 0;
  const prepared = await inBatches(records, async (record, index) => {
    const made = await prepare(record, comparisons[index] ?? [], memory, at, context);
    onPrepared?.(++done);
    return made;
  });
  return { prepared, memory };
}

async function inBatches<T, R>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const done: R[] = [];
  for (let from = 0; from < items.length; from += preparedAtOnce) {
    const batch = items.slice(from, from + preparedAtOnce);
    done.push(...(await Promise.all(batch.map((item, index) => work(item, from + index)))));
  }
  return done;
}

async function prepare(
  record: PlannedRecord,
  comparisons: readonly Comparison[],
  memory: SecretMemory,
  at: Date,
  context: AdminContext,
): Promise<Prepared> {
  const { table, current } = record;
  const members: (PreparedMember & { readonly part: ManifestPart | undefined })[] = [];
  for (const [index, comparison] of comparisons.entries()) {
    members.push({ ...(await comparison.prepare(memory, at)), part: record.members[index]?.member.part });
  }
  const values: Values = Object.assign({}, record.values, ...members.map((member) => member.values));
  const { revise } = record;
  const whole: PreparedRow = { table, current, values, revise: revise && revised, part: undefined };
  const dropped = members.flatMap((member) => (member.dropped && member.part ? [member.part] : []));
  const prepared = {
    record,
    dropped,
    named: members.flatMap(({ part, named: ids }) => (part && ids ? [{ part, ids }] : [])),
    hidden: members.flatMap((member) => member.hidden ?? []),
    made: members.flatMap((member) => (member.made === undefined ? [] : [member.made])),
  };
  return withRows(prepared, [whole, ...members.flatMap((member) => member.rows ?? [])]);

  async function revised(row: Values): Promise<Values> {
    const stated = await revise?.(row);
    const all = [stated];
    for (const [index, { member, input }] of record.members.entries()) {
      if (member.is_quick) {
        const again = await member.compare(
          input,
          { ...record, current: row, values: { ...stated } },
          context,
        );
        all.push((await again.prepare(memory, at)).values);
      } else all.push(members[index]?.values);
    }
    return Object.assign({}, ...all);
  }
}

/** Returns the record with `all` as its rows. */
export function withRows(
  prepared: Omit<Prepared, "state" | "rows" | "matching">,
  all: readonly PreparedRow[],
): Prepared {
  const { record, dropped } = prepared;
  const isWritten = ({ current, values }: PreparedRow) =>
    current === undefined || Object.keys(values).length > 0;
  const rows = all.filter(isWritten);
  const isChanging = rows.length + dropped.length > 0;
  return {
    ...prepared,
    state: record.current === undefined ? "created" : isChanging ? "updated" : "unchanged",
    rows,
    matching: all.filter((row) => !isWritten(row)),
  };
}
