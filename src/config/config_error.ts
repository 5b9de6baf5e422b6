/** What is wrong with the settings. */

export interface ConfigFault {
  readonly name: string;
  readonly message: string;
}

/** Everything that is wrong with the settings, one line for each; no line quotes a secret. */
export class ConfigError extends Error {
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    const lines = faults.map(({ name, message }) => `  ${name}: ${message}`);
    super(["the settings cannot be used:", ...lines].join("\n"));
    this.name = "ConfigError";
    this.faults = faults;
  }
}
