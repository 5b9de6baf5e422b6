import type { MethodKind } from "../../records/names/sign_in_methods.ts";
import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html, type Printable } from "../../web/html/html.ts";
import { moment } from "../../web/moment.ts";
import { type Device, deviceName } from "../core/notices/device.view.ts";
import { type AccountDone, type AccountLocale, accountFrame } from "../core/pages/account_frame.view.ts";
import { pagesNav } from "./pages_nav.view.ts";

type ListedSession = {
  id: string;
  device: Device;
  address: string | null;
  /** `label` is the name of the provider. */
  methods: readonly { kind: MethodKind; label?: string | undefined }[];
  apps: readonly string[];
  begun_at: Date;
  seen_at: Date;
  here: boolean;
};

type ListedDevice = {
  id: string;
  device: Device;
  address: string | null;
  seen_at: Date;
  expires_at: Date;
};

type SessionsPage = AccountLocale & {
  sessions: readonly ListedSession[];
  devices: readonly ListedDevice[];
  notices: "on" | "off" | "always";
  has_mail: boolean;
  csrf_token: string;
  has_others: boolean;
  first_href?: string | undefined;
  next_href?: string | undefined;
  done?: AccountDone | undefined;
};

export function sessionsPage(page: SessionsPage): Html {
  const { sessions, devices, notices, has_mail, csrf_token, has_others, first_href, next_href, ...frame } =
    page;
  const { language } = frame;
  const words = frame.words.account.sessions;
  type Kind = "" | " small" | " danger";
  const button = (action: string, label: Printable, kind: Kind, name?: Printable, fields = {}) =>
    html`<form method="post" action="${action}">${hiddenFields({ csrf_token, ...fields })}<button class="button${kind}" type="submit"${name !== undefined && html` aria-label="${name}"`}>${label}</button></form>`;
  const place = (address: string | null) =>
    address === null
      ? html`<span class="quiet">${words.unknownAddress}</span>`
      : html`<code>${address}</code>`;
  const row = ({ id, device, address, methods, apps, begun_at, seen_at, here }: ListedSession) => {
    const name = deviceName(device, words);
    const how = methods.map(
      ({ kind, label }, index) => html`${index > 0 && " · "}<bdi>${label ?? words.methods[kind]}</bdi>`,
    );
    const used = apps.map((app, index) => html`${index > 0 && ", "}<bdi>${app}</bdi>`);
    return html`<tr role="row"><th role="rowheader" scope="row"><bdi>${name}</bdi>${here && html` <span class="badge">${words.here}</span>`}</th><td role="cell" data-label="${words.address}">${place(address)}</td><td role="cell" data-label="${words.begun}"><span>${moment(begun_at, "minute", language)}${how.length > 0 && html`<br><span class="quiet">${how}</span>`}</span></td><td role="cell" data-label="${words.apps}">${apps.length === 0 ? html`<span class="quiet">${words.noApps}</span>` : html`<span>${used}</span>`}</td><td role="cell" data-label="${words.seen}">${moment(seen_at, "minute", language)}</td><td role="cell">${button(`/account/sessions/${id}/end`, words.end, " small", words.endOf(name))}</td></tr>`;
  };
  const deviceRow = ({ id, device, address, seen_at, expires_at }: ListedDevice) => {
    const name = deviceName(device, words);
    const forget = button(
      `/account/sessions/devices/${id}/forget`,
      words.forget,
      " small",
      words.forgetOf(name),
    );
    return html`<tr role="row"><th role="rowheader" scope="row"><bdi>${name}</bdi></th><td role="cell" data-label="${words.address}">${place(address)}</td><td role="cell" data-label="${words.seen}">${moment(seen_at, "minute", language)}</td><td role="cell" data-label="${words.expires}">${moment(expires_at, "day", language)}</td><td role="cell">${forget}</td></tr>`;
  };
  const remembered = html`<section class="card"><h2>${words.remembered}</h2>
<p class="quiet">${words.rememberedLead}</p>
<table class="table" role="table">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${words.device}</th><th role="columnheader" scope="col">${words.address}</th><th role="columnheader" scope="col">${words.seen}</th><th role="columnheader" scope="col">${words.expires}</th><th role="columnheader" scope="col">${words.action}</th></tr></thead>
<tbody role="rowgroup">${devices.map(deviceRow)}</tbody>
</table>
${devices.length > 1 && html`<div class="actions">${button("/account/sessions/devices/forget-all", words.forgetAll, "")}</div>`}</section>`;
  const next = notices === "on" ? "off" : "on";
  const notifying = html`<section class="card"><h2>${words.noticesTitle}</h2>
<p class="quiet">${words.notices[notices]}</p>
${notices !== "always" && html`<div class="actions">${button("/account/sessions/notices", words.noticesTurn[next], "", undefined, { notices: next })}</div>`}</section>`;
  return accountFrame({
    ...frame,
    here: "sessions",
    lead: words.lead,
    actions: html`${has_others && button("/account/sessions/end-others", words.endOthers, "")}${button("/account/sessions/end-all", words.endAll, " danger")}`,
    body: html`<table class="table" role="table">
<caption>${words.list}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${words.device}</th><th role="columnheader" scope="col">${words.address}</th><th role="columnheader" scope="col">${words.begun}</th><th role="columnheader" scope="col">${words.apps}</th><th role="columnheader" scope="col">${words.seen}</th><th role="columnheader" scope="col">${words.action}</th></tr></thead>
<tbody role="rowgroup">${sessions.map(row)}</tbody>
</table>
${pagesNav(frame, { first_href, next_href })}
${devices.length > 0 && remembered}
${has_mail && notifying}`,
  });
}
