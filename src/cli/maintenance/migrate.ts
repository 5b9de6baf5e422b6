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

/** Opens a database that is there and changes nothing of it. */
async function withPresentDatabase(
  { database }: Pick<Config, "database">,
  use: (store: Store) => Promise<void>,
): Promise<void> {
  if (database.kind === "sqlite" && !existsSync(database.path)) {
    throw new Error(`there is no database at ${database.path} yet; \`postern migrate up\` makes it`);
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
  nobody: "nobody waits",
  writers: "writers wait, readers go on",
  everybody: "readers and writers wait",
};

/** The plan as an operator reads it before an upgrade. */
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
    `The database is at version ${from}, this program's tables are at ${to}.`,
    `${counted(migrations.length, "migration")} would run in one transaction, in about ${counted(seconds, "second")}; locks last until its end.`,
    "",
    ...steps,
    "",
    servers_may_run
      ? "Processes of the earlier version may go on meanwhile; restart them one by one thereafter."
      : "Stop every process of the earlier version first: it cannot use the new tables.",
    "Back up first. No migration is undone: to go back, restore the backup with the version that made it.",
  ].join("\n");
}

/** `postern migrate [plan|status|up|profile|copy]`; without a verb it is `up`. */
export function migrateCommand(program: Command, terminal: Terminal): void {
  const group = program.command("migrate").description("bring the database to this version's tables");

  group
    .command("up", { isDefault: true })
    .description("apply what is missing")
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
    .description("list the migrations; exit code 1 when some are missing")
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
      "say what `up` would do, to how many rows and under which locks; exit code 1 when processes of the earlier version must be stopped first",
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
    .addArgument(new Argument("<profile>", "what is asked of PostgreSQL").choices(databaseProfiles))
    .description(
      "have the database used in another POSTERN_DATABASE_PROFILE, once every process of it has stopped",
    )
    .action(async (profile: DatabaseProfileName, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const { database } = readSettings(options, terminal.env);
      if (database.kind !== "postgres") throw new Error("SQLite has no profiles: this is for PostgreSQL");
      await withPresentDatabase({ database: { ...database, profile } }, (store) => store.changeProfile());
      const text = `The database is used in the profile ${profile} from now on: start its processes with POSTERN_DATABASE_PROFILE=${profile}.`;
      print(terminal, options, { profile }, text);
    });

  migrateCopyCommand(group, terminal);
}
