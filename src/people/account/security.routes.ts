/** `/account/security`: the user's sign-in methods and recent events. */
import type { FastifyInstance } from "fastify";
import { sendPage } from "../../http/page.ts";
import { ownWaitingFactor } from "../authenticators/recovery_codes/own_waiting_factor.http.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { accountPages, securityPath } from "../core/pages/account_person.http.ts";
import { recentEvents } from "./recent_events.http.ts";
import { securityPage } from "./security.page.ts";

export function securityRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);

  pages.get(securityPath, async (person, request, reply) => {
    const { page, done } = person;
    const requested = { ...person, request };
    const cards = context.authenticators.map(async (each) => each.card?.(requested, context));
    const waiting = ownWaitingFactor(person, context);
    const shown = await Promise.all([waiting, ...cards, recentEvents(person, context)]);
    return sendPage(reply, securityPage({ ...page, cards: shown, done }));
  });
}
