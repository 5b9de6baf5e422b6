import type { Setting } from "./setting.ts";
import { type EnvName, settings } from "./settings.ts";

interface SettingDescription {
  readonly name: EnvName;
  readonly flag: string;
  readonly file: string | undefined;
  readonly default: string | undefined;
  readonly meaning: string;
}

export function describeSettings(): SettingDescription[] {
  return Object.values(settings).map((setting) => {
    const {
      name,
      meaning,
      default: fixed,
      otherwise,
      secret,
    }: Setting<unknown> & { name: EnvName } = setting;
    const flag = `--${name.slice("POSTERN_".length).toLowerCase().replaceAll("_", "-")}`;
    return { name, flag, file: secret && `${name}_FILE`, default: fixed ?? otherwise, meaning };
  });
}

export function settingsHelp(): string {
  return describeSettings()
    .map(({ name, flag, file, default: shown, meaning }) => {
      const heading = [flag, file ? `${name} (or ${file})` : name].join("  ");
      return `  ${heading}\n      ${meaning}${shown === undefined ? "" : ` [${shown}]`}\n`;
    })
    .join("");
}

/** Returns the settings as the Markdown list of docs/operations/settings.md. */
export function settingsList(): string {
  return describeSettings()
    .map(({ name, file, default: shown, meaning }) => {
      const heading = `- \`${name}${file ? "[_FILE]" : ""}\``;
      return `${heading}${shown === undefined ? "" : ` (\`${shown}\`)`}: ${meaning}`;
    })
    .join("\n");
}
