/** Lets platform administrators import another system's export. */
import type { FastifyInstance, FastifyReply } from "fastify";
import { requirePlatform } from "../admin/access/access.ts";
import { findImport, forgetImport, importRuns, storeImport } from "../admin/imports/import_uploads.ts";
import { requireImport, sourceShape } from "../admin/imports/may_import.ts";
import { sendPage } from "../http/page.ts";
import { allSources } from "../moving_in/all_sources.ts";
import { ImportFault } from "../moving_in/core/import_fault.ts";
import type { HttpContext } from "../people/core/http_context.http.ts";
import type { ImportState } from "../records/names/import_state.ts";
import { importPath as path } from "./frame/console_frame.view.ts";
import { type ConsolePerson, consolePages } from "./frame/viewer.http.ts";
import { type ImportPage, importPage } from "./import.page.ts";
import { readUpload, runImport } from "./import_job.http.ts";

/** Maximum size of an export in bytes; the command line accepts larger ones. */
const mostExportBytes = 1_000_000;
/** Maximum size of the form in bytes: the export and its envelope. */
const mostFormBytes = mostExportBytes + 20_000;
/** Milliseconds without a report after which a run counts as stopped; seconds between two refreshes. */
const silence = 60_000;
const lookAgain = 2;
const mostRuns = 10;

/** Sources that need no parameters; `postern` exports are sealed. */
const systems = allSources.map(({ name }) => name).filter((name) => !["firebase", "postern"].includes(name));

export function importPageRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);

  async function show(
    { admin, page, csrf_token, signedIn }: ConsolePerson,
    reply: FastifyReply,
    form: Partial<Pick<ImportPage, "form" | "error">> = {},
  ): Promise<FastifyReply> {
    await requirePlatform(admin);
    const { id } = signedIn.user;
    const [state, upload, runs] = await Promise.all([
      findImport(admin, id, "state"),
      findImport(admin, id, "upload"),
      importRuns(admin, mostRuns),
    ]);
    const actors = runs.flatMap(({ actor_kind, actor_id }) =>
      actor_kind === "user" && actor_id ? actor_id : [],
    );
    const names = await admin.store.namesOf("users", actors);
    const isRunning = state !== undefined && isBusy(state, admin.now());
    if (isRunning) reply.header("refresh", String(lookAgain));
    const shown = importPage({
      ...{
        ...page,
        csrf_token,
        systems,
        state,
        has_upload: upload !== undefined,
        is_running: isRunning,
        ...form,
      },
      most_bytes: mostExportBytes,
      runs: runs.map(({ created_at, actor_id, details }) => ({
        ...{ created_at, details: details ?? {}, by: names.get(actor_id ?? "")?.unique_name },
      })),
    });
    return sendPage(reply, shown, form.error === undefined ? {} : { status: 422 });
  }

  pages.get(path, (person, _request, reply) => show(person, reply));

  pages.post(
    path,
    async (person, _request, reply) => {
      const { admin, params, signedIn } = person;
      await requireImport(admin);
      const { id } = signedIn.user;
      const [system = "", organization = ""] = [params.get("system"), params.get("organization")?.trim()];
      const source = params.get("source")?.trim() || system;
      const text = params.get("file") || params.get("text") || "";
      const form = { system, source, organization };
      const state = await findImport(admin, id, "state");
      if (state !== undefined && isBusy(state, admin.now())) return reply.redirect(path, 303);
      if (!systems.includes(system) || !sourceShape.test(source) || text.trim() === "")
        return show(person, reply, { form, error: { type: "incomplete" } });
      if (Buffer.byteLength(text) > mostExportBytes)
        return show(person, reply, { form, error: { type: "too_large" } });
      const upload = {
        ...{ system, source, organization: organization || undefined, text },
        uploaded_at: admin.now().toISOString(),
      };
      try {
        await readUpload(upload, () => {});
      } catch (error) {
        if (!(error instanceof ImportFault)) throw error;
        return show(person, reply, { form, error: { type: "unreadable", message: error.message } });
      }
      await storeImport(admin, id, "upload", upload);
      return begin(person, reply, { system, source }, true);
    },
    { upload: { most_bytes: mostFormBytes, allows: ({ is_platform_admin }) => is_platform_admin } },
  );

  async function begin(
    { admin, signedIn: { user } }: ConsolePerson,
    reply: FastifyReply,
    of: Pick<ImportState, "system" | "source">,
    dryRun: boolean,
  ): Promise<FastifyReply> {
    const phase = dryRun ? "checking" : "importing";
    const started = {
      ...of,
      phase,
      dry_run: dryRun,
      heard_at: admin.now().getTime(),
      done: 0,
      total: 0,
    } as const;
    await storeImport(admin, user.id, "state", started);
    void runImport(admin, user, dryRun);
    return reply.redirect(path, 303);
  }

  pages.post(
    `${path}/apply`,
    async (person, _request, reply) => {
      const { admin, signedIn } = person;
      await requireImport(admin);
      const [state, upload] = await Promise.all([
        findImport(admin, signedIn.user.id, "state"),
        findImport(admin, signedIn.user.id, "upload"),
      ]);
      const isReady = state !== undefined && !isBusy(state, admin.now()) && mayBegin(state);
      return isReady && upload ? begin(person, reply, upload, false) : reply.redirect(path, 303);
    },
    { sudo: true, return_to: path },
  );

  pages.post(`${path}/discard`, async ({ admin, signedIn }, _request, reply) => {
    await requirePlatform(admin);
    for (const kind of ["upload", "state"] as const) await forgetImport(admin, signedIn.user.id, kind);
    return reply.redirect(path, 303);
  });
}

const isBusy = ({ phase, heard_at }: ImportState, now: Date): boolean =>
  ["checking", "importing"].includes(phase) && now.getTime() - heard_at < silence;

/** An export must be checked before it is imported. */
const mayBegin = ({ phase, dry_run }: ImportState): boolean => phase === "checked" || !dry_run;
