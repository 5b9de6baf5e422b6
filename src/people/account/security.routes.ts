import type { FastifyInstance } from "fastify";
import { sendPage } from "../../http/page.ts";
import type { Html } from "../../web/html/html.ts";
import { nameOfFactor, waitingFactor } from "../authenticators/recovery_codes/enrol_factor.ts";
import { waitingFactorCard } from "../authenticators/recovery_codes/waiting_factor.card.ts";
import { recentAccountEvents } from "../core/account_events.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { deviceOf } from "../core/notices/device.view.ts";
import { type AccountPerson, accountPages, securityPath } from "../core/pages/account_person.http.ts";
import { recentEventsCard } from "./recent_events.card.ts";
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

const mostShown = 10;

async function recentEvents(
  { signedIn, page }: Pick<AccountPerson, "signedIn" | "page">,
  { identity }: HttpContext,
): Promise<Html> {
  const events = await recentAccountEvents(signedIn.user, mostShown, identity);
  return recentEventsCard({
    ...page,
    events: events.map(({ kind, at, by_other, client_ip, user_agent }) => ({
      kind,
      at,
      by_other,
      address: client_ip,
      device: deviceOf(user_agent),
    })),
  });
}

async function ownWaitingFactor(
  { signedIn, page, csrf_token }: AccountPerson,
  { identity }: HttpContext,
): Promise<Html | undefined> {
  const waiting = await waitingFactor(signedIn, identity);
  if (waiting === undefined) return undefined;
  const { factor, until } = waiting;
  return waitingFactorCard({ ...page, name: nameOfFactor(factor), until, csrf_token });
}
