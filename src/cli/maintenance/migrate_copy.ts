import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type Command, Option } from "commander";
import { type DatabaseConfig, databaseUrl } from "../../config/database_url.ts";
import { Unfit } from "../../config/unfit.ts";
import type { Config } from "../../config.ts";
import { type DatabaseProfileName, databaseProfiles } from "../../records/names/names.ts";
import { secretKeyPath } from "../../server/environment.ts";
import { withDraft } from "../../server/files/draft.ts";
import { placeFile, sqliteRemains } from "../../server/files/place_file.ts";
import { makeFolder } from "../../server/make_folder.ts";
import { openSigner } from "../../server/signers/open_signer.ts";
import type { CopySource } from "../../storage/copy/copy.ts";
import { presentKeys } from "../core/present_keys.ts";
import { withProgress } from "../core/progress.ts";
import { readSettings } from "../core/setting_options.ts";
import { counted, type Options, print, type Terminal, WrongUsage } from "../core/terminal.ts";

interface CopyOptions {
  readonly to: string;
  readonly toProfile?: DatabaseProfileName;
}

type Counts = Readonly<Record<string, number>>;

export function migrateCopyCommand(group: Command, terminal: Terminal): void {
  group
    .command("copy")
    .requiredOption("--to <url>", "an empty database: postgres://user@host:5432/database, or sqlite:path")
    .addOption(
      new Option("--to-profile <profile>", "the POSTERN_DATABASE_PROFILE of the target").choices(
        databaseProfiles,
      ),
    )
    .description("copy every record into an empty SQLite or PostgreSQL database, while no server runs")
    .action(async (own: CopyOptions, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const config = readSettings(options, terminal.env);
      const { database } = config;
      const target = targetOf(own);
      if (database.kind === "sqlite" && target.kind === "sqlite")
        throw new WrongUsage("`postern backup FILE` copies an SQLite database into another file");
      if (database.kind === "sqlite" && !existsSync(database.path))
        throw new Error(`there is no database at ${database.path}`);
      const { openSource } = await import("../../storage/copy/copy.ts");
      await requireKeys(config);
      const source = await openSource(database);
      try {
        const rows = await withProgress(terminal, (say) => {
          const onRows = (table: string, copied: number) => say(`${table}: ${counted(copied, "row")}`);
          const work = { now: terminal.now(), onRows };
          return copyIntoTarget(source, target, work);
        });
        const result = { from: withoutPassword(database), to: withoutPassword(target), rows };
        print(terminal, options, result, doneText(config, target, rows));
      } finally {
        await source.close();
      }
    });
}

function targetOf({ to, toProfile = "native" }: CopyOptions): DatabaseConfig {
  let target: DatabaseConfig;
  try {
    target = databaseUrl(to);
  } catch (error) {
    if (error instanceof Unfit) throw new WrongUsage(`--to: ${error.message}`);
    throw error;
  }
  if (toProfile === "native") return target;
  if (target.kind === "sqlite") throw new WrongUsage("--to-profile: SQLite has no profiles");
  return { ...target, profile: toProfile };
}

/** Rows are copied unchanged, so the copy needs the keys that encrypted their values. */
async function requireKeys(config: Config): Promise<void> {
  const [{ openStore }, { namedAddress }, { sealer }, { openKeyRing }, sealed] = await Promise.all([
    import("../../storage/store.ts"),
    import("../../storage/copy/copy.ts"),
    import("../../crypto/sealing.ts"),
    import("../../crypto/signing_keys.ts"),
    import("../../server/sealed_values.ts"),
  ]);
  const store = await openStore(namedAddress(config.database));
  try {
    // If the tables are of another version, the keys are not checked: `copyInto` later reports such a
    // database.
    if ((await store.migrationStatus()).some(({ applied }) => !applied)) return;
    const keys = await presentKeys(config);
    if (keys === undefined) {
      if (!(await sealed.holdsSealedValues(store))) return;
      throw new Error("the secret key of the database is missing: set POSTERN_SECRET_KEY");
    }
    const signer = await openSigner(config);
    try {
      const opener = sealer(keys, signer);
      await sealed.refuseMissingKeys({ store, sealer: opener });
      await openKeyRing((await store.listSigningKeys()) as never, opener).catch((cause) => {
        const [faulty] = cause instanceof Error ? [cause.message] : [String(cause)];
        throw new Error(`the signing keys of the database cannot be decrypted: ${faulty}`, { cause });
      });
    } finally {
      await signer?.close();
    }
  } finally {
    await store.close();
  }
}

interface Work {
  readonly now: Date;
  readonly onRows: (table: string, copied: number) => void;
}

/**
 * Copies into an empty database, which servers refuse to use until the copy is complete. Returns the number
 * of rows by table.
 */
export async function copyIntoTarget(
  source: CopySource,
  target: DatabaseConfig,
  work: Work,
): Promise<Counts> {
  if (target.kind === "sqlite") return copyIntoFile(source, target.path, work);
  const [{ openDriver }, { copyInto, namedAddress }] = await Promise.all([
    import("../../storage/store.ts"),
    import("../../storage/copy/copy.ts"),
  ]);
  const driver = await openDriver(namedAddress(target));
  try {
    return await copyInto(source, driver, work);
  } finally {
    await driver.close();
  }
}

/** Fills a temporary file, which is renamed once the copy is complete and flushed to disk. */
async function copyIntoFile(source: CopySource, path: string, work: Work): Promise<Counts> {
  const [{ openDriver }, { copyInto }] = await Promise.all([
    import("../../storage/store.ts"),
    import("../../storage/copy/copy.ts"),
  ]);
  const isThere = () => existsSync(path) && statSync(path).size > 0;
  const alreadyThere = () => new Error(`${path} already exists: a copy needs a new file`);
  if (isThere()) throw alreadyThere();
  const remains = sqliteRemains(path);
  if (remains !== undefined)
    throw new Error(`${remains} belongs to another database: move it or choose another name`);
  makeFolder(dirname(path));
  return withDraft(path, async (draft) => {
    const driver = await openDriver({ kind: "sqlite", path: draft });
    const counts = await copyInto(source, driver, work).finally(driver.close);
    if (isThere() || !placeFile(draft, path, { replace: existsSync(path) })) throw alreadyThere();
    return counts;
  });
}

function withoutPassword(database: DatabaseConfig): string {
  if (database.kind === "sqlite") return `sqlite:${database.path}`;
  const url = new URL(database.url);
  url.password = "";
  return url.href;
}

function doneText(
  { database, secret_keys, secret_key_command }: Config,
  target: DatabaseConfig,
  rows: Counts,
) {
  const total = Object.values(rows).reduce((sum, each) => sum + each, 0);
  const input = secret_keys !== undefined || secret_key_command !== undefined;
  const inFile = database.kind === "sqlite" && !input;
  const settings = [
    `POSTERN_DATABASE_URL=${withoutPassword(target)}`,
    ...(target.kind === "postgres" && target.profile ? [`POSTERN_DATABASE_PROFILE=${target.profile}`] : []),
    ...(inFile ? [`POSTERN_SECRET_KEY_FILE=${resolve(secretKeyPath(database.path))}`] : []),
  ];
  const lines = [
    `Copied ${counted(total, "row")} of ${counted(Object.keys(rows).length, "table")}; both databases have the same number of rows in each table.`,
    "",
    "Start servers with these settings, and do not start a server on the old database:",
    ...settings.map((line) => `  ${line}`),
    inFile
      ? "The file contains the key that decrypts the encrypted values of both databases. Store a copy of the file away from the database."
      : "Give the servers the secret key of the old database: it decrypts the encrypted values in both.",
  ];
  return lines.join("\n");
}
