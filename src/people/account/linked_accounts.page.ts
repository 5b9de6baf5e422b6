import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { mark } from "../../web/layout.ts";
import { moment } from "../../web/moment.ts";
import { type AccountDone, type AccountLocale, accountFrame } from "../core/pages/account_frame.view.ts";
import type { OfferedProvider } from "../providers/provider_buttons.view.ts";
import { providerMark } from "../providers/provider_mark.view.ts";
import { pagesNav } from "./pages_nav.view.ts";

type LinkedAccountsPage = AccountLocale & {
  accounts: readonly {
    id: string;
    provider: string;
    identifier: string;
    linked_at: Date;
  }[];
  linkable: readonly OfferedProvider[];
  csrf_token: string;
  /** The user tried to remove the only sign-in method (EP-13). */
  last_way?: boolean | undefined;
  first_href?: string | undefined;
  next_href?: string | undefined;
  done?: AccountDone | undefined;
};

export function linkedAccountsPage({
  accounts,
  linkable,
  csrf_token,
  last_way,
  first_href,
  next_href,
  ...frame
}: LinkedAccountsPage): Html {
  const words = frame.words.belongings.linked;
  const row = ({ id, provider, identifier, linked_at }: LinkedAccountsPage["accounts"][number]) =>
    html`<tr role="row"><th role="rowheader" scope="row"><bdi>${provider}</bdi></th><td role="cell" data-label="${words.identifier}"><bdi>${identifier}</bdi></td><td role="cell" data-label="${words.linked}">${moment(linked_at, "day", frame.language)}</td><td role="cell"><a class="button small danger" href="/account/linked-accounts/${id}/unlink" aria-label="${words.unlinkOf(provider)}">${words.unlink}</a></td></tr>`;
  const say = frame.words.providers.linking;
  const buttons = linkable.map(
    (provider) => html`<form method="post" action="/account/linked-accounts/link">
${hiddenFields({ csrf_token, provider: provider.slug })}
<button class="button provider" type="submit">${providerMark(provider.preset)}<span>${say.link(provider.label)}</span></button>
</form>`,
  );
  return accountFrame({
    ...frame,
    here: "linked_accounts",
    lead: words.lead,
    body: html`${last_way && notice("failure", html`<p>${say.lastWay}. ${say.lastWayLead}</p>`)}
${
  accounts.length === 0
    ? html`<div class="empty">${mark}<h2>${words.none}</h2><p class="lead">${words.noneLead}</p></div>`
    : html`<table class="table" role="table">
<caption>${words.list}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${words.provider}</th><th role="columnheader" scope="col">${words.identifier}</th><th role="columnheader" scope="col">${words.linked}</th><th role="columnheader" scope="col">${words.action}</th></tr></thead>
<tbody role="rowgroup">${accounts.map(row)}</tbody>
</table>`
}
${pagesNav(frame, { first_href, next_href })}
${linkable.length > 0 && html`<section class="card"><h2>${say.title}</h2><p class="lead">${say.lead}</p><div class="providers">${buttons}</div></section>`}`,
  });
}
