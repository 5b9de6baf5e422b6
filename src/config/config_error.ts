/** What is wrong with the settings. */

export interface SettingError {
  readonly name: string;
  readonly message: string;
}

/** Everything that is wrong with the settings, one line for each; no line quotes a secret. */
export class ConfigError extends Error {
  readonly errors: readonly SettingError[];

  constructor(errors: readonly SettingError[]) {
    const lines = errors.map(({ name, message }) => `  ${name}: ${message}`);
    super(["the settings cannot be used:", ...lines].join("\n"));
    this.name = "ConfigError";
    this.errors = errors;
  }
}
