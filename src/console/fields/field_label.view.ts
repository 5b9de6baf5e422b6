import type { Acr } from "../../records/names/sign_in_methods.ts";
import { type Html, html } from "../../web/html/html.ts";
import { ownWord } from "../../web/html/own_word.ts";
import type { Words } from "../../web/words/words.ts";
import { eventTitle, tableTitle } from "./event_title.view.ts";

/** Returns the label of a field or attribute in the page's language; its name if it has no label. */
export function fieldLabel(name: string, words: Words): string {
  const [, attribute] = /^attributes\.(.*)$/.exec(name) ?? [];
  if (attribute !== undefined) return ownWord(words.account.profile.attributes.names, attribute) ?? attribute;
  return ownWord(words.fields.label, name) ?? name;
}

/** Renders the label of a field, followed by the field's name in the API (`apiName`). */
export function spelledLabel(
  { name, titled }: { readonly name: string; readonly titled?: string | undefined },
  words: Words,
  remark?: string,
): Html {
  const said = titled ?? fieldLabel(name, words);
  const named = said === name ? html`<code>${name}</code>` : html`${said}${apiName(name)}`;
  return html`${named}${remark !== undefined && html` <span class="quiet">${remark}</span>`}`;
}

/** Renders a name from the API after a label. CSS hides it unless the viewer chose to see API names. */
export function apiName(name: string): Html {
  return html` <code class="api-name quiet">${name}</code>`;
}

function levelWords({ signInMethods: { levels } }: Words): Readonly<Record<Acr, string>> {
  return {
    "urn:postern:acr:password": levels.password,
    "urn:postern:acr:federated": levels.federated,
    "urn:postern:acr:mfa": levels.mfa,
    phr: levels.phr,
  };
}

/** Returns the label of a field's value; undefined if the value is shown as it is. */
export function valueWord(name: string, value: string, words: Words): string | undefined {
  if (name === "type") return eventTitle(value, words);
  if (name === "target_table") return tableTitle(value, words);
  const { preset, claims_dialect } = words.fields.value;
  const byField: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    ...words.fields.value,
    preset: { ...providerNames, ...preset },
    claims_dialect: { ...claims_dialect, auth0: "Auth0", keycloak: "Keycloak" },
    acr: levelWords(words),
    require_acr: levelWords(words),
  };
  const known = Object.hasOwn(byField, name) ? byField[name] : undefined;
  return known && ownWord(known, value);
}

const providerNames = {
  google: "Google",
  microsoft: "Microsoft",
  apple: "Apple",
  github: "GitHub",
  gitlab: "GitLab",
  discord: "Discord",
  facebook: "Facebook",
  linkedin: "LinkedIn",
  slack: "Slack",
} as const;
