import type { MethodKind } from "../../../records/names/sign_in_methods.ts";
import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { safeHref } from "../../../web/html/safe_href.ts";
import { layout } from "../../../web/layout.ts";
import { durationText } from "../../../web/measure.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

export type SudoError = MethodKind | "throttled" | "changed_meanwhile";

type SudoPage = PageLocale & {
  action: string;
  csrf_token: string;
  /** The encrypted form fields; undefined if they were too long. */
  carried: string | undefined;
  groups: readonly (readonly Html[])[];
  error?: SudoError | undefined;
  retry_after?: number | undefined;
  /** How long a proof counts as recent, in milliseconds. */
  lasts: number;
  cancel_href: string;
  lost_href?: string | undefined;
  leaves?: boolean | undefined;
};

/** Returns the page that asks a signed-in user to reauthenticate before a sensitive action (SU-6). */
export function sudoPage(page: SudoPage): Html {
  const {
    action,
    csrf_token,
    carried,
    groups,
    lasts,
    cancel_href,
    lost_href,
    leaves = false,
    ...locale
  } = page;
  const words = locale.words.sudo;
  const impossible = groups.some((parts) => parts.length === 0);
  const done = groups.length === 0 && page.error === undefined;
  return layout({
    ...locale,
    title: words.title,
    body: html`<section class="card">
<h1>${words.title}</h1>
<p class="lead">${done ? words.confirmedLead : words.lead}</p>
${errorNotice(page, impossible)}
${
  impossible || carried === undefined
    ? html`${!impossible && html`<p>${words.sendAgain(durationText(lasts / 1000, locale.language))}</p>`}
<p><a class="button" href="${cancel_href}">${words.cancel}</a></p>`
    : html`<form method="post" action="${safeHref(action) ?? cancel_href}">
${hiddenFields({ csrf_token, sudo_form: carried })}
${groups}
<div class="decisions">
<a class="button" href="${cancel_href}">${words.cancel}</a>
${!leaves && html`<button class="button primary" type="submit">${done ? words.finish : words.submit}</button>`}
</div>
</form>`
}
${lost_href !== undefined && html`<p><a href="${safeHref(lost_href) ?? ""}">${words.lostPasskey}</a></p>`}
</section>`,
  });
}

function errorNotice({ error, retry_after, words }: SudoPage, impossible: boolean): Html | false {
  if (impossible) return notice("failure", html`<p>${words.sudo.noWay}</p>`);
  if (error === "changed_meanwhile") return notice("failure", html`<p>${words.sudo.changedMeanwhile}</p>`);
  if (error !== "throttled") return false;
  const again =
    retry_after === undefined ? "" : ` ${words.login.againInMinutes(Math.ceil(retry_after / 60))}`;
  return notice("caution", html`<p>${words.sudo.throttled}${again}</p>`, { alert: true });
}
