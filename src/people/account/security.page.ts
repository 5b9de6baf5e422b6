import { type Html, html } from "../../web/html/html.ts";
import { type AccountDone, type AccountLocale, accountFrame } from "../core/pages/account_frame.view.ts";

type SecurityPage = AccountLocale & {
  cards: readonly (Html | undefined)[];
  done?: AccountDone | undefined;
};

export function securityPage({ cards, ...frame }: SecurityPage): Html {
  const words = frame.words.security;
  return accountFrame({ ...frame, here: "security", lead: words.lead, body: html`${cards}` });
}
