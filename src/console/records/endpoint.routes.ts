import type { FastifyInstance } from "fastify";
import { actOnRecord, requireWritable, updateRecord } from "../../admin/manage/manage.ts";
import { resourceOf } from "../../admin/resources/resources.ts";
import { formOf } from "../../http/form.ts";
import { sendPage } from "../../http/page.ts";
import type { Params } from "../../oauth/core/params.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { Words } from "../../web/words/words.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { consolePages, sudoFor } from "../frame/viewer.http.ts";
import { madePage } from "./form.page.ts";
import type { RecordButton } from "./record.page.ts";

const resource = resourceOf("webhook_endpoints");
const path = resourceTypeHref("webhook_endpoints");

/**
 * Returns a button that rotates the secret of an endpoint and, if it is active, one that sends it a test
 * event. Call it only for viewers who may write the endpoint.
 */
export function endpointButtons(view: PublicView, { webhooks }: Words): readonly RecordButton[] {
  return [
    ...(view.active === true ? [{ action: `${path}/${view.id}/ping`, label: webhooks.ping }] : []),
    { action: `${path}/${view.id}/rotate-secret`, label: webhooks.rotateSecret },
  ];
}

/** Times in the form are in UTC. */
function replayOf(form: Params): Record<string, unknown> {
  const given = (name: string) => form.get(name)?.trim() ?? "";
  const [event_id, since, after, types] = ["event_id", "since", "after", "types"].map(given);
  return {
    ...(event_id && { event_id }),
    ...(since && { since: `${since}Z` }),
    ...(after && { after: Number(after) }),
    ...(types && { types: [types] }),
  };
}

export function endpointRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  const sudo = sudoFor(resource.resourceType);

  pages.post(`${path}/:id/ping`, async ({ admin, id }, _request, reply) => {
    const record = await requireWritable(admin, resource, id);
    await actOnRecord(admin, resource, "ping", record, {});
    return reply.redirect(`${path}/${record.id}?done=notice_due`, 303);
  });

  pages.post(`${path}/:id/replay`, async ({ admin, id }, request, reply) => {
    const record = await requireWritable(admin, resource, id);
    await actOnRecord(admin, resource, "replay", record, replayOf(formOf(request)));
    return reply.redirect(`${path}/${record.id}?done=notice_due`, 303);
  });

  pages.post(
    `${path}/:id/activate`,
    async ({ admin, id }, request, reply) => {
      const record = await requireWritable(admin, resource, id);
      await updateRecord(admin, resource, record, { active: true, resume: formOf(request).get("resume") });
      return reply.redirect(`${path}/${record.id}?done=switched_on`, 303);
    },
    sudo,
  );

  pages.post(
    `${path}/:id/rotate-secret`,
    async ({ admin, id, page }, _request, reply) => {
      const record = await requireWritable(admin, resource, id);
      const { secret } = await actOnRecord(admin, resource, "rotate_secret", record, {});
      return sendPage(
        reply,
        madePage({
          ...page,
          resourceType: "webhook_endpoints",
          name: String(record.view.url),
          href: `${path}/${record.id}`,
          once: [{ name: "secret", value: String(secret) }],
        }),
      );
    },
    sudo,
  );

  // If a POST fails, its error page has one of these URLs. The language menu there returns to it with GET.
  for (const step of ["ping", "replay", "activate", "rotate-secret"])
    pages.get(`${path}/:id/${step}`, async ({ id }, _request, reply) =>
      reply.redirect(`${path}/${encodeURIComponent(id)}`, 303),
    );
}
