import type { Html } from "../../web/html/html.ts";
import { recentAccountEvents } from "../core/account_events.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { deviceOf } from "../core/notices/device.view.ts";
import type { AccountPerson } from "../core/pages/account_person.http.ts";
import { recentEventsCard } from "./recent_events.card.ts";

const mostShown = 10;

/** Returns the card with the newest sign-ins and changes to the user's sign-in methods. */
export async function recentEvents(
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
