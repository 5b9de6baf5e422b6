import { Option } from "commander";
import { describeSettings } from "../../config/describe_settings.ts";
import type { EnvName } from "../../config/settings.ts";
import { type Config, readConfig } from "../../config.ts";
import type { Options, Terminal } from "./terminal.ts";

/**
 * The option's value is stored under a separate name, because a record may have a field of the same name,
 * such as `sign_up`.
 */
class SettingOption extends Option {
  override attributeName(): string {
    return `setting ${this.name()}`;
  }
}

/** Created once and shared, because more than a hundred commands have all these options. */
export const settingOptions: readonly { readonly option: Option; readonly name: EnvName }[] =
  describeSettings().map(({ name, flag, meaning }) => ({
    option: new SettingOption(`${flag} <value>`, meaning).hideHelp(),
    name,
  }));

export function isFlagGiven(setting: EnvName, options: Options): boolean {
  const found = settingOptions.find(({ name }) => name === setting);
  return found !== undefined && options[found.option.attributeName()] !== undefined;
}

export function isSettingGiven(setting: EnvName, options: Options, env: Terminal["env"]): boolean {
  return Boolean(env[setting] || env[`${setting}_FILE`]) || isFlagGiven(setting, options);
}

/**
 * Returns the settings: options take precedence over the environment, and the environment over `otherwise`.
 * Throws `ConfigError` if a setting is invalid.
 */
export function readSettings(
  options: Options,
  env: Terminal["env"],
  otherwise: Partial<Record<EnvName, string>> = {},
): Config {
  const overrides: Partial<Record<EnvName, string>> = {};
  for (const { option, name } of settingOptions) {
    const input = options[option.attributeName()];
    const value = input ?? (env[name] || env[`${name}_FILE`] ? undefined : otherwise[name]);
    if (typeof value === "string") overrides[name] = value;
  }
  return readConfig(env, overrides);
}
