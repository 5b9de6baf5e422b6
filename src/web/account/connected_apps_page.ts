import { avatar } from "../avatar.ts";
import { type Html, html } from "../html.ts";
import { mark } from "../layout.ts";
import { moment } from "../moment.ts";
import type { ScopeDescription } from "../scope_descriptions.ts";
import { type AccountDone, type AccountLocale, accountFrame } from "./account_frame.ts";
import { scopeList } from "./scope_list.ts";

export type ListedApp = {
  /** Of the app's record. */
  id: string;
  name: string;
  logo_url: string | null;
  owner_name: string | undefined;
  scopes: readonly ScopeDescription[];
  since: Date;
  last_used_at: Date | null;
  /** It never asked: a first-party app. */
  unasked: boolean;
  /** Switched off or revoked, or its organization is. */
  off: boolean;
};

export type ConnectedAppsPage = AccountLocale & {
  apps: readonly ListedApp[];
  done?: AccountDone | undefined;
};

/** The apps that may use the account, and the scopes of each of them (A-20). */
export function connectedAppsPage({ apps, ...frame }: ConnectedAppsPage): Html {
  const { language } = frame;
  const { apps: words, since, lastUsed, neverUsed } = frame.words.belongings;
  const card = ({ id, name, logo_url, owner_name, scopes, unasked, off, ...app }: ListedApp) => {
    const used = app.last_used_at === null ? neverUsed : lastUsed(moment(app.last_used_at, "day", language));
    return html`<article class="card" aria-labelledby="app-${id}">
<div class="person">${avatar({ name, logo_url, kind: "client" })}<div><h2 id="app-${id}"><bdi>${name}</bdi></h2>
<p class="quiet">${owner_name !== undefined && html`${words.by(html`<bdi>${owner_name}</bdi>`)} · `}${since(moment(app.since, "day", language))} · ${used}${off && html` <span class="badge badge-quiet">${words.off}</span>`}</p></div></div>
${unasked && html`<p class="quiet">${words.unasked}</p>`}
<div><h3 class="quiet">${words.able}</h3>
${scopeList(scopes, frame)}</div>
<div class="actions"><a class="button danger" href="/account/apps/${id}/withdraw" aria-label="${words.withdrawOf(name)}">${words.withdraw}</a></div>
</article>`;
  };
  return accountFrame({
    ...frame,
    here: "apps",
    lead: words.lead,
    body:
      apps.length > 0
        ? html`${apps.map(card)}`
        : html`<div class="empty">${mark}<h2>${words.none}</h2><p class="lead">${words.noneLead}</p></div>`,
  });
}
