/** Signing in after an administrator took the second factors (MF-10). */
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { safeHref } from "../../../web/html/safe_href.ts";
import { textField } from "../../../web/html/text_field.ts";
import { layout } from "../../../web/layout.ts";
import { durationText } from "../../../web/measure.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import type { FactorFault } from "../factors/second_factor.page.ts";

export type MailCodeField = {
  /** Where the code was mailed. */
  email: string;
  /** How long it works. */
  minutes: number;
  fault?: FactorFault | undefined;
  /** None was mailed. */
  throttled?: boolean;
};

/** The field for the code. */
export function mailCodeField(
  { words, language }: PageLocale,
  { email, minutes, fault, throttled }: MailCodeField,
): Html {
  const say = words.lostFactors;
  return html`<p>${say.why}${!throttled && html` ${say.sent(html`<bdi class="name">${email}</bdi>`)}`}</p>
${throttled && notice("caution", html`<p>${say.tooMany}</p>`)}
${textField({
  name: "mail_code",
  label: say.label,
  type: "text",
  autocomplete: "one-time-code",
  inputmode: "numeric",
  help: say.help(durationText(minutes * 60, language)),
  fault: fault === "expired" ? say.expired : fault === "wrong" ? say.wrong : undefined,
  max_length: 20,
  required: true,
  autofocus: true,
})}`;
}

export type FactorsLostPage = PageLocale & {
  /** Where the person was going. */
  continue_href: string;
};

/** The person is signed in without a second factor, and is led to where new ones are set up. */
export function factorsLostPage({ continue_href, ...locale }: FactorsLostPage): Html {
  const { signedIn: say } = locale.words.lostFactors;
  return layout({
    ...locale,
    title: say.title,
    body: html`<section class="card"><h1>${say.title}</h1>
<p class="lead">${say.lead}</p>
<div class="decisions"><a class="button" href="${safeHref(continue_href) ?? "/"}">${say.later}</a><a class="button primary" href="/account/security">${say.setUp}</a></div></section>`,
  });
}
