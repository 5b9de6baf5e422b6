import { existsSync, statSync } from "node:fs";
import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { refuseLostDatabase } from "../../server/environment.ts";
import { heedSignals, withDraft } from "../../server/files/draft.ts";
import { isSameFile, linkedFile, placeFile, sqliteRemains } from "../../server/files/place_file.ts";
import { withProgress } from "../core/progress.ts";
import { readSettings } from "../core/setting_options.ts";
import { type Options, print, type Terminal } from "../core/terminal.ts";

export function backupCommand(program: Command, terminal: Terminal): void {
  program
    .command("backup")
    .argument("<file>", "where to write the copy (mode 0600)")
    .description("copy an SQLite database while the server runs; the copy does not contain the secret key")
    .option("--force", "replace an existing file")
    .action(async (file: string, own: { force?: boolean }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const config = readSettings(options, terminal.env);
      const { database } = config;
      if (database.kind !== "sqlite") throw new Error(postgresTool("pg_dump", database, file));
      // Otherwise a running server would lose its file.
      const target = linkedFile(file);
      if (isSameFile(target, database.path))
        throw new Error(`${file} is the database itself: choose another name`);
      if (own.force !== true && existsSync(target)) throw alreadyThere(file);
      const remains = sqliteRemains(target);
      if (remains !== undefined)
        throw new Error(`${remains} belongs to another database: move it or choose another name`);
      if (!existsSync(database.path)) throw new Error(`there is no database at ${database.path}`);
      refuseLostDatabase(config);
      const { copySqlite, migrationOf, sqliteFault } = await import("../../storage/sqlite/file.ts");
      await withDraft(target, async (draft) => {
        await withProgress(terminal, async (say) => {
          say("Reading the database and copying it…");
          // SQLite silently copies only the readable part of a damaged table, so the database is checked
          // first.
          const fault = sqliteFault(database.path);
          if (fault !== undefined) throw new Error(`${database.path} ${fault.sentence}`);
          // An empty or foreign file must not replace a good backup.
          if (migrationOf(database.path) === undefined)
            throw new Error(`${database.path} is not a Postern database`);
          copySqlite(database.path, draft);
          await heedSignals();
        });
        if (!placeFile(draft, target, { replace: own.force === true })) throw alreadyThere(file);
      });
      const bytes = statSync(file).size;
      const text = `${file}: ${bytes} bytes. Store the secret key in another place: the copy and the key together decrypt the signing keys.`;
      print(terminal, options, { file, bytes }, text);
    });
}

function alreadyThere(file: string): Error {
  return new Error(`${file} already exists; use --force to replace it`);
}

/** Quotes a word of a command for the shell. */
export const quoted = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Returns PostgreSQL's command for the same work. */
export function postgresTool(
  tool: "pg_dump" | "pg_restore",
  { url }: Extract<Config["database"], { kind: "postgres" }>,
  file: string,
): string {
  const [base = "", query = ""] = url.replace(/^(\w+:\/\/[^:@/?]*):[^@]*@/, "$1@").split("?");
  // `pg_dump` and `pg_restore` support the TLS parameters of a database URL, but not Postern's own
  // parameters.
  const parameters = query.split("&").filter((each) => each.startsWith("ssl"));
  const address = `'${[base, ...(parameters.length > 0 ? [parameters.join("&")] : [])].join("?")}'`;
  const path = quoted(file);
  const command =
    tool === "pg_dump"
      ? `umask 077; pg_dump --format=custom --file=${path} ${address}`
      : `pg_restore --clean --if-exists --single-transaction --no-owner --dbname=${address} ${path}`;
  return `Use PostgreSQL's tool for this, with the password in PGPASSWORD or ~/.pgpass:\n\n  ${command}\n`;
}
