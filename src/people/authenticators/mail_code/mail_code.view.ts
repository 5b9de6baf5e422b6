import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { textField } from "../../../web/html/text_field.ts";
import { durationText } from "../../../web/measure.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import type { FactorError } from "../../core/factor_proof.ts";

type LostFactorsField = {
  name: string;
  email: string;
  minutes: number;
  error?: FactorError | undefined;
  throttled?: boolean;
};

/** Renders the field for the mailed code that replaces removed second factors (MF-10). */
export function lostFactorsField(
  { words, language }: PageLocale,
  { name, email, minutes, error, throttled }: LostFactorsField,
): Html {
  const say = words.lostFactors;
  return html`<p>${say.why}${!throttled && html` ${say.sent(html`<bdi class="name">${email}</bdi>`)}`}</p>
${throttled && notice("caution", html`<p>${say.tooMany}</p>`)}
${textField({
  name,
  label: say.label,
  type: "text",
  autocomplete: "one-time-code",
  inputmode: "numeric",
  help: say.help(durationText(minutes * 60, language)),
  error: error === "expired" ? say.expired : error === "wrong" ? say.wrong : undefined,
  max_length: 20,
  required: true,
  autofocus: true,
})}`;
}

interface MailboxPart {
  readonly code: string;
  readonly send: string;
  readonly email: string;
  readonly minutes: number;
  readonly requested: boolean;
  readonly wrong: boolean;
}

/** Renders the field for a mailed code, or the button that requests one, on the sudo page. */
export function sudoMailboxPart(
  { code, send, email, minutes, requested, wrong }: MailboxPart,
  { words, language }: PageLocale,
): Html {
  const { sudo, ownFactors } = words;
  if (!requested) {
    return html`${wrong && html`<p class="field-error">${sudo.wrongMailCode}</p>`}
<p>${sudo.mailboxLead(html`<bdi>${email}</bdi>`)}</p>
<p><button class="button primary" type="submit" name="${send}" value="yes">${sudo.sendMailCode}</button></p>`;
  }
  return html`<p>${ownFactors.mailbox.sent(html`<bdi class="name">${email}</bdi>`)}</p>
${textField({
  name: code,
  label: sudo.mailCodeLabel,
  type: "text",
  autocomplete: "one-time-code",
  help: sudo.mailCodeHelp(durationText(minutes * 60, language)),
  error: wrong ? sudo.wrongMailCode : undefined,
  max_length: 40,
})}`;
}
