/**
 * Checks an uploaded export of another identity system, and imports it if the user then asks for that
 * (MG-13). Both continue in this process after the response was sent.
 */
import { setImmediate as giveWay } from "node:timers/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { AdminContext } from "../admin/access/actor.ts";
import { findOrganization } from "../admin/imports/add_memberships.ts";
import { importPeople } from "../admin/imports/import_people.ts";
import {
  findImport,
  forgetImport,
  type ImportUpload,
  recordImport,
  storeImport,
} from "../admin/imports/import_uploads.ts";
import { requireImport } from "../admin/imports/may_import.ts";
import { applyManifest } from "../admin/manifest/apply_manifest.ts";
import type { FieldError } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import { allSources } from "../moving_in/all_sources.ts";
import { applyRecords, importPeople as sendPeople, type Target } from "../moving_in/core/apply_export.ts";
import { checkMap, WrongMap } from "../moving_in/core/check_map.ts";
import { collect, type ReadExport } from "../moving_in/core/collecting.ts";
import { type Found, ImportFault } from "../moving_in/core/import_fault.ts";
import { lossColumns, lossSums } from "../moving_in/core/loss_sums.ts";
import type { ImportMap, Loss, MovedPerson } from "../moving_in/core/moved.ts";
import { withOwnRecords } from "../moving_in/core/own_records.ts";
import { recordsOf } from "../moving_in/core/records_of.ts";
import type { Source } from "../moving_in/core/source.ts";
import { OtherSystem, requireOwnExport } from "../moving_in/other_system.ts";
import type { ImportState } from "../records/names/import_state.ts";
import { isAhead } from "../records/names/liveness.ts";
import { attributesOf } from "../records/rules/attributes.ts";
import { csvLine } from "../web/csv_line.ts";
import { english } from "../web/words/english.ts";
import { fieldErrorText } from "../web/words/error_text.ts";

/** In bytes. The command line accepts larger exports. */
export const mostExportBytes = 1_000_000;
/** In characters. The process handles other requests after each chunk. */
const chunk = 65_536;
const mostLines = 200;
const mostLossCharacters = 4_000_000;
/** In milliseconds. A check or import that reported no progress for this time is treated as stopped. */
const silence = 60_000;

/**
 * The programs whose exports the console can import. `firebase` is excluded because it needs parameters, and
 * `postern` because its exports may be encrypted.
 */
export const importSystems: readonly string[] = allSources
  .map(({ name }) => name)
  .filter((name) => !["firebase", "postern"].includes(name));

/**
 * Throws an `ImportFault` or `OtherSystem` if the export cannot be read. The messages of these errors do not
 * quote the export.
 */
async function readUpload(
  { system, organization, uploaded_at, text }: ImportUpload,
  lose: (loss: Loss) => void,
): Promise<
  ReadExport & { readonly lines: readonly string[]; readonly source: Source; readonly map: ImportMap }
> {
  const source = allSources.find(({ name }) => name === system);
  if (source === undefined) throw new TypeError(`no system ${system}`);
  const map: ImportMap = {
    ...{ columns: {}, providers: {}, organization, rp_id: undefined, firebase: undefined },
    exported_at: uploaded_at,
  };
  async function* chunks() {
    for (let at = 0; at < text.length; at += chunk) {
      yield text.slice(at, at + chunk);
      await giveWay();
    }
  }
  const lines: string[] = [];
  const each = async (take: (found: Found) => unknown) => {
    for await (const found of recordsOf(chunks(), source.arrays)) take(found);
  };
  const person = (moved: MovedPerson) => lines.push(JSON.stringify(moved));
  const read = await collect(source, map, each, { person, lose });
  await requireOwnExport(source, read, each);
  return { ...read, lines, source, map };
}

const told = (errors: readonly FieldError[]) =>
  errors.map(({ path, ...why }) => ({ path, code: why.code, message: fieldErrorText(why, english) }));

/** Checks the permission to import before each batch, because the user may lose it meanwhile. */
function localTarget(context: AdminContext, source: string, dry_run: boolean): Target {
  return {
    async importPeople(people) {
      await requireImport(context);
      const results = await importPeople(context, people, { source, dry_run });
      return results.map(({ status, losses, errors }) => ({
        ...{ status, losses: told(losses), errors: told(errors) },
      }));
    },
    async apply(manifest, dryRun) {
      await requireImport(context);
      try {
        return await applyManifest(manifest, context, { source, dryRun });
      } catch (error) {
        if (!(error instanceof Problem) || error.code !== "invalid_manifest") throw error;
        return { wrong: told(error.errors), error };
      }
    },
    findOrganization: async (name) => (await findOrganization(context.store, name))?.id,
    userAttributes: async () =>
      attributesOf("users", null, await context.store.attributeDefinitions()).map(({ name }) => name),
  };
}

function lossFile() {
  const sums = lossSums();
  const lines = [csvLine(lossColumns)];
  let characters = 0;
  return {
    sums,
    lose(loss: Loss): void {
      const { object, member, reason } = loss;
      const said = typeof reason === "string" ? reason : fieldErrorText(reason, english);
      sums.add(loss, said);
      if (characters > mostLossCharacters) return;
      const line = csvLine([object, member, said]);
      characters += line.length;
      const isLast = characters > mostLossCharacters;
      lines.push(
        isLast ? csvLine(["", "", "more losses than fit here: postern import lists them all"]) : line,
      );
    },
    compressed: async () => (await promisify(gzip)(lines.join(""))).toString("base64"),
  };
}

interface FoundRun {
  readonly state: ImportState | undefined;
  readonly is_running: boolean;
}

export async function findRun(admin: AdminContext): Promise<FoundRun> {
  const state = await findImport(admin, "state");
  const is_running =
    state !== undefined &&
    ["checking", "importing"].includes(state.phase) &&
    admin.now().getTime() - state.heard_at < silence &&
    !isAhead(new Date(state.heard_at), admin.now());
  return { state, is_running };
}

/**
 * Returns a CSV file of data that was not imported or, after a check, would not be. Undefined unless the
 * latest check or import succeeded.
 */
export async function findLosses(admin: AdminContext): Promise<Buffer | undefined> {
  const compressed = await findImport(admin, "losses");
  return compressed === undefined ? undefined : promisify(gunzip)(Buffer.from(compressed, "base64"));
}

/**
 * Stores the export and starts to check it in the background. Throws an `ImportFault` or `OtherSystem` if the
 * export cannot be read, and a `WrongMap` if the organization does not exist.
 */
export async function beginCheck(
  admin: AdminContext,
  given: Omit<ImportUpload, "uploaded_at">,
): Promise<void> {
  const upload = { ...given, uploaded_at: admin.now().toISOString() };
  const { lines, source, records, map } = await readUpload(upload, () => {});
  await checkMap(localTarget(admin, upload.source, true), source, records, map);
  await storeImport(admin, "upload", upload);
  await begin(admin, upload, true, lines.length);
}

type Unreadable =
  | { type: "unreadable"; message: string }
  | { type: "no_organization" }
  | { type: "other_system"; system: string; likely: readonly string[] };

/** Returns why the export cannot be imported. Rethrows errors that have another cause. */
export function unreadable(error: unknown): Unreadable {
  if (error instanceof ImportFault) return { type: "unreadable", message: error.message };
  if (error instanceof OtherSystem)
    return { type: "other_system", system: error.system, likely: error.likely };
  if (error instanceof WrongMap) return { type: "no_organization" };
  throw error;
}

/**
 * Starts or resumes the import of a checked export. Does nothing without one, or while a check or an import
 * runs.
 */
export async function beginApply(admin: AdminContext): Promise<void> {
  const [{ state, is_running }, upload] = await Promise.all([findRun(admin), findImport(admin, "upload")]);
  const isChecked = state !== undefined && (state.phase === "checked" || !state.dry_run);
  if (isChecked && !is_running && upload !== undefined) await begin(admin, upload, false, state.total);
}

/** Deletes the upload, its progress and the file of losses. */
export async function discardRun(admin: AdminContext): Promise<void> {
  for (const kind of ["upload", "state", "losses"] as const) await forgetImport(admin, kind);
}

async function begin(
  admin: AdminContext,
  upload: ImportUpload,
  dry_run: boolean,
  total: number,
): Promise<void> {
  const { system, source } = upload;
  const state: ImportState = {
    ...{ system, source, dry_run, phase: dry_run ? "checking" : "importing" },
    ...{ heard_at: admin.now().getTime(), done: 0, total },
  };
  await forgetImport(admin, "losses");
  await storeImport(admin, "state", state);
  void run(admin, upload, dry_run);
}

/** Runs in the background without a caller that handles errors, so it must never reject. */
async function run(admin: AdminContext, upload: ImportUpload, dryRun: boolean): Promise<void> {
  // Without the cache, permissions are read for each batch, so the import ends if the user loses them.
  const { remembered: _, ...context } = admin;
  const { system, source, owner } = upload;
  const heard = () => ({ system, source, dry_run: dryRun, heard_at: context.now().getTime() });
  const note = (state: Omit<ImportState, "system" | "source" | "dry_run" | "heard_at">) =>
    storeImport(context, "state", { ...heard(), ...state });
  const phase = dryRun ? "checking" : "importing";
  let done = 0;
  let total = 0;
  const { sums, lose, compressed } = lossFile();
  try {
    const read = await readUpload(upload, lose);
    const { lines, map, records } = read;
    total = lines.length;
    const target = localTarget(context, source, dryRun);
    const organization_id = await checkMap(target, read.source, records, map);
    const applied = await applyRecords(target, records, owner, { dryRun, lose, map, organization_id });
    const { created, unchanged, kept = [], refused, accepted } = applied;
    const importing = { dryRun, lose, allowed: withOwnRecords(accepted, records.providers, map, lose) };
    const sending = sendPeople(target, lines, read, importing, async (sent) => {
      done = sent;
      await note({ phase, done, total });
    });
    const { people, memberships, other_subjects } = await sending;
    await storeImport(context, "losses", await compressed());
    if (!dryRun) {
      const losses = sums.sums().reduce((sum, { count }) => sum + count, 0);
      await recordImport(context, { system, source, ...people, records: created.length, losses });
      await forgetImport(context, "upload");
    }
    await note({
      ...{ phase: dryRun ? "checked" : "imported", done, total, people, other_subjects },
      memberships: memberships.slice(0, mostLines),
      records: {
        created: created.slice(0, mostLines),
        stay: kept.length + unchanged.length,
        refused: refused.slice(0, mostLines).map(({ object, reason }) => `${object}: ${reason}`),
      },
      losses: sums.sums(),
      clients: sums.ofClients(records.apps.slice(0, mostLines)),
    });
  } catch (error) {
    const wrong = error instanceof WrongMap ? error.message : "the server failed";
    const reason = error instanceof Problem ? error.code : wrong;
    // Writing may fail too, for example if the server is stopping.
    await note({ phase: "failed", done, total, error: reason }).catch(() => {});
  }
}
