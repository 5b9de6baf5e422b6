import { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import { mayDo } from "../../admin/access/access.ts";
import { noteUserExport } from "../../admin/records/export_user.ts";
import { originOf } from "../../http/request_origin.ts";
import { ownData } from "../../people/account/export_data.ts";
import { sendPasswordReset } from "../../people/authenticators/password/send_password_reset.http.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { type ConsolePerson, consolePages } from "../frame/viewer.http.ts";
import type { RecordButton } from "./record.page.ts";

const users = resourceTypeHref("users");

/** Returns the buttons that send another user a password reset link or export the user's data. */
export async function helpFor(
  { admin, page }: Pick<ConsolePerson, "admin" | "page">,
  view: PublicView,
  { mail }: Pick<HttpContext, "mail">,
): Promise<readonly RecordButton[]> {
  const id = String(view.id);
  const isSelf = admin.actor.kind === "user" && admin.actor.user.id === id;
  if (isSelf || !page.viewer.is_platform_admin) return [];
  if (!(await mayDo(admin, "users:write", "users", id))) return [];
  const { actions } = page.words;
  const mails = mail !== undefined && view.active === true;
  return [
    ...(mails ? [{ action: `${users}/${id}/send-password-reset`, label: actions.sendPasswordReset }] : []),
    { action: `${users}/${id}/export-data`, label: actions.exportData },
  ];
}

export function userHelpRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);

  pages.post(
    `${users}/:id/send-password-reset`,
    async ({ admin, id }, request, reply) => {
      const user = await sendPasswordReset(admin, id, originOf(request), context);
      return reply.redirect(`${users}/${user.id}?done=reset_link_sent`, 303);
    },
    { sudo: true },
  );

  pages.post(
    `${users}/:id/export-data`,
    async ({ admin, id: named }, _request, reply) => {
      const user = await noteUserExport(admin, named);
      return reply
        .type("application/json; charset=utf-8")
        .header("cache-control", "no-store")
        .header("content-disposition", `attachment; filename="user-${user.id}.json"`)
        .send(Readable.from(ownData(user, context.identity), { objectMode: false }));
    },
    { sudo: true },
  );

  // If a POST fails, its error page has one of these URLs. The language menu there returns to it with GET.
  for (const step of ["send-password-reset", "export-data"])
    pages.get(`${users}/:id/${step}`, async ({ id }, _request, reply) =>
      reply.redirect(`${users}/${encodeURIComponent(id)}`, 303),
    );
}
