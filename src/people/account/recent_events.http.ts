import { recentAccountEvents } from "../core/account_events.ts";
import { deviceOf } from "./device.view.ts";
import { recentEventsCard } from "./recent_events.card.ts";
import type { SecurityCard } from "./security_card.http.ts";

const mostShown = 10;

/** The newest sign-ins and changes of what the person signs in with. */
export const recentEvents: SecurityCard = async ({ signedIn, page }, { identity }) => {
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
};
