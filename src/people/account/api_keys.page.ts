import { type Html, html } from "../../web/html/html.ts";
import { notice } from "../../web/html/notice.ts";
import { mark } from "../../web/layout.ts";
import { moment } from "../../web/moment.ts";
import { type AccountDone, type AccountLocale, accountFrame } from "../core/pages/account_frame.view.ts";
import { pagesNav } from "./pages_nav.view.ts";

type ListedKey = {
  id: string;
  name: string;
  prefix: string;
  scopes: readonly string[];
  expires_at: Date | null;
  expired: boolean;
  last_used_at: Date | null;
};

type ApiKeysPage = AccountLocale & {
  keys: readonly ListedKey[];
  first_href?: string | undefined;
  next_href?: string | undefined;
  done?: AccountDone | undefined;
};

const newHref = "/account/api-keys/new";

export function apiKeysPage({ keys, first_href, next_href, ...frame }: ApiKeysPage): Html {
  const { language } = frame;
  const words = frame.words.belongings.keys;
  const create = html`<a class="button primary" href="${newHref}">${words.create}</a>`;
  const nav = pagesNav(frame, { first_href, next_href });
  const row = ({ id, name, prefix, scopes, expires_at, expired, last_used_at }: ListedKey) =>
    html`<tr role="row"><th role="rowheader" scope="row"><bdi>${name}</bdi><br><code class="quiet">${prefix}…</code></th><td role="cell" data-label="${words.scopes}"><details><summary>${words.scopeCount(scopes.length)}</summary><ul>${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}</ul></details></td><td role="cell" data-label="${words.expires}">${expired ? html`<span><span class="badge badge-failure">${words.expired}</span></span>` : expires_at === null ? words.never : moment(expires_at, "day", language)}</td><td role="cell" data-label="${words.used}">${last_used_at === null ? words.never : moment(last_used_at, "minute", language)}</td><td role="cell"><a class="button small danger" href="/account/api-keys/${id}/revoke" aria-label="${words.revokeOf(name)}">${words.revoke}</a></td></tr>`;
  return accountFrame({
    ...frame,
    here: "api_keys",
    lead: words.lead,
    actions: keys.length > 0 && create,
    body:
      keys.length === 0
        ? html`<div class="empty">${mark}<h2>${words.none}</h2><p class="lead">${words.noneLead}</p>${create}</div>${nav}`
        : html`<table class="table" role="table">
<caption>${words.list}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${words.name}</th><th role="columnheader" scope="col">${words.scopes}</th><th role="columnheader" scope="col">${words.expires}</th><th role="columnheader" scope="col">${words.used}</th><th role="columnheader" scope="col">${words.action}</th></tr></thead>
<tbody role="rowgroup">${keys.map(row)}</tbody>
</table>
${nav}`,
  });
}

type ApiKeyMadePage = AccountLocale & { name: string; key: string };

/** Renders the new key. No later page can show it, because only its hash is stored. */
export function apiKeyMadePage({ name, key, ...frame }: ApiKeyMadePage): Html {
  const words = frame.words.belongings.keys;
  return accountFrame({
    ...frame,
    here: "api_keys",
    title: words.madeTitle,
    body: html`<section class="card"><h2><bdi>${name}</bdi></h2>
${notice("caution", html`<p>${words.onceOnly}</p>`)}
<div class="secret"><code>${key}</code></div>
<div class="actions"><a class="button" href="/account/api-keys">${words.back}</a></div>
</section>`,
  });
}
