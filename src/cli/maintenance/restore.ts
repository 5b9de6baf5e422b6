/** `postern restore FILE`. */
import { chmodSync, constants, copyFileSync, existsSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { secretKeyPath } from "../../server/environment.ts";
import { makeFolder } from "../../server/make_folder.ts";
import { linkedFile, linkFile, placeFile, syncPath } from "../../server/place_file.ts";
import { openSigner } from "../../server/signers/open_signer.ts";
import { presentKeys } from "../core/present_keys.ts";
import { readSettings } from "../core/setting_options.ts";
import { type Options, print, type Terminal } from "../core/terminal.ts";
import { draftBeside, postgresTool } from "./backup.ts";

const effects = `What was issued after the copy was made is unknown to it, and what was revoked after it lives again:
tokens, codes, sessions, consents, secrets and keys. Revoke again what was revoked in the meantime.`;

export function restoreCommand(program: Command, terminal: Terminal): void {
  program
    .command("restore")
    .argument("<file>", "a copy that `postern backup` made")
    .description("replace the SQLite database with a copy, while its server is stopped")
    .option("--force", "replace an existing database; the old one is kept beside it")
    .option("--end-sessions", "end every session, token and code of the copy: people sign in again")
    .action(async (file: string, own: { force?: boolean; endSessions?: boolean }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const config = readSettings(options, terminal.env);
      const { database } = config;
      if (database.kind !== "sqlite") throw new Error(postgresTool("pg_restore", database, file));
      const path = linkedFile(database.path);
      if (!existsSync(file)) throw new Error(`there is no file ${file}`);
      if (own.force !== true && existsSync(path) && statSync(path).size > 0) {
        throw new Error(`${path} already exists; --force replaces it and keeps the old one`);
      }
      makeFolder(dirname(path));
      const draft = draftBeside(path);
      try {
        await prepare(draft, file, config);
        if (own.endSessions === true) {
          const { endEverythingIssued } = await import("../../storage/sqlite/file.ts");
          endEverythingIssued(draft, terminal.now());
        }
        syncPath(draft);
        const kept = await replaceDatabase(draft, path, terminal.now());
        const ended = own.endSessions === true;
        const lines = [
          `${path} is restored from ${file}.`,
          ...(kept === undefined ? [] : [`The old database is kept as ${kept}.`]),
          effects,
          ended
            ? "Everything that had been issued is ended: people sign in again."
            : "With --end-sessions everything that had been issued is ended.",
        ];
        print(terminal, options, { file, database: path, kept: kept ?? null, ended }, lines.join("\n"));
      } finally {
        for (const suffix of ["", "-wal", "-shm"]) rmSync(draft + suffix, { force: true });
      }
    });
}

/** A copy of the file beside the database, found to be whole, ours, and sealed with a key that is here. */
async function prepare(draft: string, file: string, config: Config): Promise<void> {
  const [{ migrationOf, sqliteError }, { newestMigration }] = await Promise.all([
    import("../../storage/sqlite/file.ts"),
    import("../../storage/migrations.ts"),
  ]);
  copyFileSync(file, draft, constants.COPYFILE_EXCL);
  chmodSync(draft, 0o600);
  const error = sqliteError(draft);
  if (error !== undefined) throw new Error(`${file} cannot be restored, it is damaged: ${error}`);
  const version = migrationOf(draft);
  if (version === undefined) throw new Error(`${file} is no database of Postern`);
  if (version > newestMigration) {
    throw new Error(
      `${file} is at version ${version}, newer than this program's ${newestMigration}: upgrade Postern`,
    );
  }
  await proveKeys(draft, file, config);
}

/** Throws unless the key that is here opens what is sealed in the copy. */
async function proveKeys(draft: string, file: string, config: Config): Promise<void> {
  const [{ openStore }, { sealer }, { openKeyRing }] = await Promise.all([
    import("../../storage/store.ts"),
    import("../../crypto/sealing.ts"),
    import("../../crypto/signing_keys.ts"),
  ]);
  const store = await openStore({ kind: "sqlite", path: draft });
  try {
    const rows = await store.listSigningKeys();
    if (rows.length === 0) return;
    const keyFile = secretKeyPath(config.database.kind === "sqlite" ? config.database.path : "");
    const keys = await presentKeys(config);
    if (keys === undefined) {
      throw new Error(
        `${file} is sealed with a key that is not here: put its secret.key in place as ${keyFile}, or give it as POSTERN_SECRET_KEY`,
      );
    }
    const signer = await openSigner(config);
    await openKeyRing(rows as never, sealer(keys, signer)).catch((cause) => {
      throw new Error(
        `${file} is sealed with another key than the one here: put the secret.key of that time in place as ${keyFile}`,
        { cause },
      );
    });
  } finally {
    await store.close();
  }
}

/**
 * Puts the draft in place and answers the name under which the former database is kept, if there was one.
 * What fails leaves the former one where it was. Under the path there is a database at every moment: a server
 * that starts after a restore was cut off finds the former or the new one, and makes no empty one.
 */
export async function replaceDatabase(draft: string, path: string, now: Date): Promise<string | undefined> {
  const { takeSqlite } = await import("../../storage/sqlite/file.ts");
  const there = existsSync(path) && statSync(path).size > 0;
  const takeover = there ? takeSqlite(path) : undefined;
  if (takeover?.state === "held") {
    throw new Error(`${path} is in use: stop the server, and anything else that has it open, first`);
  }
  const kept = there
    ? `${path}.before-restore-${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`
    : undefined;
  // Of a database that is damaged the log may hold what is missing in the file; under the new one it would
  // damage that.
  const parts = kept === undefined ? [] : ["", "-wal"].filter((suffix) => existsSync(path + suffix));
  const linked: string[] = [];
  try {
    for (const suffix of parts) {
      if (!linkFile(path + suffix, kept + suffix)) throw new Error(`${kept}${suffix} already exists`);
      linked.push(suffix);
    }
    for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
    placeFile(draft, path, { replace: true });
    return kept;
  } catch (error) {
    for (const suffix of linked.reverse()) {
      linkFile(kept + suffix, path + suffix);
      rmSync(kept + suffix);
    }
    throw error;
  } finally {
    if (takeover?.state === "taken") takeover.release();
  }
}
