import { faApple } from "@fortawesome/free-brands-svg-icons/faApple";
import { faDiscord } from "@fortawesome/free-brands-svg-icons/faDiscord";
import { faFacebookF } from "@fortawesome/free-brands-svg-icons/faFacebookF";
import { faGithub } from "@fortawesome/free-brands-svg-icons/faGithub";
import { faGitlab } from "@fortawesome/free-brands-svg-icons/faGitlab";
import { faGoogle } from "@fortawesome/free-brands-svg-icons/faGoogle";
import { faLinkedinIn } from "@fortawesome/free-brands-svg-icons/faLinkedinIn";
import { faOpenid } from "@fortawesome/free-brands-svg-icons/faOpenid";
import { faSlack } from "@fortawesome/free-brands-svg-icons/faSlack";
import type { ProviderPreset } from "../../records/names/names.ts";
import { type Html, html } from "../../web/html/html.ts";

const marks = {
  google: faGoogle,
  apple: faApple,
  github: faGithub,
  gitlab: faGitlab,
  discord: faDiscord,
  facebook: faFacebookF,
  linkedin: faLinkedinIn,
  slack: faSlack,
  oidc: faOpenid,
  oauth2: undefined,
} as const satisfies Record<Exclude<ProviderPreset, "microsoft">, unknown>;

/**
 * Renders the icon on a provider's button, as drawn by Font Awesome. Microsoft requires the four squares in
 * their own colors.
 */
export function providerMark(preset: ProviderPreset): Html {
  if (preset === "microsoft") {
    return mark(
      "0 0 24 24",
      html`<path d="M1 1h10.5v10.5H1z" fill="#f25022"/><path d="M12.5 1H23v10.5H12.5z" fill="#7fba00"/><path d="M1 12.5h10.5V23H1z" fill="#00a4ef"/><path d="M12.5 12.5H23V23H12.5z" fill="#ffb900"/>`,
    );
  }
  const drawn = marks[preset];
  if (drawn === undefined) {
    return mark(
      "0 0 24 24",
      html`<rect x="1" y="1" width="22" height="22" rx="6" fill="none" stroke="currentColor" stroke-width="1.5"/><text x="12" y="16.5" text-anchor="middle" font-size="11" font-weight="600" fill="currentColor">ID</text>`,
    );
  }
  const [width, height, , , path] = drawn.icon;
  return mark(`0 0 ${width} ${height}`, html`<path d="${String(path)}" fill="currentColor"/>`);
}

function mark(viewBox: string, drawing: Html): Html {
  return html`<svg class="provider-mark" viewBox="${viewBox}" width="24" height="24" aria-hidden="true">${drawing}</svg>`;
}
