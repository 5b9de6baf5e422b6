import type { FastifyInstance, FastifyReply } from "fastify";
import { requirePlatform } from "../admin/access/access.ts";
import { findImport, importRuns } from "../admin/imports/import_uploads.ts";
import { requireImport, sourceShape } from "../admin/imports/may_import.ts";
import { sendPage } from "../http/page.ts";
import type { HttpContext } from "../people/core/http_context.http.ts";
import { importPath as path } from "./frame/console_frame.view.ts";
import { type ConsolePerson, consolePages } from "./frame/viewer.http.ts";
import { type ImportPage, importPage } from "./import.page.ts";
import {
  beginApply,
  beginCheck,
  discardRun,
  findLosses,
  findRun,
  mostExportBytes,
  importSystems as systems,
  unreadable,
} from "./import_job.http.ts";

/** In bytes: the export and the rest of the form. */
const mostFormBytes = mostExportBytes + 20_000;
/** In seconds: the interval at which the page reloads while a check or an import runs. */
const lookAgain = 2;
const mostRuns = 10;

export function importPageRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);

  async function show(
    { admin, page, csrf_token }: ConsolePerson,
    reply: FastifyReply,
    form: Partial<Pick<ImportPage, "form" | "error">> = {},
  ): Promise<FastifyReply> {
    await requirePlatform(admin);
    const [found, upload, runs] = await Promise.all([
      findRun(admin),
      findImport(admin, "upload"),
      importRuns(admin, mostRuns),
    ]);
    const actors = runs.flatMap(({ actor_kind, actor_id }) =>
      actor_kind === "user" && actor_id ? actor_id : [],
    );
    const names = await admin.store.namesOf("users", actors);
    if (found.is_running) reply.header("refresh", String(lookAgain));
    const last = found.state && { ...found.state, organization: upload?.organization ?? "" };
    const shown = importPage({
      ...{ ...page, csrf_token, systems, ...found, has_upload: upload !== undefined, form: last, ...form },
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
      const [system = "", organization = ""] = [params.get("system"), params.get("organization")?.trim()];
      const source = params.get("source")?.trim() || system;
      const text = params.get("file") || params.get("text") || "";
      const form = { system, source, organization };
      if ((await findRun(admin)).is_running) return reply.redirect(path, 303);
      if (!systems.includes(system) || text.trim() === "")
        return show(person, reply, { form, error: { type: "incomplete" } });
      if (!sourceShape.test(source)) return show(person, reply, { form, error: { type: "wrong_source" } });
      if (Buffer.byteLength(text) > mostExportBytes)
        return show(person, reply, { form, error: { type: "too_large" } });
      const owner = signedIn.user.email;
      try {
        await beginCheck(admin, { system, source, organization: organization || undefined, owner, text });
      } catch (error) {
        return show(person, reply, { form, error: unreadable(error) });
      }
      return reply.redirect(path, 303);
    },
    { upload: { most_bytes: mostFormBytes, allows: ({ is_platform_admin }) => is_platform_admin } },
  );

  pages.post(
    `${path}/apply`,
    async ({ admin }, _request, reply) => {
      await requireImport(admin);
      await beginApply(admin);
      return reply.redirect(path, 303);
    },
    { sudo: true, return_to: path },
  );

  pages.post(`${path}/discard`, async ({ admin }, _request, reply) => {
    await requirePlatform(admin);
    await discardRun(admin);
    return reply.redirect(path, 303);
  });

  pages.post(
    `${path}/losses`,
    async ({ admin }, _request, reply) => {
      await requirePlatform(admin);
      const losses = await findLosses(admin);
      if (losses === undefined) return reply.redirect(path, 303);
      return reply
        .type("text/csv; charset=utf-8; header=present")
        .header("cache-control", "no-store")
        .header("content-disposition", 'attachment; filename="losses.csv"')
        .send(losses);
    },
    { return_to: path },
  );
}
