/** `/console/…/:id/switch-on`: reactivates a record. */
import type { FastifyInstance } from "fastify";
import { isHeldOff } from "../../admin/access/own_columns.ts";
import { requireWritable, updateRecord } from "../../admin/manage/manage.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { type ConsolePerson, consolePages, sudoFor } from "../frame/viewer.http.ts";
import { type DestructiveChange, isVouchedFor } from "../presentations/presentation.http.ts";
import { presentations } from "../presentations/presentations.http.ts";
import { isOpenTo } from "./confirmation.http.ts";

function switchOf({ resourceType }: Resource): DestructiveChange | undefined {
  return presentations[resourceType].destructive?.find(({ verb }) => verb === "switch_off");
}

/** Returns whether the record is inactive and the viewer may reactivate it. */
export async function maySwitchOn(
  { admin, page }: Pick<ConsolePerson, "admin" | "page">,
  resource: Resource,
  view: PublicView,
): Promise<boolean> {
  const change = switchOf(resource);
  const { is_platform_admin } = page.viewer;
  if (change === undefined || view[change.field] !== false) return false;
  if (!isOpenTo(resource, change, is_platform_admin) || isVouchedFor(change, view, is_platform_admin))
    return false;
  return is_platform_admin || !(await isHeldOff(admin, resource.table, view));
}

export function switchOnRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  const change = switchOf(resource);
  if (change === undefined) return;
  const { resourceType } = resource;
  const pages = consolePages(app, context);
  const path = resourceTypeHref(resourceType);
  pages.post(
    `${path}/:id/switch-on`,
    async ({ admin, id }, _request, reply) => {
      const record = await requireWritable(admin, resource, id);
      const href = `${path}/${record.id}`;
      // If a double click sent the form twice, the first request has already reactivated the record.
      if (record.view[change.field] !== false) return reply.redirect(href, 303);
      await updateRecord(admin, resource, record, { [change.field]: true });
      return reply.redirect(`${href}?done=switched_on`, 303);
    },
    sudoFor(resourceType),
  );
  // If a POST fails, its error page has this URL. The language menu there returns to it with GET.
  pages.get(`${path}/:id/switch-on`, async ({ id }, _request, reply) =>
    reply.redirect(`${path}/${encodeURIComponent(id)}`, 303),
  );
}
