import { avatar } from "../../web/html/avatar.ts";
import { type Html, html } from "../../web/html/html.ts";
import type { OpenClientOnPage } from "../../web/html/open_client.ts";
import { mark } from "../../web/layout.ts";
import { moment } from "../../web/moment.ts";
import type { ScopeDescription } from "../../web/scope_descriptions.ts";
import type { OpenConsentWords } from "../../web/words/en/open_consent.ts";
import { type AccountDone, type AccountLocale, accountFrame } from "../core/pages/account_frame.view.ts";
import { scopeList } from "./scope_list.view.ts";

export type ListedApp = {
  id: string;
  name: string | undefined;
  open?: (OpenClientOnPage & { answers_at: readonly string[] }) | undefined;
  logo_url: string | null;
  owner_name: string | undefined;
  scopes: readonly ScopeDescription[];
  since: Date;
  last_used_at: Date | null;
  unasked: boolean;
  off: boolean;
};

type ConnectedAppsPage = AccountLocale & {
  apps: readonly ListedApp[];
  done?: AccountDone | undefined;
};

function openLines(open: NonNullable<ListedApp["open"]>, words: OpenConsentWords): Html {
  const { verified_host, claimed_name, hidden_name, answers_at } = open;
  return html`<p class="badges">${
    verified_host === undefined
      ? html`<span class="badge badge-caution">${words.unproven}</span>`
      : html`<span class="badge badge-success">${words.verified}</span>`
  }</p>
${claimed_name !== undefined && html`<p class="quiet">${words.callsItself(html`<bdi>${claimed_name}</bdi>`)}</p>`}
${hidden_name !== undefined && html`<p class="quiet">${words.hiddenName[hidden_name]}</p>`}
<p class="quiet">${words.answersAt(html`<bdi dir="ltr">${answers_at.join(", ")}</bdi>`)}</p>`;
}

/** Renders the apps with access to the account, and the scopes of each (A-20). */
export function connectedAppsPage({ apps, ...frame }: ConnectedAppsPage): Html {
  const { language } = frame;
  const { openConsent } = frame.words;
  const { apps: words, since, lastUsed, neverUsed } = frame.words.belongings;
  const card = ({ id, logo_url, owner_name, scopes, unasked, off, open, ...app }: ListedApp) => {
    const name = app.name ?? openConsent.unknown;
    const used = app.last_used_at === null ? neverUsed : lastUsed(moment(app.last_used_at, "day", language));
    return html`<article class="card" aria-labelledby="app-${id}">
<div class="person">${avatar({ name, logo_url, kind: "client" })}<div><h2 id="app-${id}"><bdi>${name}</bdi></h2>
<p class="quiet">${owner_name !== undefined && html`${words.by(html`<bdi>${owner_name}</bdi>`)} · `}${since(moment(app.since, "day", language))} · ${used}${off && html` <span class="badge badge-quiet">${words.off}</span>`}</p></div></div>
${open && openLines(open, openConsent)}
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
