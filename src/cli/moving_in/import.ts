/** `postern import FILE --from SOURCE`: imports users and records from another system. */
import { statSync } from "node:fs";
import { type Command, Option } from "commander";
import type { AgeKey } from "../../crypto/age.ts";
import { allSources } from "../../moving_in/all_sources.ts";
import {
  type Applied,
  applyRecords,
  type Importing,
  importPeople,
  type SentPeople,
} from "../../moving_in/core/apply_export.ts";
import { checkMap, WrongMap } from "../../moving_in/core/check_map.ts";
import { asMember, type ReadExport } from "../../moving_in/core/collecting.ts";
import type { MovedPerson } from "../../moving_in/core/moved.ts";
import { withOwnRecords } from "../../moving_in/core/own_records.ts";
import { chosenPlace } from "../core/chosen_place.ts";
import { withProgress } from "../core/progress.ts";
import { readSettings } from "../core/setting_options.ts";
import {
  counted,
  NegativeAnswer,
  type Options,
  print,
  type Terminal,
  visible,
  WrongUsage,
} from "../core/terminal.ts";
import { readNamedFile, secretOption, typedSecret } from "../core/typed_text.ts";
import { withServer } from "../server/with_server.ts";
import { type Losses, lossesIn } from "./losses.ts";
import { readMap } from "./map_file.ts";
import { readExport } from "./read_export.ts";
import { remoteTarget } from "./remote_target.ts";
import { openSpool } from "./spool.ts";

interface Given {
  readonly from: string;
  readonly dryRun?: boolean;
  readonly map?: string;
  readonly source?: string;
  readonly owner?: string;
  readonly passphrase?: string;
  readonly identity?: string;
  readonly losses?: string;
}

export function importCommand(program: Command, terminal: Terminal): void {
  program
    .command("import")
    .description("import users, clients, organizations and providers from the export of another system")
    .argument("<files...>", "JSON, NDJSON or CSV files; docs/importing.md lists those of each system")
    .addOption(
      new Option("--from <system>", "the system that exported the files")
        .choices(allSources.map(({ name }) => name))
        .makeOptionMandatory(),
    )
    .option(
      "--dry-run",
      "import nothing; print what would be imported, what would be lost, and what to change in each application",
    )
    .option("--map <file>", "a YAML or JSON file with what the export lacks (docs/importing.md)")
    .option(
      "--source <name>",
      "the realm or tenant whose identifiers the files contain (default: the system)",
    )
    .option("--passphrase <passphrase>", `the passphrase of encrypted files; ${secretOption}`)
    .option("--identity <file>", "the file with the age key that decrypts encrypted files, AGE-SECRET-KEY-1…")
    .option("--owner <email>", "the user who owns the imported clients")
    .option(
      "--losses <file>",
      "the CSV file to write each loss to (default: losses.csv, numbered if it exists; none in a dry run)",
    )
    .action(async (files: string[], given: Given, command: Command) => {
      await importFiles(files, given, command.optsWithGlobals(), terminal);
    });
}

async function importFiles(
  files: readonly string[],
  given: Given,
  options: Options,
  terminal: Terminal,
): Promise<void> {
  const source = allSources.find(({ name }) => name === given.from);
  if (source === undefined) throw new WrongUsage(`unknown system ${given.from}`);
  if (source.of_postern && given.source !== undefined)
    throw new WrongUsage("leave out --source: users of another Postern server keep their ids");
  const map = await readMap(given.map, writtenAt(files));
  const [{ fieldErrorText }, { english }] = await Promise.all([
    import("../../web/words/error_text.ts"),
    import("../../web/words/english.ts"),
  ]);
  const lossesFile = given.losses ?? (given.dryRun === true ? undefined : "losses.csv");
  const losses = lossesIn(lossesFile, (reason) =>
    typeof reason === "string" ? reason : fieldErrorText(reason, english),
  );
  const spool = openSpool();
  let isSent = false;
  try {
    await withProgress(terminal, async (say) => {
      const lose = losses.add;
      const read = await readExport(files, {
        ...{ source, map, spool, lose },
        key: await keyOf(given, terminal),
        onRead: (people) => say(`Users read: ${people}`),
      });
      const dryRun = given.dryRun === true;
      const { records } = read;
      if (records.apps.length > 0 && given.owner === undefined)
        throw new WrongUsage(
          `${counted(records.apps.length, "client")} in the files: name the user who owns them with --owner`,
        );
      const importing: Importing = { dryRun, lose };
      const done = await withServer(terminal, options, async (server) => {
        const { of_postern } = source;
        const target = remoteTarget(server, { source: given.source ?? source.name, dryRun, of_postern });
        const organization_id = await checkMap(target, source, records, map).catch((error: unknown) => {
          throw error instanceof WrongMap ? new WrongUsage(`${given.map}: ${error.message}`) : error;
        });
        isSent = true;
        const named = { map, organization_id };
        const applied = await applyRecords(target, records, given.owner, { ...importing, ...named });
        const allowed = of_postern
          ? (person: MovedPerson) => asMember(person, organization_id)
          : withOwnRecords(applied.accepted, records.providers, map, lose);
        const sent = await importPeople(target, spool.lines(), read, { ...importing, allowed }, (count) =>
          say(`Users imported: ${count} of ${read.people}`),
        );
        return { applied, ...sent };
      });
      report({ read, losses, dryRun, ...done }, options, terminal);
    });
  } finally {
    losses.close();
    if (!isSent) losses.discard();
    spool.close();
  }
}

async function keyOf({ passphrase, identity }: Given, terminal: Terminal): Promise<AgeKey | undefined> {
  if (passphrase !== undefined) return { passphrase: await typedSecret(passphrase, terminal) };
  if (identity === undefined) return undefined;
  // Files from age-keygen contain comments.
  const lines = readNamedFile(identity).split("\n");
  return { identity: lines.find((line) => !line.startsWith("#") && line.trim() !== "") ?? "" };
}

/**
 * Returns the latest modification time of the files, which counts as the time of the export. A second run
 * with the same files therefore changes nothing.
 */
function writtenAt(files: readonly string[]): Date {
  const times = files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtime.getTime() ?? 0);
  return new Date(Math.max(...times));
}

interface Done extends SentPeople {
  readonly read: ReadExport;
  readonly losses: Losses;
  readonly dryRun: boolean;
  readonly applied: Applied;
}

/** Users without an email address in the file, as in exports of Firebase, are no failure. */
function report(done: Done, options: Options, terminal: Terminal): void {
  const { read, losses, dryRun, applied, people, memberships, other_subjects } = done;
  const { created, kept = [], unchanged, secrets } = applied;
  const refused = applied.refused.map(({ object, reason }) => `${object}: ${reason}`);
  const issuer = issuerOf(options, terminal);
  const clients = losses.ofClients(read.records.apps);
  const sums = losses.sums();
  const would = dryRun ? "would be " : "";
  const lines = [
    `Users: ${people.created} ${would}created, ${people.updated} ${would}updated, ${people.unchanged} unchanged, ${people.refused} refused.`,
    ...(memberships.length === 0
      ? []
      : [
          `Memberships: ${memberships.map(({ organization, count }) => `${count} in ${organization}`).join(", ")}.`,
        ]),
    `Organizations, roles, groups, providers, clients: ${created.length} ${would}created, ${kept.length + unchanged.length} unchanged, ${refused.length} refused.`,
    ...created.map((label) => `  ${would}created: ${label}`),
    ...kept.map((label) => `  unchanged, although the file differs: ${label}`),
    ...refused.map((label) => `  refused: ${label}`),
    "",
    sums.length === 0
      ? "Nothing is lost."
      : `Losses (${losses.file === undefined ? "--losses FILE writes each one to a file" : `${losses.file} lists each one`}):`,
    ...sums.map(({ kind, count }) => `${String(count).padStart(8)}  ${kind}`),
    ...(other_subjects === 0
      ? []
      : [
          "",
          `Users whose sub changes, so applications must recognize them by email address: ${other_subjects}`,
        ]),
    ...(clients.length === 0 ? [] : ["", ...changesOf(clients, issuer)]),
  ];
  if (Object.keys(secrets).length > 0 && !dryRun)
    terminal.err("Copy the secrets now: they are not shown again.\n");
  const made = Object.entries(secrets).map(([name, secret]) => `secret of ${name}: ${secret}`);
  const value = {
    people,
    memberships,
    other_subjects,
    created,
    kept,
    unchanged,
    refused,
    secrets,
    losses: sums,
    clients,
    issuer,
  };
  print(terminal, options, value, [...lines, ...made].map(visible).join("\n"));
  if (people.refused > read.omitted) throw new NegativeAnswer();
}

function changesOf(
  clients: readonly { readonly client_id: string; readonly changes: readonly string[] }[],
  issuer: string | undefined,
): string[] {
  const at = issuer ?? "the address of this server";
  return [
    `Set the issuer of every application to ${at}; its client_id stays. Endpoints and keys are listed at`,
    `${at}/.well-known/openid-configuration. Users sign in again: tokens are not imported.`,
    ...clients.flatMap(({ client_id, changes }) => [
      `client ${client_id}${changes.length === 0 ? ": no other change" : ""}`,
      ...changes.map((change) => `  ${change}`),
    ]),
  ];
}

function issuerOf(options: Options, terminal: Terminal): string | undefined {
  const place = chosenPlace(options, terminal);
  if (place.kind === "server") return place.url;
  return place.kind === "database" ? readSettings(options, terminal.env).base_url : undefined;
}
