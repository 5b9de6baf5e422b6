import type { ProviderPreset } from "../../records/names.ts";
import { type Html, html } from "../html.ts";

/** Letters instead of a mark: most brands forbid drawing theirs anew. */
const letters: Readonly<Record<Exclude<ProviderPreset, "microsoft">, string>> = {
  google: "G",
  apple: "A",
  github: "GH",
  gitlab: "GL",
  discord: "D",
  facebook: "f",
  linkedin: "in",
  slack: "S",
  oidc: "ID",
  oauth2: "ID",
};

/** What stands before a provider's name on its button: drawn here, in the colour of the text around it. */
export function providerMark(preset: ProviderPreset): Html {
  return html`<svg class="provider-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">${
    preset === "microsoft"
      ? html`<path d="M3 3h8v8H3zM13 3h8v8h-8zM3 13h8v8H3zM13 13h8v8h-8z" fill="currentColor"/>`
      : html`<rect x="1" y="1" width="22" height="22" rx="6" fill="none" stroke="currentColor" stroke-width="1.5"/><text x="12" y="16.5" text-anchor="middle" font-size="11" font-weight="600" fill="currentColor">${letters[preset]}</text>`
  }</svg>`;
}
