import type { ProviderPreset } from "../../records/names.ts";
import { type Html, html } from "../html.ts";

/** Initials instead of a mark: most brands forbid drawing theirs anew, or altering it. */
const letters: Readonly<Record<Exclude<ProviderPreset, "microsoft">, string>> = {
  google: "G",
  apple: "A",
  github: "GH",
  gitlab: "GL",
  discord: "D",
  facebook: "F",
  linkedin: "L",
  slack: "S",
  oidc: "ID",
  oauth2: "ID",
};

/**
 * What stands before a provider's name on its button. Microsoft asks for its four squares as they are;
 * initials have the colour of the text around them.
 */
export function providerMark(preset: ProviderPreset): Html {
  return html`<svg class="provider-mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">${
    preset === "microsoft"
      ? html`<path d="M1 1h10.5v10.5H1z" fill="#f25022"/><path d="M12.5 1H23v10.5H12.5z" fill="#7fba00"/><path d="M1 12.5h10.5V23H1z" fill="#00a4ef"/><path d="M12.5 12.5H23V23H12.5z" fill="#ffb900"/>`
      : html`<rect x="1" y="1" width="22" height="22" rx="6" fill="none" stroke="currentColor" stroke-width="1.5"/><text x="12" y="16.5" text-anchor="middle" font-size="11" font-weight="600" fill="currentColor">${letters[preset]}</text>`
  }</svg>`;
}
