import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { textField } from "../../../web/html/text_field.ts";
import { moment } from "../../../web/moment.ts";
import type { PageLocale } from "../../../web/words/page_locale.ts";
import type { FactorField } from "../../core/factor_proof.ts";

type RecoveryCodesCard = PageLocale & {
  left: number;
  made_at: Date | undefined;
  is_alone: boolean;
  csrf_token: string;
};

const few = 4;

export function recoveryCodesCard({
  left,
  made_at,
  is_alone,
  csrf_token,
  words,
  language,
}: RecoveryCodesCard): Html {
  const say = words.ownFactors.codes;
  const has_set = made_at !== undefined;
  const count = !has_set ? say.none : left === 0 ? say.allUsed : words.notices.codesLeft(left);
  return html`<section class="card" aria-labelledby="own-codes"><h2 id="own-codes">${say.title}</h2>
<p class="quiet">${say.lead}</p>
<p>${count}${made_at && html` <span class="quiet">${say.made(moment(made_at, "day", language))}</span>`}</p>
${is_alone && notice("caution", html`<p>${say.alone}</p>`)}
${!is_alone && has_set && left < few && notice("caution", html`<p>${say.few}</p>`)}
<div class="actions"><form method="post" action="/account/recovery-codes/new">${hiddenFields({ csrf_token })}<button class="button" type="submit">${has_set ? say.make : say.makeFirst}</button></form></div></section>`;
}

export function recoveryCodeField({ words }: PageLocale, { name, error, required }: FactorField): Html {
  const { recoveryCode } = words.secondFactor;
  return textField({
    name,
    label: recoveryCode.label,
    type: "text",
    autocomplete: "off",
    help: recoveryCode.help,
    error: error === "wrong" || error === "late" ? recoveryCode.wrong : undefined,
    max_length: 100,
    required,
    autofocus: required,
  });
}
