import { existsSync } from "node:fs";
import type { Command } from "commander";
import { prepareDatabaseFile, refuseLostDatabase } from "../server/environment.ts";
import { readSettings } from "./setting_options.ts";
import { table } from "./table.ts";
import { NegativeAnswer, type Options, print, shown, type Terminal } from "./terminal.ts";

/** `postern migrate [status|up]`; without a verb it is `up`. */
export function migrateCommand(program: Command, terminal: Terminal): void {
  const group = program.command("migrate").description("bring the database to this version's tables");

  group
    .command("up", { isDefault: true })
    .description("apply what is missing")
    .action(async (_, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const config = readSettings(options, terminal.env);
      const { database } = config;
      const { openStore } = await import("../storage/store.ts");
      refuseLostDatabase(config);
      if (database.kind === "sqlite") prepareDatabaseFile(database.path);
      const store = await openStore(database);
      try {
        const applied = await store.migrate(terminal.now());
        const text = applied.map(({ version, name }) => `applied ${version} ${name}`).join("\n");
        print(terminal, options, { applied }, text || "nothing to apply");
      } finally {
        await store.close();
      }
    });

  group
    .command("status")
    .description("list the migrations; exit code 1 when some are missing")
    .action(async (_, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const { database } = readSettings(options, terminal.env);
      if (database.kind === "sqlite" && !existsSync(database.path)) {
        throw new Error(`there is no database at ${database.path} yet; \`postern migrate up\` makes it`);
      }
      const { openStore } = await import("../storage/store.ts");
      const store = await openStore(database);
      try {
        const migrations = await store.migrationStatus();
        const rows = migrations.map(({ version, name, applied }) => [
          shown(version),
          name,
          applied ? "applied" : "missing",
        ]);
        print(terminal, options, { migrations }, table(rows));
        if (migrations.some(({ applied }) => !applied)) throw new NegativeAnswer();
      } finally {
        await store.close();
      }
    });
}
