import { createReadStream, createWriteStream, existsSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import type { Config } from "../../config.ts";
import { secretKeyPath } from "../../server/environment.ts";
import { heedSignals, withDraft } from "../../server/files/draft.ts";
import { linkedFile, linkFile, placeFile, sqliteRemains, syncPath } from "../../server/files/place_file.ts";
import { unwritable } from "../../server/files/write_whole.ts";
import { makeFolder } from "../../server/make_folder.ts";
import { openSigner } from "../../server/signers/open_signer.ts";
import { presentKeys } from "../core/present_keys.ts";
import { readSettings } from "../core/setting_options.ts";
import { type Options, print, type Terminal } from "../core/terminal.ts";
import { unreadable } from "../core/typed_text.ts";
import { postgresTool, quoted } from "./backup.ts";

const effects = `The copy lacks the tokens, codes, sessions, consents, secrets and keys that were issued after the backup.
Those that were revoked after the backup are valid again: revoke them again.`;

export function restoreCommand(program: Command, terminal: Terminal): void {
  program
    .command("restore")
    .argument("<file>", "a copy from `postern backup`")
    .description("replace the SQLite database with a copy, while its server is stopped")
    .option("--force", "replace an existing database; the old one is kept in the same folder")
    .option("--end-sessions", "end every session, token and code of the copy: users must sign in again")
    .action(async (file: string, own: { force?: boolean; endSessions?: boolean }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const config = readSettings(options, terminal.env);
      const { database } = config;
      if (database.kind !== "sqlite") throw new Error(postgresTool("pg_restore", database, file));
      const path = linkedFile(database.path);
      if (!existsSync(file)) throw new Error(`${file} does not exist`);
      const remains = sqliteRemains(linkedFile(file));
      if (remains !== undefined) {
        throw new Error(
          `${remains} may contain changes that ${file} lacks: first make a complete copy with \`POSTERN_DATABASE_URL=sqlite:${quoted(file)} postern backup COPY\`, and restore this copy`,
        );
      }
      if (own.force !== true && existsSync(path) && statSync(path).size > 0) {
        throw new Error(`${path} already exists; use --force to replace it and keep the old one`);
      }
      makeFolder(dirname(path));
      await withDraft(path, async (draft) => {
        await prepare(draft, file, config);
        if (own.endSessions === true) {
          const { endEverythingIssued } = await import("../../storage/sqlite/file.ts");
          endEverythingIssued(draft, terminal.now());
        }
        await heedSignals();
        const kept = await replaceDatabase(draft, path, terminal.now());
        const ended = own.endSessions === true;
        const lines = [
          `${path} was restored from ${file}.`,
          ...(kept.length === 0 ? [] : [`The old files are kept as ${kept.join(" and ")}.`]),
          effects,
          ended
            ? "All its sessions, tokens and codes were ended: users must sign in again."
            : "With --end-sessions, all its sessions, tokens and codes are ended as well.",
        ];
        print(terminal, options, { file, database: path, kept: kept[0] ?? null, ended }, lines.join("\n"));
      });
    });
}

async function prepare(draft: string, file: string, config: Config): Promise<void> {
  const [{ migrationOf, sqliteFault }, { newestMigration }] = await Promise.all([
    import("../../storage/sqlite/file.ts"),
    import("../../storage/migrations.ts"),
  ]);
  // `copyFile` would give the draft the mode of the file.
  await pipeline(createReadStream(file), createWriteStream(draft, { flags: "r+" })).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.path === file || error.syscall === "read") throw unreadable(file, error);
      throw unwritable(`the copy of ${file} in ${dirname(draft)}`, error);
    },
  );
  const fault = sqliteFault(draft);
  if (fault !== undefined) throw new Error(`${file} cannot be restored because it ${fault.sentence}`);
  const version = migrationOf(draft);
  if (version === undefined) throw new Error(`${file} is not a Postern database`);
  if (version > newestMigration) {
    throw new Error(
      `${file} is at version ${version}, newer than this program's ${newestMigration}: upgrade Postern`,
    );
  }
  await proveKeys(draft, file, config);
}

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
        `the key that decrypts ${file} is not on this machine: copy the secret.key of the server that was backed up to ${keyFile}, or set POSTERN_SECRET_KEY`,
      );
    }
    const signer = await openSigner(config);
    await openKeyRing(rows as never, sealer(keys, signer)).catch((cause) => {
      throw new Error(
        `this machine's key does not decrypt ${file}: replace ${keyFile} with the secret.key of the server that was backed up`,
        { cause },
      );
    });
  } finally {
    await store.close();
  }
}

/**
 * Moves the new database into place and returns the names under which the previous files were kept. A database
 * exists at the path at every moment, so a server never starts with an empty one after an interrupted restore.
 */
export async function replaceDatabase(draft: string, path: string, now: Date): Promise<string[]> {
  const { takeSqlite } = await import("../../storage/sqlite/file.ts");
  // Flushing a large file takes long. A crash meanwhile must find the previous database with its log.
  syncPath(draft);
  const there = existsSync(path) && statSync(path).size > 0;
  const takeover = there ? takeSqlite(path) : undefined;
  if (takeover?.state === "held") {
    throw new Error(`${path} is in use: first stop the server and every other program that has it open`);
  }
  const kept = freeName(`${path}.before-restore-${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`);
  // The log and the journal of a missing, empty or damaged database may contain data that no other file has, so they are
  // kept as well. They must not stay in place, where they would corrupt the new database.
  const parts = ["", ...logs].filter(
    (suffix) => existsSync(path + suffix) && statSync(path + suffix).size > 0,
  );
  const linked: string[] = [];
  try {
    for (const suffix of parts) {
      if (!linkFile(path + suffix, kept + suffix)) throw new Error(`${kept}${suffix} already exists`);
      linked.push(suffix);
    }
    for (const suffix of [...logs, "-shm"]) rmSync(path + suffix, { force: true });
    placeFile(draft, path, { replace: true });
    return parts.map((suffix) => kept + suffix);
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

const logs = ["-wal", "-journal"];

/** Returns the name, with a number if files of it exist. */
function freeName(name: string): string {
  let free = name;
  for (let number = 2; ["", ...logs].some((suffix) => existsSync(free + suffix)); number += 1)
    free = `${name}-${number}`;
  return free;
}
