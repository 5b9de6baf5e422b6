/** Checks or imports an upload in this process, after the response to the form that started it. */
import { setImmediate as giveWay } from "node:timers/promises";
import type { AdminContext } from "../admin/access/actor.ts";
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
import { collect, type ReadExport } from "../moving_in/core/collecting.ts";
import { lossSums } from "../moving_in/core/loss_sums.ts";
import type { ImportMap, Loss } from "../moving_in/core/moved.ts";
import { recordsOf } from "../moving_in/core/records_of.ts";
import type { User } from "../records/definition/definition.ts";
import type { ImportState } from "../records/names/import_state.ts";
import { english } from "../web/words/english.ts";
import { fieldErrorText } from "../web/words/error_text.ts";

/** Number of characters parsed before other requests get a turn. */
const chunk = 65_536;
/** Maximum number of lines shown of each list. */
const mostLines = 200;

/** Reads the export. Throws an `ImportFault`, which names the line and quotes nothing. */
export async function readUpload(
  { system, organization, uploaded_at, text }: ImportUpload,
  lose: (loss: Loss) => void,
): Promise<ReadExport & { readonly lines: readonly string[]; readonly map: ImportMap }> {
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
  const read = await collect(
    source,
    map,
    async (take) => {
      for await (const found of recordsOf(chunks(), source.arrays)) take(found);
    },
    { person: (moved) => lines.push(JSON.stringify(moved)), lose },
  );
  return { ...read, lines, map };
}

const told = (errors: readonly FieldError[]) =>
  errors.map(({ path, ...why }) => ({ path, message: fieldErrorText(why, english) }));

/** Returns this server's management interface, which checks the permission before each batch. */
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
  };
}

/** Runs the import of the user's upload, and stores its state; never rejects. */
export async function runImport(admin: AdminContext, user: User, dryRun: boolean): Promise<void> {
  // Revoking the permissions meanwhile ends the run.
  const { remembered: _, ...context } = admin;
  const upload = await findImport(context, user.id, "upload");
  if (upload === undefined) return;
  const { system, source } = upload;
  const heard = () => ({ system, source, dry_run: dryRun, heard_at: context.now().getTime() });
  const note = (state: Omit<ImportState, "system" | "source" | "dry_run" | "heard_at">) =>
    storeImport(context, user.id, "state", { ...heard(), ...state });
  const phase = dryRun ? "checking" : "importing";
  let done = 0;
  let total = 0;
  try {
    const sums = lossSums();
    const lose = (loss: Loss) =>
      sums.add(loss, typeof loss.reason === "string" ? loss.reason : fieldErrorText(loss.reason, english));
    const { lines, map, records, other_subjects } = await readUpload(upload, lose);
    total = lines.length;
    const target = localTarget(context, source, dryRun);
    const {
      created,
      unchanged,
      kept = [],
      refused,
    } = await applyRecords(target, records, user.email, {
      ...{ dryRun, lose },
    });
    const people = await sendPeople(target, lines, records, { dryRun, lose, map, refused }, async (sent) => {
      done = sent;
      await note({ phase, done, total });
    });
    const ofClients = sums.ofClients();
    if (!dryRun) {
      const losses = sums.sums().reduce((sum, { count }) => sum + count, 0);
      await recordImport(context, { system, source, ...people, records: created.length, losses });
      await forgetImport(context, user.id, "upload");
    }
    await note({
      ...{ phase: dryRun ? "checked" : "imported", done, total, people, other_subjects },
      records: {
        created: created.slice(0, mostLines),
        stay: kept.length + unchanged.length,
        refused: refused.slice(0, mostLines).map(({ object, reason }) => `${object}: ${reason}`),
      },
      losses: sums.sums(),
      clients: records.apps.slice(0, mostLines).map(({ client_id }) => ({
        client_id: String(client_id),
        changes: ofClients.get(`client ${String(client_id)}`) ?? [],
      })),
    });
  } catch (error) {
    const reason = error instanceof Problem ? error.code : "the server failed";
    // The store may be the cause of the failure, or closed.
    await note({ phase: "failed", done, total, error: reason }).catch(() => {});
  }
}
