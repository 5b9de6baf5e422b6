import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { textField } from "../../../web/html/text_field.ts";
import { durationText } from "../../../web/measure.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";

export type RecoveryError = "wrong" | "expired" | "throttled" | "out_of_date";

/** Renders the field for the mailed code. */
export function recoveryCodeField(
  { minutes, error }: { minutes: number; error?: RecoveryError | undefined },
  { words: { recovery: words }, language }: PageLocale,
): Html {
  return textField({
    name: "code",
    label: words.label,
    type: "text",
    autocomplete: "one-time-code",
    inputmode: "numeric",
    help: words.help(durationText(minutes * 60, language)),
    error: error === "wrong" ? words.wrong : undefined,
    max_length: 20,
    required: true,
    autofocus: true,
  });
}

/** Renders an error that belongs to no field. */
export function recoveryError(
  error: RecoveryError | undefined,
  { words: { recovery: words, login } }: PageLocale,
): Html | false {
  switch (error) {
    case "expired":
      return notice("failure", html`<p>${words.expired}</p>`);
    case "throttled":
      return notice("caution", html`<p>${words.throttled}</p>`, { alert: true });
    case "out_of_date":
      return notice("failure", html`<p>${login.failures.out_of_date}</p>`);
    default:
      return false;
  }
}
