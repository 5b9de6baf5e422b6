import { hiddenFields } from "../hidden_fields.ts";
import { type Html, html, type Printable } from "../html.ts";
import { moment } from "../moment.ts";
import { type AccountDone, type AccountLocale, accountFrame } from "./account_frame.ts";
import { type Device, deviceName } from "./device.ts";
import { pagesNav } from "./pages_nav.ts";

export type ListedSession = {
  id: string;
  device: Device;
  address: string | null;
  begun_at: Date;
  seen_at: Date;
  /** The one that the page is shown in. */
  here: boolean;
};

export type SessionsPage = AccountLocale & {
  sessions: readonly ListedSession[];
  csrf_token: string;
  /** There are others than this one. */
  has_others: boolean;
  first_href?: string | undefined;
  next_href?: string | undefined;
  done?: AccountDone | undefined;
};

/** The person's sessions, with a button to end each and all of them. */
export function sessionsPage(page: SessionsPage): Html {
  const { sessions, csrf_token, has_others, first_href, next_href, ...frame } = page;
  const { language } = frame;
  const words = frame.words.account.sessions;
  const button = (action: string, label: Printable, kind: "" | " small" | " danger", name?: Printable) =>
    html`<form method="post" action="${action}">${hiddenFields({ csrf_token })}<button class="button${kind}" type="submit"${name !== undefined && html` aria-label="${name}"`}>${label}</button></form>`;
  const row = ({ id, device, address, begun_at, seen_at, here }: ListedSession) => {
    const name = deviceName(device, words);
    return html`<tr role="row"><th role="rowheader" scope="row"><bdi>${name}</bdi>${here && html` <span class="badge">${words.here}</span>`}</th><td role="cell" data-label="${words.address}">${address === null ? html`<span class="quiet">${words.unknownAddress}</span>` : html`<code>${address}</code>`}</td><td role="cell" data-label="${words.begun}">${moment(begun_at, "minute", language)}</td><td role="cell" data-label="${words.seen}">${moment(seen_at, "minute", language)}</td><td role="cell">${button(`/account/sessions/${id}/end`, words.end, " small", words.endOf(name))}</td></tr>`;
  };
  return accountFrame({
    ...frame,
    here: "sessions",
    lead: words.lead,
    actions: html`${has_others && button("/account/sessions/end-others", words.endOthers, "")}${button("/account/sessions/end-all", words.endAll, " danger")}`,
    body: html`<table class="table" role="table">
<caption>${words.list}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${words.device}</th><th role="columnheader" scope="col">${words.address}</th><th role="columnheader" scope="col">${words.begun}</th><th role="columnheader" scope="col">${words.seen}</th><th role="columnheader" scope="col">${words.action}</th></tr></thead>
<tbody role="rowgroup">${sessions.map(row)}</tbody>
</table>
${pagesNav(frame, { first_href, next_href })}`,
  });
}
