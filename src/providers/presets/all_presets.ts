import { type ProviderPreset, providerPresets } from "../../records/names/names.ts";
import { apple } from "./apple.ts";
import { discord } from "./discord.ts";
import { facebook } from "./facebook.ts";
import { github } from "./github.ts";
import { gitlab } from "./gitlab.ts";
import { google } from "./google.ts";
import { linkedin } from "./linkedin.ts";
import { microsoft } from "./microsoft.ts";
import { oauth2 } from "./oauth2.ts";
import { oidc } from "./oidc.ts";
import type { Preset } from "./preset.ts";
import { slack } from "./slack.ts";

const presets: Readonly<Record<ProviderPreset, Preset>> = {
  google,
  microsoft,
  apple,
  github,
  gitlab,
  discord,
  facebook,
  linkedin,
  slack,
  oidc,
  oauth2,
};

export const allPresets: readonly Preset[] = providerPresets.map((name) => presets[name]);

export function presetOf({ preset }: { readonly preset: ProviderPreset }): Preset {
  return presets[preset];
}
