import type { Command } from "commander";
import { type OwnVerb, ownVerbsOf, type Resource, spelledVerb } from "../../admin/manage/resource.ts";
import { nameColumnOf, nameWithinOwnerOf } from "../../records/definition/natural_key.ts";
import type { ResourceType } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { withArticle } from "../../web/words/en/record_nouns.ts";
import { recordText } from "../core/record_text.ts";
import { listTable } from "../core/table.ts";
import { type Options, print, shown, type Terminal, WrongUsage } from "../core/terminal.ts";
import type { Input, Server } from "../server/server.ts";
import { withServer } from "../server/with_server.ts";
import { addYesOption, confirmEnding } from "./confirm_ending.ts";
import { addListOptions, listChangesOf } from "./list_options.ts";
import { argumentsOf, idOfArguments } from "./record_names.ts";
import { addFilterOptions, addInputOptions, inputOf, optionsOf, queryOf } from "./record_options.ts";

export interface RecordCommand {
  readonly name: string;
  readonly resourceType: ResourceType;
  readonly own?: readonly string[];
  readonly ownOptions?: (command: Command, verb: "create" | "update") => void;
  readonly ownInput?: (options: Options, terminal: Terminal) => Promise<Input>;
  /** Names for secret values that are shown only once, keyed by their names in the management API. */
  readonly onceNames?: Readonly<Record<string, string>>;
  /** For verbs whose result is another record: shows that record, and throws if it reports a failure. */
  readonly outcomes?: {
    readonly [V in OwnVerb]?: (
      records: Server,
      id: string,
      show: (view: PublicView) => void,
    ) => Promise<void>;
  };
  readonly onEmpty?: (options: Options) => void;
  /** Records that are shown together with a record, because they refer to it in the field that `by` names. */
  readonly parts?: Readonly<Record<string, { readonly resourceType: ResourceType; readonly by: string }>>;
}

interface Changes {
  readonly input: Awaited<ReturnType<typeof inputOf>>;
  readonly lists: ReturnType<typeof listChangesOf>;
}

export async function recordCommand(
  program: Command,
  terminal: Terminal,
  record: RecordCommand,
): Promise<Command> {
  const [{ resourceOf }, { referencesOf }] = await Promise.all([
    import("../../admin/resources/resources.ts"),
    import("../../admin/resources/include.ts"),
  ]);
  const resource = resourceOf(record.resourceType);
  const { noun, columns = [] } = resource;
  const one = withArticle(noun);
  const many = `${noun}s`.replace(/([^aeiou])ys$/, "$1ies");
  const takesRecord = (command: Command) => {
    for (const argument of argumentsOf(resource.table)) command.argument(argument);
    return command;
  };
  const named = optionsOf(resource);
  const own = record.own ?? [];
  const group = program.command(record.name).description(`${many}: ${verbsOf(resource).join(", ")}`);

  const run =
    (work: (records: Server, options: Options) => Promise<void>) =>
    (command: Command): Promise<void> => {
      const options: Options = command.optsWithGlobals();
      return withServer(terminal, options, (records) => work(records, options), { named });
    };
  const onRecord =
    <Checked = unknown>(
      work: (records: Server, id: string, options: Options, name: string, checked: Checked) => Promise<void>,
      /** Checks the options before the record is looked up, so that wrong usage is reported first. */
      check?: (records: Server, options: Options) => Promise<Checked>,
    ) =>
    (...values: unknown[]) => {
      const names = values.slice(0, -2).filter((name) => name !== undefined) as string[];
      return run(async (records, options) => {
        const checked = (await check?.(records, options)) as Checked;
        await work(records, await idOfArguments(records, resource, names), options, names.join(" "), checked);
      })(values.at(-1) as Command);
    };
  const show = (options: Options, view: PublicView) =>
    print(terminal, options, view, recordText(view, terminal.screen));

  const list = group.command("list").description(`list ${many}`);
  addFilterOptions(list, resource);
  list.action((_: unknown, command: Command) =>
    run(async (records, options) => {
      const query = await queryOf(records, resource, options);
      const references = options.json
        ? []
        : referencesOf(resource).flatMap(({ name, column, to: { table } }) => {
            const label = nameColumnOf(table) ?? nameWithinOwnerOf(table);
            return label === undefined || !columns.includes(column) ? [] : [{ name, column, label }];
          });
      const include = references.map(({ name }) => name).join(",");
      const page = await records.list(resource, { ...query, ...(include !== "" && { include }) });
      const { data, next_cursor, previous_cursor, total, total_is_more } = page;
      const nameIn = (view: PublicView, column: string): unknown => {
        const { name, label } = references.find((each) => each.column === column) ?? {};
        const included = view.included as Readonly<Record<string, PublicView | null>> | undefined;
        return (name && label && included?.[name]?.[label]) || view[column];
      };
      const rows = data.map((each) => columns.map((column) => shown(nameIn(each, column))));
      const heading = columns.map((each) => references.find(({ column }) => column === each)?.name ?? each);
      print(terminal, options, page, listTable(heading, rows, terminal.screen));
      if (data.length === 0) record.onEmpty?.(options);
      if (total !== undefined) terminal.err(`Total: ${total_is_more ? "more than " : ""}${total}\n`);
      if (previous_cursor !== null) terminal.err(`Previous page: --cursor ${previous_cursor}\n`);
      if (next_cursor !== null) terminal.err(`Next page: --cursor ${next_cursor}\n`);
    })(command),
  );

  takesRecord(group.command("get").description(`show ${one}`)).action(
    onRecord(async (records, id, options) => {
      const view = await records.get(resource, id);
      show(options, { ...view, ...(await partsOf(records, resourceOf, record, id)) });
    }),
  );

  if (resource.create !== undefined) {
    const create = group.command("create").description(`create ${one}`);
    addInputOptions(create, resource, "create", own);
    record.ownOptions?.(create, "create");
    create.action((_: unknown, command: Command) =>
      run(async (records, options) => {
        const input = {
          ...(await inputOf(records, resource, options, terminal, "create", own)),
          ...(await record.ownInput?.(options, terminal)),
        };
        const { record: view, once } = await records.create(resource, input);
        const secrets = Object.fromEntries(
          Object.entries(once).map(([name, value]) => [record.onceNames?.[name] ?? name, value]),
        );
        if (Object.keys(secrets).length > 0)
          terminal.err(`Copy the ${Object.keys(secrets).join(" and ")} now: it is not shown again.\n`);
        const parts = await partsOf(records, resourceOf, record, String(view.id));
        const { id: made, ...rest } = view;
        show(options, { id: made, ...secrets, ...rest, ...parts });
      })(command),
    );
  }

  if (resource.update !== undefined) {
    const update = takesRecord(group.command("update").description(`change ${one}`));
    addInputOptions(update, resource, "update", own);
    record.ownOptions?.(update, "update");
    addListOptions(update, resource);
    update.action(
      onRecord(
        async (records, id, options, _, { input, lists }: Changes) => {
          const view = await records.patch(resource, id, input, lists);
          show(options, { ...view, ...(await partsOf(records, resourceOf, record, id)) });
        },
        async (records, options) => {
          const input = {
            ...(await inputOf(records, resource, options, terminal, "update", own)),
            ...(await record.ownInput?.(options, terminal)),
          };
          const lists = listChangesOf(resource, options);
          if (Object.keys({ ...input, ...lists }).length === 0)
            throw new WrongUsage("nothing to change: name at least one field");
          return { input, lists };
        },
      ),
    );
  }

  if (resource.remove !== undefined) {
    const remove = takesRecord(group.command("delete").description(`delete ${one}`));
    addInputOptions(remove, resource, "remove");
    addYesOption(remove);
    remove.action(
      onRecord(async (records, id, options, name) => {
        const values = await inputOf(records, resource, options, terminal, "remove");
        await confirmEnding(terminal, options, records, { verb: "delete", resource, id, name });
        await records.remove(resource, id, values);
        print(terminal, options, { deleted: name }, `deleted ${shown(name)}`);
      }),
    );
  }

  if (resource.revoke !== undefined) {
    const revoke = takesRecord(
      group.command("revoke").description(`revoke ${one} immediately and permanently`),
    );
    addYesOption(revoke);
    revoke.action(
      onRecord(async (records, id, options, name) => {
        await confirmEnding(terminal, options, records, { verb: "revoke", resource, id, name });
        show(options, await records.revoke(resource, id));
      }),
    );
  }

  for (const verb of ownVerbsOf(resource)) {
    const act = takesRecord(group.command(spelledVerb(verb)).description(actDescription(verb, one)));
    addInputOptions(act, resource, verb);
    act.action(
      onRecord(async (records, id, options) => {
        const values = await inputOf(records, resource, options, terminal, verb);
        const view = await records.act(resource, verb, id, values);
        const outcome = record.outcomes?.[verb];
        if (outcome === undefined) show(options, view);
        else await outcome(records, id, (result) => show(options, result));
      }),
    );
  }
  return group;
}

function actDescription(verb: OwnVerb, one: string): string {
  const descriptions: Readonly<Record<OwnVerb, string>> = {
    register: `register ${one} that this server knew only from its metadata document`,
    reset_factors: `remove all second factors and passkeys of ${one}`,
    remove_factor: `remove one passkey or authenticator app of ${one} who has another one`,
    sign_out: `end every session of ${one}`,
    test_logout: `send ${one} a sign-out notice about a session that does not exist`,
    retry: `attempt to deliver ${one} again now`,
    ping: `send a ping event to ${one}`,
    replay: `send ${one} events again`,
    rotate_secret: `replace the secret of ${one}; for another day, the former one also signs`,
    revoke_everything: `end every session and token of ${one}, and revoke API keys and consents`,
  };
  return descriptions[verb];
}

function verbsOf(resource: Resource): string[] {
  const { create, update, remove, revoke } = resource;
  const usual = Object.entries({ create, update, delete: remove, revoke });
  const offered = usual.flatMap(([verb, is]) => (is === undefined ? [] : [verb]));
  return ["list", "get", ...offered, ...ownVerbsOf(resource).map(spelledVerb)];
}

async function partsOf(
  records: Server,
  resourceOf: (resourceType: ResourceType) => Resource,
  { parts = {} }: RecordCommand,
  id: string,
): Promise<Record<string, PublicView[]>> {
  const found: Record<string, PublicView[]> = {};
  for (const [name, { resourceType, by }] of Object.entries(parts)) {
    const { data } = await records.list(resourceOf(resourceType), { [by]: id, limit: "200" });
    found[name] = [...data];
  }
  return found;
}
