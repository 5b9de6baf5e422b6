import { hiddenFields } from "../../web/html/hidden_fields.ts";
import { type Html, html } from "../../web/html/html.ts";
import { safeHref } from "../../web/html/safe_href.ts";
import type { ManagementLocale } from "../../web/words/page_locale.ts";
import type { ManyVerb } from "./many.page.ts";

/** The id of the form that the check boxes of a list belong to. */
export const selectionForm = "selection";

export type Selection = {
  /** Where the selected ids are sent to, with the verb as `verb`. */
  action: string;
  csrf_token: string;
  verbs: readonly ManyVerb[];
  /** The query of the list, to come back to. */
  back: string;
};

/**
 * The form below a list with a button for each thing that is done to all records that are selected. It shows
 * once there is one, and stays in sight.
 */
export function selectionBar({
  selection,
  words,
}: Pick<ManagementLocale, "words"> & { selection?: Selection | undefined }): Html | false {
  if (selection === undefined) return false;
  const { action, csrf_token, verbs, back } = selection;
  return html`<form class="selection selecting" id="${selectionForm}" method="post" action="${safeHref(action) ?? "/console"}" aria-label="${words.lists.selected}">
${hiddenFields({ csrf_token, back })}<span class="quiet">${words.lists.selected}</span>
${verbs.map((verb) => html`<button class="button small danger" type="submit" name="verb" value="${verb}">${words.records.consequence.act[verb]}</button>`)}
</form>`;
}
