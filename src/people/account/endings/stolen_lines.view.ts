/** The list of records that `endStolen` ends, for pages and emails (SS-7, SS-15). */
import { type Html, html } from "../../../web/html/html.ts";
import type { ImpactWords } from "../../../web/words/en/impact.ts";
import { nameInMail } from "../../core/mail_text.view.ts";

interface StolenThing {
  readonly kind: keyof ImpactWords["kinds"];
  readonly count: number;
  readonly names: readonly string[];
}

export interface StolenList {
  ended: readonly StolenThing[];
}

/** Maximum number of names in one line, so that the email stays short. */
const mostNames = 20;

/** Returns one line per kind: how many records end, and the first names. */
export function stolenLines(ended: readonly StolenThing[], { kinds }: ImpactWords): string[] {
  return ended.map(({ kind, count, names }) => {
    const shown = names.slice(0, mostNames).map(nameInMail);
    if (shown.length === 0) return kinds[kind](count);
    const list = names.length > mostNames ? [...shown, "…"] : shown;
    return `${kinds[kind](count)}: ${list.join(", ")}`;
  });
}

export function stolenList(ended: readonly StolenThing[], words: ImpactWords): Html | undefined {
  if (ended.length === 0) return undefined;
  return html`<ul>${stolenLines(ended, words).map((line) => html`<li>${line}</li>`)}</ul>`;
}
