/**
 * Stores the export files that platform administrators upload in the console, encrypted. Each administrator
 * has at most one file, which is kept for at most a day (MG-13).
 */
import { sha256 } from "../../crypto/digest.ts";
import type { AuditEvent } from "../../records/definition/definition.ts";
import type { JsonObject } from "../../records/definition/field.ts";
import type { ImportState } from "../../records/names/import_state.ts";
import { type AdminContext, nameOfActor, sealerOf } from "../access/actor.ts";
import { type AdminEvent, logEvent, recordEvent } from "../changes/audit.ts";

/** The time for which an uploaded file is kept, in seconds. */
const keptFor = 86_400;

export interface ImportUpload {
  readonly system: string;
  readonly source: string;
  readonly organization?: string | undefined;
  readonly owner?: string | undefined;
  readonly uploaded_at: string;
  readonly text: string;
}

const kinds = { upload: "import_upload", state: "import_state", losses: "import_losses" } as const;
interface Contents {
  readonly upload: ImportUpload;
  readonly state: ImportState;
  /** A CSV file of the data that was not imported, compressed with gzip and encoded as base64. */
  readonly losses: string;
}

function placeOf({ actor }: AdminContext, kind: keyof Contents) {
  const holder = nameOfActor(actor);
  return { key: sha256(`import ${holder}`), sealed_for: `${kinds[kind]} ${holder}` };
}

export async function storeImport<K extends keyof Contents>(
  context: AdminContext,
  kind: K,
  content: Contents[K],
): Promise<void> {
  const { key, sealed_for } = placeOf(context, kind);
  const at = context.now();
  const sealed = sealerOf(context).seal("ephemera", JSON.stringify(content), sealed_for);
  const expires_at = new Date(at.getTime() + keptFor * 1000);
  await context.store.storeEphemeral(kinds[kind], key, sealed, expires_at, at);
}

export async function findImport<K extends keyof Contents>(
  context: AdminContext,
  kind: K,
): Promise<Contents[K] | undefined> {
  const { key, sealed_for } = placeOf(context, kind);
  const sealed = await context.store.findEphemeral(kinds[kind], key, context.now());
  if (sealed === undefined) return undefined;
  return JSON.parse(sealerOf(context).open("ephemera", sealed, sealed_for));
}

export const forgetImport = (context: AdminContext, kind: keyof Contents): Promise<void> =>
  context.store.forgetEphemeral(kinds[kind], placeOf(context, kind).key);

const recorded = "records_imported";

export async function recordImport(context: AdminContext, details: JsonObject): Promise<void> {
  const event: AdminEvent = { type: recorded, details };
  await recordEvent(context, event);
  logEvent(context, event);
}

export const importRuns = ({ store }: AdminContext, limit: number): Promise<AuditEvent[]> =>
  store.list("audit_events", { type: recorded }, { descending: true, limit });
