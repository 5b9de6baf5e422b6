export interface SettingError {
  readonly name: string;
  readonly message: string;
}

/** The message has one line for each invalid setting, and quotes no secret. */
export class ConfigError extends Error {
  readonly errors: readonly SettingError[];

  constructor(errors: readonly SettingError[]) {
    const lines = errors.map(({ name, message }) => `  ${name}: ${message}`);
    super(["the settings are invalid:", ...lines].join("\n"));
    this.name = "ConfigError";
    this.errors = errors;
  }
}
