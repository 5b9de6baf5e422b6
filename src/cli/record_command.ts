/** `create`, `list`, `get`, `update` and `delete` of one kind of record. */
import type { Command } from "commander";
import type { AdminContext } from "../admin/actor.ts";
import type { Page, PageOptions } from "../admin/pages.ts";
import { Problem } from "../errors.ts";
import type { Row, TableName } from "../records/definition.ts";
import { publicView } from "../records/view.ts";
import { withContext } from "./environment.ts";
import {
  addColumnOptions,
  addReferenceOptions,
  inputOf,
  optionName,
  type ReferenceOption,
  referenceValue,
} from "./record_options.ts";
import { type Options, print, shown, type Terminal, table, WrongUsage } from "./terminal.ts";

type Input = Readonly<Record<string, unknown>>;

/** What the commands call; loaded when one of them runs. */
export interface Operations<T extends TableName> {
  /** `once` is what is shown now and never again. */
  create(context: AdminContext, input: Input): Promise<{ row: Row<T>; once?: Input }>;
  list(context: AdminContext, of: Input, page: PageOptions): Promise<Page<Row<T>>>;
  get(context: AdminContext, name: string): Promise<Row<T>>;
  /** Records of its own that are shown with it, as they may be shown. */
  parts?(context: AdminContext, row: Row<T>): Promise<Input>;
  update(context: AdminContext, name: string, input: Input): Promise<Row<T>>;
  remove(context: AdminContext, name: string, options: Options): Promise<void>;
}

export interface RecordCommand<T extends TableName> {
  readonly name: string;
  readonly noun: string;
  readonly table: T;
  /** What a record is named by on the command line, such as `email`. */
  readonly argument: string;
  readonly references: readonly ReferenceOption[];
  /** Columns of `list`. */
  readonly columns: readonly string[];
  readonly operations: () => Promise<Operations<T>>;
  /** Adds options of its own to `create` and `update`. */
  readonly ownOptions?: (command: Command, verb: "create" | "update") => void;
  /** What the own options add to the input. */
  readonly ownInput?: (options: Options, terminal: Terminal) => Promise<Input>;
  readonly deleteOptions?: (command: Command) => void;
}

/** Adds the command with its five verbs and answers it, so that more can be added. */
export function recordCommand<T extends TableName>(
  program: Command,
  terminal: Terminal,
  record: RecordCommand<T>,
): Command {
  const { name, noun, argument, references } = record;
  const group = program.command(name).description(`create, list, show, change and delete ${noun}s`);
  const run =
    (work: (context: AdminContext, operations: Operations<T>, options: Options) => Promise<void>) =>
    async (options: Options) => {
      const operations = await record.operations();
      await withContext(terminal, options, (context) => work(context, operations, options));
    };
  const gather = async (context: AdminContext, options: Options) => ({
    ...inputOf(record.table, options, await resolved(context, references, options)),
    ...(await record.ownInput?.(options, terminal)),
  });
  const view = async (context: AdminContext, { parts }: Operations<T>, row: Row<T>) => ({
    ...publicView(record.table, row),
    ...(await parts?.(context, row)),
  });

  const create = group.command("create").description(`create a ${noun}`);
  addColumnOptions(create, record.table);
  addReferenceOptions(create, references);
  record.ownOptions?.(create, "create");
  create.action((_, command: Command) =>
    run(async (context, operations, options) => {
      const input = await gather(context, options);
      const { row, once } = await underOptions(references, operations.create(context, input));
      const answer = { ...(await view(context, operations, row)), ...once };
      if (once !== undefined)
        terminal.err(`Keep the ${Object.keys(once).join(" and ")}: it is not shown again.\n`);
      print(terminal, options, answer, lines(answer));
    })(command.optsWithGlobals()),
  );

  const list = group
    .command("list")
    .description(`list ${noun}s`)
    .option("--limit <number>", "how many at most, 1 to 200", "50")
    .option("--cursor <cursor>", "next_cursor of the page before");
  addReferenceOptions(list, references);
  list.action((_, command: Command) =>
    run(async (context, { list: listed }, options) => {
      const of = await resolved(context, references, options);
      const cursor = typeof options.cursor === "string" ? options.cursor : undefined;
      const { data, next_cursor } = await listed(context, of, { limit: Number(options.limit), cursor });
      const views = data.map((row) => publicView(record.table, row));
      const rows = views.map((each) => record.columns.map((column) => shown(each[column])));
      print(terminal, options, { data: views, next_cursor }, table([[...record.columns], ...rows]));
      if (next_cursor !== null) terminal.err(`There are more: --cursor ${next_cursor}\n`);
    })(command.optsWithGlobals()),
  );

  group
    .command("get")
    .description(`show a ${noun}`)
    .argument(`<${argument}>`)
    .action((ref: string, _, command: Command) =>
      run(async (context, operations, options) => {
        const answer = await view(context, operations, await operations.get(context, ref));
        print(terminal, options, answer, lines(answer));
      })(command.optsWithGlobals()),
    );

  const update = group.command("update").description(`change a ${noun}`).argument(`<${argument}>`);
  addColumnOptions(update, record.table, { change: true });
  addReferenceOptions(update, references);
  record.ownOptions?.(update, "update");
  update.action((ref: string, _, command: Command) =>
    run(async (context, operations, options) => {
      const input = await gather(context, options);
      if (Object.keys(input).length === 0) throw new WrongUsage("nothing to change was given");
      const row = await underOptions(references, operations.update(context, ref, input));
      const answer = await view(context, operations, row);
      print(terminal, options, answer, lines(answer));
    })(command.optsWithGlobals()),
  );

  const remove = group.command("delete").description(`delete a ${noun}`).argument(`<${argument}>`);
  record.deleteOptions?.(remove);
  remove.action((ref: string, _, command: Command) =>
    run(async (context, operations, options) => {
      await operations.remove(context, ref, options);
      print(terminal, options, { deleted: ref }, `deleted ${shown(ref)}`);
    })(command.optsWithGlobals()),
  );
  return group;
}

/** Ids of the records that the reference options name, by column. Throws 404 `not_found`. */
async function resolved(
  context: AdminContext,
  references: readonly ReferenceOption[],
  options: Options,
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {};
  for (const reference of references) {
    const name = referenceValue(options, reference);
    if (name === undefined) continue;
    if (reference.to === "users") {
      const { getUser } = await import("../admin/users.ts");
      ids[reference.column] = (await getUser(context, name)).id;
    } else {
      const { getOrganization } = await import("../admin/organizations.ts");
      ids[reference.column] = (await getOrganization(context, name)).id;
    }
  }
  return ids;
}

/** Does the work; faults come back under the names of the options that the values came from. */
async function underOptions<R>(references: readonly ReferenceOption[], work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const errors = error.errors.map(({ path, message }) => {
      const [column = "", ...deeper] = path.split("/").slice(1);
      const name = references.find((reference) => reference.column === column)?.name ?? column;
      return { path: [optionName(name), ...deeper].join(" "), message };
    });
    throw new Problem(error.status, error.code, error.message, errors);
  }
}

/** One line for each member. */
function lines(answer: Input): string {
  return table(Object.entries(answer).map(([name, value]) => [name, shown(value)]));
}
