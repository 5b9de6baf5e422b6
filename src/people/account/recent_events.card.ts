import type { AccountEventKind } from "../../records/definition/account_events.ts";
import { type Html, html } from "../../web/html/html.ts";
import { moment } from "../../web/moment.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import { type Device, deviceName } from "../core/notices/device.view.ts";

type ShownAccountEvent = {
  kind: AccountEventKind;
  at: Date;
  by_other: boolean;
  address: string | null;
  device: Device;
};

type RecentEventsCard = PageLocale & { events: readonly ShownAccountEvent[] };

export function recentEventsCard({ words, language, events }: RecentEventsCard): Html {
  const say = words.security.recent;
  const { sessions } = words.account;
  const from = ({ by_other, device }: ShownAccountEvent) =>
    by_other ? say.byOther : html`<bdi>${deviceName(device, sessions)}</bdi>`;
  const at = ({ address, by_other }: ShownAccountEvent) =>
    address === null
      ? html`<span class="quiet">${by_other ? "–" : sessions.unknownAddress}</span>`
      : html`<code>${address}</code>`;
  const row = (event: ShownAccountEvent) =>
    html`<tr role="row"><th role="rowheader" scope="row">${say.kinds[event.kind]}</th><td role="cell" data-label="${say.when}">${moment(event.at, "minute", language)}</td><td role="cell" data-label="${sessions.device}">${from(event)}</td><td role="cell" data-label="${sessions.address}">${at(event)}</td></tr>`;
  return html`<section class="card" aria-labelledby="recent-events"><h2 id="recent-events">${say.title}</h2>
${
  events.length === 0
    ? html`<p class="quiet">${say.none}</p>`
    : html`<table class="table" role="table">
<caption class="unseen">${say.title}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${say.what}</th><th role="columnheader" scope="col">${say.when}</th><th role="columnheader" scope="col">${sessions.device}</th><th role="columnheader" scope="col">${sessions.address}</th></tr></thead>
<tbody role="rowgroup">${events.map(row)}</tbody>
</table>`
}</section>`;
}
