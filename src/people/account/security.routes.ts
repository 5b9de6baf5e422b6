/** `/account/security`: what a person signs in with, and what lately happened to it. */
import type { FastifyInstance } from "fastify";
import type { HttpContext } from "../../http/context.ts";
import { sendPage } from "../../http/page.ts";
import { accountPages } from "./account_person.http.ts";
import { securityPage } from "./security.page.ts";
import { securityCards } from "./security_cards.http.ts";

export const securityPath = "/account/security";

export function securityRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);

  pages.get(securityPath, async (person, _, reply) => {
    const { page, done } = person;
    const cards = await Promise.all(securityCards.map((card) => card(person, context)));
    return sendPage(reply, securityPage({ ...page, cards, done }));
  });
}
