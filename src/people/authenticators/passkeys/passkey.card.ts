import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html, type Printable } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { moment } from "../../../web/moment.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import { factorWaitNotice } from "../mail_code/factor_wait.view.ts";
import type { FactorWait } from "../mail_code/mailbox_code.ts";
import { passkeysUnable } from "./passkey_form.view.ts";

type ListedPasskey = {
  id: string;
  name: string;
  synced: boolean;
  signs_in: boolean;
  added_at: Date;
  used_at: Date | null;
};

type PasskeyCard = PageLocale & {
  passkeys: readonly ListedPasskey[];
  csrf_token: string;
  can_add: boolean;
  wait?: FactorWait | undefined;
  /** The only sign-in method is one passkey on one device (PK-14). */
  is_only_method: boolean;
  upgrades?: { readonly agreed: boolean; readonly action: string } | undefined;
};

export function passkeyCard(card: PasskeyCard): Html {
  const { passkeys, csrf_token, can_add, wait, is_only_method, upgrades, ...locale } = card;
  const { words, language } = locale;
  const say = words.passkeys.card;
  const kindOf = ({ synced, signs_in }: ListedPasskey) =>
    !signs_in ? say.securityKey : synced ? say.synced : say.deviceOnly;
  const link = (href: string, label: string, name: Printable) =>
    html`<a class="button small" href="${href}" aria-label="${name}">${label}</a>`;
  const row = (passkey: ListedPasskey) => {
    const { id, name, added_at, used_at } = passkey;
    const path = `/account/passkeys/${id}`;
    return html`<tr role="row"><th role="rowheader" scope="row"><bdi>${name}</bdi> <span class="badge">${kindOf(passkey)}</span></th><td role="cell" data-label="${say.added}">${moment(added_at, "day", language)}</td><td role="cell" data-label="${say.lastUsed}">${used_at ? moment(used_at, "minute", language) : say.never}</td><td role="cell"><div class="actions">${link(`${path}/rename`, say.rename, say.renameOf(name))}${link(`${path}/remove`, say.remove, say.removeOf(name))}</div></td></tr>`;
  };
  const add = (kind: string, label: string) =>
    html`<form method="post" action="/account/passkeys/new">${hiddenFields({ csrf_token, kind })}<button class="button" type="submit">${label}</button></form>`;
  return html`<section class="card" aria-labelledby="own-passkeys"><h2 id="own-passkeys">${say.title}</h2>
<p class="quiet">${say.lead}</p>
${is_only_method && notice("caution", html`<p>${say.single}</p>`)}
${
  passkeys.length === 0
    ? html`<p>${say.none}</p>`
    : html`<table class="table" role="table">
<caption class="unseen">${say.title}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${say.name}</th><th role="columnheader" scope="col">${say.added}</th><th role="columnheader" scope="col">${say.lastUsed}</th><th role="columnheader" scope="col">${words.account.sessions.action}</th></tr></thead>
<tbody role="rowgroup">${passkeys.map(row)}</tbody>
</table>`
}
${wait && factorWaitNotice(wait, locale)}
${can_add && !wait && html`<noscript>${passkeysUnable(locale)}</noscript><div class="actions">${add("passkey", say.add)}${add("security_key", say.addKey)}</div>`}
${
  upgrades &&
  html`<form method="post" action="${upgrades.action}">${hiddenFields({ csrf_token, agreed: upgrades.agreed ? "no" : "yes" })}
<p class="quiet">${say.upgrades}</p><div class="actions"><button class="button" type="submit">${upgrades.agreed ? say.forbidUpgrades : say.allowUpgrades}</button></div></form>`
}</section>`;
}
