import type { FastifyInstance } from "fastify";
import { actOnRecord, requireWritable } from "../../admin/manage/manage.ts";
import { type Resource, resourceOf } from "../../admin/resources/resources.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isFeatureOn } from "../../records/names/profiles.ts";
import type { ManagementWords } from "../../web/words/en/management.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { consolePages } from "../frame/viewer.http.ts";
import type { RecordButton } from "./record.page.ts";

const deliveries = resourceTypeHref("deliveries");
const apps = resourceTypeHref("apps");

/**
 * Returns the button that retries a delivery or sends an app a test logout notice; none for other records.
 * Call it only for viewers who may write the record.
 */
export function noticeButtons(
  { resourceType }: Resource,
  view: PublicView,
  { actions }: ManagementWords,
  { server }: Pick<HttpContext, "server">,
): readonly RecordButton[] {
  if (resourceType === "deliveries" && view.state !== "done")
    return [{ action: `${deliveries}/${view.id}/retry`, label: actions.retryNotice }];
  const receives = resourceType === "apps" && view.backchannel_logout_uri !== null;
  return receives && isFeatureOn("logout_notices", server.settings)
    ? [{ action: `${apps}/${view.id}/test-logout`, label: actions.testNotice }]
    : [];
}

export function noticeButtonRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);

  pages.post(`${deliveries}/:id/retry`, async ({ admin, id }, _request, reply) => {
    const resource = resourceOf("deliveries");
    const record = await requireWritable(admin, resource, id);
    await actOnRecord(admin, resource, "retry", record, {});
    return reply.redirect(`${deliveries}/${record.id}?done=notice_due`, 303);
  });

  pages.post(`${apps}/:id/test-logout`, async ({ admin, id }, _request, reply) => {
    const resource = resourceOf("apps");
    const record = await requireWritable(admin, resource, id);
    await actOnRecord(admin, resource, "test_logout", record, {});
    return reply.redirect(`${deliveries}?target_id=${record.id}&done=notice_due`, 303);
  });

  // If a POST fails, its error page has one of these URLs. The language menu there returns to it with GET.
  for (const [path, step] of [
    [deliveries, "retry"],
    [apps, "test-logout"],
  ] as const)
    pages.get(`${path}/:id/${step}`, async ({ id }, _request, reply) =>
      reply.redirect(`${path}/${encodeURIComponent(id)}`, 303),
    );
}
