import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { type AccountLocale, type AccountPlace, accountFrame } from "../core/pages/account_frame.view.ts";
import { roleName } from "./own_organizations.page.ts";

type Ending =
  | {
      kind: "app" | "unasked_app";
      /** How many tokens end, counted only up to `limit`. */
      tokens: number;
      limit: number;
    }
  | { kind: "linked_account" }
  | { kind: "api_key" }
  | {
      kind: "organization";
      role: string;
      last_owner?: boolean;
    };

export type EndingPage = AccountLocale & {
  ending: Ending;
  name: string;
  action: string;
  csrf_token: string;
  keep_href: string;
};

const places = {
  app: "apps",
  unasked_app: "apps",
  linked_account: "linked_accounts",
  api_key: "api_keys",
  organization: "organizations",
} as const satisfies Record<Ending["kind"], AccountPlace>;

/** Renders the page that asks the user to confirm removing the record `name`, with the consequences. */
export function endingPage({ ending, name, action, csrf_token, keep_href, ...frame }: EndingPage): Html {
  const { belongings } = frame.words;
  const words = belongings.endings;
  const { title, lead, submit } = words[ending.kind];
  const refused = ending.kind === "organization" && ending.last_owner === true;
  return accountFrame({
    ...frame,
    here: places[ending.kind],
    title: title(name),
    lead,
    body: html`<section class="card">
${refused && notice("failure", html`<p>${words.lastOwner}</p>`)}
${consequences(ending, frame)}
<form method="post" action="${action}">
${hiddenFields({ csrf_token })}
<div class="decisions"><a class="button" href="${keep_href}">${words.keep}</a><button class="button danger primary" type="submit">${submit}</button></div>
</form>
</section>`,
  });
}

function consequences(ending: Ending, { words }: AccountLocale): Html | undefined {
  const { endings, organizations } = words.belongings;
  switch (ending.kind) {
    case "app":
    case "unasked_app": {
      const { tokens, limit } = ending;
      const { manyTokensEnd, noTokens, tokensEnd } = endings;
      const said = tokens >= limit ? manyTokensEnd(limit) : tokens === 0 ? noTokens : tokensEnd(tokens);
      return html`<ul class="consequences"><li>${said}</li></ul>`;
    }
    case "api_key":
      return html`<ul class="consequences"><li>${endings.programsRefused}</li></ul>`;
    case "organization":
      return html`<ul class="consequences"><li>${endings.mayNoLonger(html`<bdi>${roleName(ending.role, organizations)}</bdi>`)}</li><li>${endings.appsStay}</li></ul>`;
    case "linked_account":
      return undefined;
    default:
      return ending satisfies never;
  }
}
