import { type Html, html } from "./html/html.ts";
import { numberText } from "./number.ts";
import type { ImpactWords } from "./words/en/impact.ts";
import type { PageLocale } from "./words/page_locale.ts";

type Kind = keyof ImpactWords["kinds"];

export type ShownImpact = { readonly [What in Kind]?: number | undefined };

export const impactKinds = [
  "tokens",
  "people",
  "sessions",
  "consents",
  "secrets",
  "apps",
  "service_accounts",
  "key_pairs",
  "api_keys",
  "members",
  "linked_accounts",
  "passkeys",
  "authenticator_apps",
  "recovery_codes",
  "apis",
  "providers",
  "invitations",
  "holders",
  "groups",
  "group_members",
  "left_groups",
] as const satisfies readonly Kind[];

export interface ImpactLines extends Pick<PageLocale, "words" | "language"> {
  readonly impact: ShownImpact;
  /** A count that reaches the limit is shown as "at least". */
  readonly limit: number;
  readonly say?: { readonly [What in Kind]?: ImpactWords["kinds"][What] };
}

/** Returns one sentence for each kind of record that an action affects. */
export function impactSentences({ impact, limit, say = {}, words, language }: ImpactLines): string[] {
  return impactKinds.flatMap((kind) => {
    const count = impact[kind] ?? 0;
    if (count === 0) return [];
    const message = say[kind] ?? words.impact.kinds[kind];
    return [
      count < limit ? message(count) : message(limit, words.impact.atLeast(numberText(limit, language))),
    ];
  });
}

export function impactLines(given: ImpactLines): Html[] {
  return impactSentences(given).map((said) => html`<li>${said}</li>`);
}
