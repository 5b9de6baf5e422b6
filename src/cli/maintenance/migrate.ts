import { existsSync } from "node:fs";
import { Argument, type Command } from "commander";
import type { Config } from "../../config.ts";
import { type DatabaseProfileName, databaseProfiles } from "../../records/names/names.ts";
import { prepareDatabaseFile, refuseLostDatabase } from "../../server/environment.ts";
import type { MigrationPlan, Waits } from "../../storage/migration_plan.ts";
import type { Store } from "../../storage/store.ts";
import { readSettings } from "../core/setting_options.ts";
import { table } from "../core/table.ts";
import { counted, NegativeAnswer, type Options, print, shown, type Terminal } from "../core/terminal.ts";
import { migrateCopyCommand } from "./migrate_copy.ts";

async function withPresentDatabase(
  { database }: Pick<Config, "database">,
  use: (store: Store) => Promise<void>,
): Promise<void> {
  if (database.kind === "sqlite" && !existsSync(database.path)) {
    throw new Error(`there is no database at ${database.path} yet; create it with \`postern migrate up\``);
  }
  const { openStore } = await import("../../storage/store.ts");
  const store = await openStore(database);
  try {
    await use(store);
  } finally {
    await store.close();
  }
}

const whoWaits: Readonly<Record<Waits, string>> = {
  nobody: "no wait",
  writers: "writers wait, readers continue",
  everybody: "readers and writers wait",
};

function planText({ from, to, migrations, servers_may_run, seconds }: MigrationPlan): string {
  if (migrations.length === 0) return `The database is at version ${from}: nothing to apply.`;
  const steps = migrations.flatMap(({ version, does, tables }) => [
    `${shown(version).padStart(4)}  ${does}.`,
    ...tables.map((each) => {
      const work = [
        ...(each.indexes > 0 ? [counted(each.indexes, "new index").replace("indexs", "indexes")] : []),
        ...(each.filled ? ["reads every row"] : []),
      ];
      return `      ${each.table}: ${[counted(each.rows, "row"), ...work, whoWaits[each.waits]].join("; ")}`;
    }),
  ]);
  return [
    `The database is at version ${from}; this program needs version ${to}.`,
    `${counted(migrations.length, "migration")} would run in one transaction of about ${counted(seconds, "second")}. Locks are held until its end.`,
    "",
    ...steps,
    "",
    servers_may_run
      ? "Processes of the earlier version can keep running meanwhile; restart them one by one afterwards."
      : "Stop every process of the earlier version first: it cannot use the new tables.",
    "Back up first. Migrations cannot be undone: to go back, restore the backup with the version that created it.",
  ].join("\n");
}

/** `postern migrate [plan|status|up|profile|copy]`; the default is `up`. */
export function migrateCommand(program: Command, terminal: Terminal): void {
  const group = program.command("migrate").description("migrate the database schema to this version");

  group
    .command("up", { isDefault: true })
    .description("apply the missing migrations")
    .action(async (_, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const config = readSettings(options, terminal.env);
      const { database } = config;
      const { openStore } = await import("../../storage/store.ts");
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
    .description("list the migrations; exit code 1 if some are missing")
    .action(async (_, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withPresentDatabase(readSettings(options, terminal.env), async (store) => {
        const migrations = await store.migrationStatus();
        const rows = migrations.map(({ version, name, applied }) => [
          shown(version),
          name,
          applied ? "applied" : "missing",
        ]);
        print(terminal, options, { migrations }, table(rows));
        if (migrations.some(({ applied }) => !applied)) throw new NegativeAnswer();
      });
    });

  group
    .command("plan")
    .description(
      "show what `up` would do, with row counts and locks; exit code 1 if processes of the earlier version must be stopped first",
    )
    .action(async (_, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withPresentDatabase(readSettings(options, terminal.env), async (store) => {
        const plan = await store.planMigrations();
        print(terminal, options, plan, planText(plan));
        if (!plan.servers_may_run) throw new NegativeAnswer();
      });
    });

  group
    .command("profile")
    .addArgument(new Argument("<profile>", "the database profile").choices(databaseProfiles))
    .description("change the POSTERN_DATABASE_PROFILE of the database after all its processes have stopped")
    .action(async (profile: DatabaseProfileName, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const { database } = readSettings(options, terminal.env);
      if (database.kind !== "postgres")
        throw new Error("SQLite has no profiles: this command needs PostgreSQL");
      await withPresentDatabase({ database: { ...database, profile } }, (store) => store.changeProfile());
      const text = `The database now uses the profile ${profile}: start its processes with POSTERN_DATABASE_PROFILE=${profile}.`;
      print(terminal, options, { profile }, text);
    });

  migrateCopyCommand(group, terminal);
}
