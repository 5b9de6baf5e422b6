/** `/account/security`: what a person signs in with, and what lately happened to it. */
import type { FastifyInstance } from "fastify";
import { securityPage } from "../../web/account/security_page.ts";
import type { HttpContext } from "../context.ts";
import { sendPage } from "../page.ts";
import { accountPages } from "./account_person.ts";
import { securityCards } from "./security/all_cards.ts";

export const securityPath = "/account/security";

export function securityRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);

  pages.get(securityPath, async (person, _, reply) => {
    const { page, done } = person;
    const cards = await Promise.all(securityCards.map((card) => card(person, context)));
    return sendPage(reply, securityPage({ ...page, cards, done }));
  });
}
