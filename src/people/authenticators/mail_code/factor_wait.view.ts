import { type Html, html } from "../../../web/html/html.ts";
import { cautions } from "../../../web/html/notice.ts";
import { durationText } from "../../../web/measure.ts";
import { moment } from "../../../web/moment.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import type { FactorWait } from "./mailbox_code.ts";

/** Renders from when this device may add the account's first second factor, and why it waits (MF-12). */
export function factorWaitNotice(
  { until, known_after }: FactorWait,
  { words, language }: PageLocale,
): Html | false {
  const { mailbox } = words.ownFactors;
  const from = until ? mailbox.noMailFrom(moment(until, "minute", language)) : mailbox.noMailUnknown;
  const why = mailbox.noMail(durationText(known_after / 1000, language));
  return cautions([html`${from} ${why}`]);
}
