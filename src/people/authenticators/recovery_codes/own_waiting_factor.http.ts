import type { Html } from "../../../web/html/html.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import type { AccountPerson } from "../../core/pages/account_person.http.ts";
import { nameOfFactor, waitingFactor } from "./enrol_factor.ts";
import { waitingFactorCard } from "./waiting_factor.card.ts";

/** Renders the factor that the user started to add in this session and did not finish. */
export async function ownWaitingFactor(
  { signedIn, page, csrf_token }: AccountPerson,
  { identity }: HttpContext,
): Promise<Html | undefined> {
  const waiting = await waitingFactor(signedIn, identity);
  if (waiting === undefined) return undefined;
  const { factor, until } = waiting;
  return waitingFactorCard({ ...page, name: nameOfFactor(factor), until, csrf_token });
}
