import { hiddenFields } from "../../../web/html/hidden_fields.ts";
import { type Html, html } from "../../../web/html/html.ts";
import { notice } from "../../../web/html/notice.ts";
import { type AccountLocale, accountFrame } from "../../core/pages/account_frame.view.ts";

type RecoveryCodesPage = AccountLocale & {
  /** Undefined if they were already shown, because they are shown only once (MF-7). */
  codes: readonly string[] | undefined;
  adds: string | undefined;
  has_set: boolean;
  fields: Readonly<Record<string, string>>;
};

/** Renders a new set of recovery codes. */
export function recoveryCodesPage({ codes, adds, has_set, fields, ...frame }: RecoveryCodesPage): Html {
  const words = frame.words.ownFactors.codes;
  const alone = has_set ? words.finishReplaces : words.finishFirst;
  const finish = adds === undefined ? alone : words.finishAdds(html`<bdi>${adds}</bdi>`);
  return accountFrame({
    ...frame,
    here: "security",
    title: words.newTitle,
    lead: html`${words.newLead} ${finish}`,
    body: html`<section class="card">
${codes === undefined && notice("caution", html`<p>${words.shownBefore}</p>`)}
${codes && html`<pre class="snippet" data-copy tabindex="0">${codes.join("\n")}</pre>`}
<form method="post" action="/account/recovery-codes/confirm">
${hiddenFields(fields)}
<label class="check"><input type="checkbox" name="stored" value="yes" required><span>${words.stored}</span></label>
<div class="actions"><button class="button primary" type="submit">${words.finish}</button><button class="button" type="submit" form="others">${words.makeOthers}</button></div>
</form>
<form method="post" action="/account/recovery-codes/new" id="others">${hiddenFields(fields)}</form>
</section>`,
  });
}
