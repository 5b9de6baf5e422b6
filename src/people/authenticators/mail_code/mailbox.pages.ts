import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { textField } from "../../../web/html/text_field.ts";
import { durationText } from "../../../web/measure.ts";
import { type AccountLocale, accountFrame } from "../../core/pages/account_frame.view.ts";
import { factorWaitNotice } from "./factor_wait.view.ts";
import type { FactorWait } from "./mailbox_code.ts";

type MailboxPage = AccountLocale & {
  email: string;
  /** How long a user must have used a browser before no code is needed, in milliseconds. */
  known_after: number;
  action: string;
  back_href: string;
  fields: Readonly<Record<string, string>>;
  error?: "wrong" | "ended" | "too_many" | undefined;
};

/** Renders the form for the mailed code that a new device needs (MF-12). */
export function mailboxPage(page: MailboxPage): Html {
  const { email, known_after, action, back_href, fields, error, ...frame } = page;
  const { mailbox, enrol } = frame.words.ownFactors;
  const over = error === "ended" || error === "too_many";
  return accountFrame({
    ...frame,
    here: "security",
    title: mailbox.title,
    lead: mailbox.lead(durationText(known_after / 1000, frame.language)),
    body: html`<section class="card">
${over && notice("failure", html`<p>${mailbox[error]}</p>`)}
${
  over
    ? html`<div class="actions"><a class="button" href="${back_href}">${mailbox.back}</a></div>`
    : html`<p>${mailbox.sent(html`<bdi>${email}</bdi>`)}</p>
<form method="post" action="${action}">
${hiddenFields(fields)}
${textField({ name: "code", label: mailbox.code, type: "text", autocomplete: "one-time-code", inputmode: "numeric", max_length: 32, required: true, autofocus: true, error: error === "wrong" ? mailbox.wrong : undefined })}
<div class="actions"><button class="button primary" type="submit">${mailbox.submit}</button><a class="button" href="${back_href}">${enrol.cancel}</a></div>
</form>`
}
</section>`,
  });
}

type NewDevicePage = AccountLocale & Pick<MailboxPage, "back_href"> & { wait: FactorWait };

/** Renders why this device must wait, on a server that cannot email a code (MF-12). */
export function newDevicePage({ wait, back_href, ...frame }: NewDevicePage): Html {
  const { mailbox } = frame.words.ownFactors;
  return accountFrame({
    ...frame,
    here: "security",
    title: mailbox.noMailTitle,
    body: html`<section class="card">${factorWaitNotice(wait, frame)}<div class="actions"><a class="button" href="${back_href}">${mailbox.back}</a></div></section>`,
  });
}
