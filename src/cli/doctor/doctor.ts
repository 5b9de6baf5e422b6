/** `postern doctor`: read-only checks of the settings and the environment. */
import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { ConfigError } from "../../config/config_error.ts";
import type { Config } from "../../config.ts";
import { isAhead } from "../../records/names/liveness.ts";
import { demandsOn } from "../../records/names/profiles.ts";
import { refuseLostDatabase, secretKeyPath } from "../../server/environment.ts";
import { linkedFile } from "../../server/files/place_file.ts";
import { unmailedFactors } from "../../server/machine_warnings.ts";
import { openSigner } from "../../server/signers/open_signer.ts";
import type { Store } from "../../storage/store.ts";
import { presentKeys } from "../core/present_keys.ts";
import { readSettings } from "../core/setting_options.ts";
import type { Options, Terminal } from "../core/terminal.ts";
import {
  examineAddresses,
  examineDeletions,
  examineImported,
  examineIssuer,
  examinePasskeys,
} from "./checks.ts";
import { doctorFapi2Command } from "./fapi2.ts";
import { type Finding, printFindings } from "./findings.ts";
import { doctorMcpCommand } from "./mcp.ts";
import { doctorProviderCommand, examineProviders } from "./provider.ts";

/** A clock that shows a time before the first release is wrong. */
const earliest = Date.parse("2025-01-01T00:00:00Z");

export function doctorCommand(program: Command, terminal: Terminal): void {
  const doctor = program
    .command("doctor")
    .description(
      "check settings, mail server, texts, database, keys, clock, client addresses and file modes; exit code 1 if a check fails",
    )
    .action(async (_, command: Command) => {
      const options: Options = command.optsWithGlobals();
      printFindings(terminal, options, await examine(options, terminal));
    });
  doctorFapi2Command(doctor, terminal);
  doctorMcpCommand(doctor, terminal);
  doctorProviderCommand(doctor, terminal);
}

async function wordsError(folder: string): Promise<string | undefined> {
  const { loadWords } = await import("../../server/words_folder.ts");
  try {
    await loadWords(folder, { info() {} });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return undefined;
}

async function examine(options: Options, { env, now }: Terminal): Promise<Finding[]> {
  const findings: Finding[] = [];
  const note = (check: string, problem: string | undefined, detail: string) =>
    findings.push({ check, ok: problem === undefined, detail: problem ?? detail });

  let config: Config;
  try {
    config = readSettings(options, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.errors.map(({ name, message }) => ({
      check: "settings",
      ok: false,
      detail: `${name}: ${message}`,
    }));
  }
  note("settings", undefined, "all valid");
  if (config.mail !== undefined) {
    const { mailServerError } = await import("../../ops/mail.ts");
    const { host } = new URL(config.mail.smtp_url);
    const problem = await mailServerError(config.mail.smtp_url);
    note(
      "mail",
      problem && `${host} ${problem}`,
      `${host} accepts email from this machine; no email was sent`,
    );
  }
  const unmailed = unmailedFactors(config);
  if (unmailed !== undefined) note("mail", unmailed, "");
  if (config.words_dir !== undefined)
    note("words", await wordsError(config.words_dir), "all files are valid");
  note("clock", now().getTime() < earliest ? "the clock is years behind" : undefined, now().toISOString());

  const { database } = config;
  if (database.kind === "sqlite") {
    // Absolute, as are the paths of the files next to the target of a symbolic link.
    const path = resolve(database.path);
    const lost = lostError(config);
    const { isFull, obstacleTo } = await import("../../storage/sqlite/obstacles.ts");
    if (lost !== undefined || !existsSync(path)) {
      // Without access to the folder, an existing file seems to be missing.
      note("database", lost ?? obstacleTo(path), `${path} does not exist yet; the first start creates it`);
      return findings;
    }
    for (const [file, allowed] of [
      [dirname(path), 0o755],
      [path, 0o600],
      [`${linkedFile(path)}-wal`, 0o600],
      [`${linkedFile(path)}-shm`, 0o600],
      [secretKeyPath(path), 0o600],
    ] as const) {
      if (existsSync(file))
        note("file mode", modeError(file, allowed), `only the owner of ${file} can access it`);
    }
    const { sqliteFault } = await import("../../storage/sqlite/file.ts");
    if (isFull(path)) note("disk", `the disk of ${dirname(linkedFile(path))} is full: free space`, "");
    const fault = sqliteFault(path);
    note(
      "integrity",
      fault && `${path} ${fault.sentence}${fault.damaged ? "; restore a backup with `postern restore`" : ""}`,
      `${path} is intact`,
    );
  }
  await examineDatabase(config, now(), note);
  return findings;
}

async function examineDatabase(
  config: Config,
  now: Date,
  note: (check: string, problem: string | undefined, detail: string) => void,
): Promise<void> {
  const { openStore } = await import("../../storage/store.ts");
  let store: Store;
  try {
    store = await openStore(config.database, { replica: config.database_read });
  } catch (error) {
    note("database", `cannot be opened: ${reasonOf(error)}`, "");
    return;
  }
  try {
    await store.ping();
    note("database", undefined, `${store.dialect} responds`);
    const problem = await store.proveReplica?.().then(
      () => undefined,
      (error: unknown) => reasonOf(error),
    );
    if (config.database_read) note("read replica", problem, "is a standby of the database and up to date");
    const missing = (await store.migrationStatus()).filter(({ applied }) => !applied);
    const names = missing.map(({ version, name }) => `${version} ${name}`).join(", ");
    note(
      "migrations",
      missing.length > 0 ? `missing: ${names}; run \`postern migrate up\`` : undefined,
      "all applied",
    );
    if (missing.length > 0) return;
    await examineKeys(store, config, now, note);
    await examineKeySets(store, config, note);
    if (config.base_url !== undefined) {
      const { check, ok, detail } = await examineIssuer(store, config.base_url, now);
      note(check, ok ? undefined : detail, detail);
    }
    const passkeys = config.base_url && (await examinePasskeys(store, config.base_url));
    if (passkeys) note(passkeys.check, passkeys.ok ? undefined : passkeys.detail, passkeys.detail);
    const imported = await examineImported(store);
    if (imported) note(imported.check, undefined, imported.detail);
    for (const { check, ok, detail } of await examineProviders(store, config, () => now)) {
      note(check, ok ? undefined : detail, detail);
    }
    for (const { check, ok, detail } of [
      await examineDeletions(store, now),
      await examineAddresses(store, config, now),
    ]) {
      note(check, ok ? undefined : detail, detail);
    }
    const alike = await store.lookAlikes(5);
    const called = alike.map(({ table, id }) => `${table} ${id}`).join(", ");
    note(
      "email addresses",
      alike.length > 0
        ? `look like the addresses of other accounts: ${called}; change the addresses of these accounts`
        : undefined,
      "no two are look-alikes",
    );
    const [newest] = await store.list(
      "audit_events",
      {},
      { order_by: "created_at", descending: true, limit: 1 },
    );
    const ahead = newest !== undefined && isAhead(newest.created_at, now);
    note("clock and database", ahead ? "the newest audit event is in the future" : undefined, "agree");
  } catch (error) {
    note("database", `does not respond: ${reasonOf(error)}`, "");
  } finally {
    await store.close();
  }
}

async function examineKeys(
  store: Store,
  config: Config,
  now: Date,
  note: (check: string, problem: string | undefined, detail: string) => void,
): Promise<void> {
  const rows = await store.listSigningKeys();
  const [{ sealer }, { openKeyRing }] = await Promise.all([
    import("../../crypto/sealing.ts"),
    import("../../crypto/signing_keys.ts"),
  ]);
  try {
    const keys = await presentKeys(config);
    if (keys === undefined) {
      const problem = rows.length > 0 ? "is missing, but the signing keys are encrypted with it" : undefined;
      note("secret key", problem, "does not exist yet; the first start creates it");
      return;
    }
    note("secret key", undefined, "found");
    if (rows.length === 0) {
      note("signing keys", undefined, "none yet; the first start creates one");
      return;
    }
    const signer = await openSigner(config);
    const key = (await openKeyRing(rows as never, sealer(keys, signer))).signingKey(now);
    await key.sign("postern doctor");
    await signer?.close();
    note("signing keys", undefined, `${rows.length} can be decrypted; ${key.kid} signs tokens`);
  } catch (error) {
    note("signing keys", reasonOf(error), "");
  }
}

const mostKeySets = 50;

async function examineKeySets(
  store: Store,
  config: Config,
  note: (check: string, problem: string | undefined, detail: string) => void,
): Promise<void> {
  const signing = { token_endpoint_auth_method: "private_key_jwt", active: true } as const;
  const apps = await store.list("oauth_apps", signing, { order_by: "updated_at", descending: true });
  const published = apps.filter(({ jwks_uri }) => jwks_uri !== null).slice(0, mostKeySets);
  if (published.length === 0) return;
  const { keySetError } = await import("../../server/examine_key_set.ts");
  const { signingAlgorithmsOf } = await import("../../admin/records/profile_misfits.ts");
  for (const app of published) {
    const algorithms = signingAlgorithmsOf(app, demandsOn(app, config).client_algorithms);
    const problem = await keySetError(app, algorithms, config);
    const named = `${app.client_id} at ${app.jwks_uri}`;
    note("keys of apps", problem && `${named}: ${problem}`, `${named}: has usable keys`);
  }
}

/**
 * Returns the error with which the server would refuse to start if a secret key exists without its database.
 * Undefined if there is no such error.
 */
function lostError(config: Config): string | undefined {
  try {
    refuseLostDatabase(config);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function modeError(path: string, allowed: number): string | undefined {
  const mode = statSync(path).mode & 0o777;
  if (process.platform === "win32" || (mode & ~allowed) === 0) return undefined;
  return `${path} has mode ${mode.toString(8)}: other accounts can reach it; run chmod ${allowed.toString(8)}`;
}

/** The message of a database driver may name hosts and files, but contains no password. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === "") return error.errors.map(reasonOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
