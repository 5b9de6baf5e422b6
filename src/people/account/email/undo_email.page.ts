import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { layout } from "../../../web/layout.ts";
import { durationText } from "../../../web/measure.ts";
import { plainMessage } from "../../../web/plain_message.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import {
  type RecoveryOptions,
  recoveryOptions,
} from "../../authenticators/recovery/recovery_options.view.ts";
import { type StolenList, stolenList } from "../endings/stolen_lines.view.ts";

type UndoEmailPage = PageLocale &
  StolenList & {
    email: string;
    lock_hours: number;
    token: string;
    csrf_token: string;
    out_of_date?: boolean | undefined;
  };

/** Renders the confirmation page for restoring a former email address. */
export function undoEmailPage(page: UndoEmailPage): Html {
  const { email, ended, lock_hours, token, csrf_token, out_of_date, ...locale } = page;
  const words = locale.words.ownAccount.email;
  return layout({
    ...locale,
    title: words.undoTitle,
    body: html`<section class="card">
<h1>${words.undoTitle}</h1>
<p class="lead">${words.undoLead(html`<bdi>${email}</bdi>`, durationText(lock_hours * 3600, locale.language))}</p>
${stolenList(ended, locale.words.impact)}
${out_of_date && notice("failure", html`<p>${words.outOfDate}</p>`)}
<form method="post" action="/undo-email">
${hiddenFields({ token, csrf_token })}
<button class="button primary" type="submit">${words.undo}</button>
</form>
</section>`,
  });
}

type EmailUndonePage = PageLocale &
  StolenList & {
    kept: boolean;
    options?: RecoveryOptions | undefined;
  };

export function emailUndonePage({ kept, ended, options, ...locale }: EmailUndonePage): Html {
  const words = locale.words.ownAccount.email;
  return layout({
    ...locale,
    title: words.undoneTitle,
    body: html`<section class="card">
<h1>${words.undoneTitle}</h1>
<p class="lead">${words.undoneLead}</p>
${stolenList(ended, locale.words.impact)}
${kept && html`<p>${words.undoneKept}</p>`}
${
  options === undefined
    ? html`<p>${words.undoneLink}</p>
<a class="button primary" href="/forgot-password">${words.choosePassword}</a>`
    : recoveryOptions(options, locale)
}
</section>`,
  });
}

export function deadEmailLinkPage(locale: PageLocale): Html {
  const { deadTitle: title, deadLead: lead } = locale.words.ownAccount.email;
  return plainMessage(locale, { title, lead, link: { href: "/account", label: locale.words.frame.account } });
}
