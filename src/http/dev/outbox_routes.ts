/** `/dev/outbox`: the emails that `postern dev` stores instead of sending. */
import type { FastifyInstance } from "fastify";
import type { Mail } from "../../records/names/notices.ts";
import { outboxPage } from "../../web/pages/outbox_page.ts";
import { managementLocale } from "../../web/words/management_locale.ts";
import { localeOf } from "../language.ts";
import { sendPage } from "../page.ts";

export interface OutboxSource {
  kept(): readonly (Mail & { readonly kept_at: Date })[];
}

export function outboxRoutes(app: FastifyInstance, outbox: OutboxSource): void {
  app.get("/dev/outbox", async (request, reply) =>
    sendPage(reply, outboxPage({ ...managementLocale(localeOf(request)), mails: outbox.kept() })),
  );
}
