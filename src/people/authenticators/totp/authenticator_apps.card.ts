import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html, type Printable } from "../../../web/html/html.ts";
import { textField } from "../../../web/html/text_field.ts";
import { moment } from "../../../web/moment.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import type { FactorField } from "../../core/factor_proof.ts";
import { factorWaitNotice } from "../mail_code/factor_wait.view.ts";
import type { FactorWait } from "../mail_code/mailbox_code.ts";

type ListedApp = { id: string; name: string; added_at: Date; used_at: Date | null };

type AuthenticatorAppsCard = PageLocale & {
  apps: readonly ListedApp[];
  csrf_token: string;
  can_add: boolean;
  wait?: FactorWait | undefined;
};

export function authenticatorAppsCard({
  apps,
  csrf_token,
  can_add,
  wait,
  ...locale
}: AuthenticatorAppsCard): Html {
  const { words, language } = locale;
  const say = words.ownFactors.apps;
  const link = (href: string, label: string, name: Printable) =>
    html`<a class="button small" href="${href}" aria-label="${name}">${label}</a>`;
  const row = ({ id, name, added_at, used_at }: ListedApp) => {
    const path = `/account/authenticator-apps/${id}`;
    return html`<tr role="row"><th role="rowheader" scope="row"><bdi>${name}</bdi></th><td role="cell" data-label="${say.added}">${moment(added_at, "day", language)}</td><td role="cell" data-label="${say.lastUsed}">${used_at ? moment(used_at, "minute", language) : say.never}</td><td role="cell"><div class="actions">${link(`${path}/rename`, say.rename, say.renameOf(name))}${link(`${path}/remove`, say.remove, say.removeOf(name))}</div></td></tr>`;
  };
  return html`<section class="card" aria-labelledby="own-apps"><h2 id="own-apps">${say.title}</h2>
<p class="quiet">${say.lead}</p>
${
  apps.length === 0
    ? html`<p>${say.none}</p>`
    : html`<table class="table" role="table">
<caption class="unseen">${say.title}</caption>
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${say.name}</th><th role="columnheader" scope="col">${say.added}</th><th role="columnheader" scope="col">${say.lastUsed}</th><th role="columnheader" scope="col">${words.account.sessions.action}</th></tr></thead>
<tbody role="rowgroup">${apps.map(row)}</tbody>
</table>`
}
${wait && factorWaitNotice(wait, locale)}
${can_add && !wait && html`<div class="actions"><form method="post" action="/account/authenticator-apps/new">${hiddenFields({ csrf_token })}<button class="button" type="submit">${say.add}</button></form></div>`}</section>`;
}

export function totpField({ words }: PageLocale, { name, error, required }: FactorField): Html {
  const { totp } = words.secondFactor;
  return textField({
    name,
    label: totp.label,
    type: "text",
    autocomplete: "one-time-code",
    inputmode: "numeric",
    help: totp.help,
    error: error === "wrong" || error === "late" ? totp[error] : undefined,
    max_length: 40,
    required,
    autofocus: required,
  });
}
