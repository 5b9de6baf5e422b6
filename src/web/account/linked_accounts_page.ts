import { type Html, html } from "../html.ts";
import { mark } from "../layout.ts";
import { moment } from "../moment.ts";
import { type AccountDone, type AccountLocale, accountFrame } from "./account_frame.ts";
import { pagesNav } from "./pages_nav.ts";

export type LinkedAccountsPage = AccountLocale & {
  accounts: readonly { id: string; provider: string; provider_user_id: string; linked_at: Date }[];
  first_href?: string | undefined;
  next_href?: string | undefined;
  done?: AccountDone | undefined;
};

/** Accounts at other providers that were linked to this one. */
export function linkedAccountsPage({ accounts, first_href, next_href, ...frame }: LinkedAccountsPage): Html {
  const words = frame.words.belongings.linked;
  const row = ({ id, provider, provider_user_id, linked_at }: LinkedAccountsPage["accounts"][number]) =>
    html`<tr role="row"><th role="rowheader" scope="row"><bdi>${provider}</bdi></th><td role="cell" data-label="${words.identifier}"><code>${provider_user_id}</code></td><td role="cell" data-label="${words.linked}">${moment(linked_at, "day", frame.language)}</td><td role="cell"><a class="button small danger" href="/account/linked-accounts/${id}/unlink" aria-label="${words.unlinkOf(provider)}">${words.unlink}</a></td></tr>`;
  return accountFrame({
    ...frame,
    here: "linked_accounts",
    lead: words.lead,
    body:
      accounts.length === 0
        ? html`<div class="empty">${mark}<h2>${words.none}</h2><p class="lead">${words.noneLead}</p></div>${pagesNav(frame, { first_href, next_href })}`
        : html`<table class="table" role="table">
<caption>${words.list}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${words.provider}</th><th role="columnheader" scope="col">${words.identifier}</th><th role="columnheader" scope="col">${words.linked}</th><th role="columnheader" scope="col">${words.action}</th></tr></thead>
<tbody role="rowgroup">${accounts.map(row)}</tbody>
</table>
${pagesNav(frame, { first_href, next_href })}`,
  });
}
