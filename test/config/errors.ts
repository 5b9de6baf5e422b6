import assert from "node:assert/strict";
import { ConfigError, type SettingError } from "../../src/config/config_error.ts";
import { readConfig } from "../../src/config.ts";
import { column } from "../support/lists.ts";

export type Env = Record<string, string | undefined>;

export const randomHex = "5f0c8e2a914bd7733e6f10a2c45d98b7016e3dfa28c14b59e7a06f4d3b8215c9";
export const noFiles = {
  readFile(): string {
    throw Object.assign(new Error("no such file"), { code: "ENOENT" });
  },
};

export function errorsOf(env: Env, files = noFiles): readonly SettingError[] {
  try {
    readConfig(env, {}, files);
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    return error.errors;
  }
  return [];
}

export function refused(env: Env, name: string, message: RegExp): void {
  const errors = errorsOf(env);
  assert.deepEqual(column(errors, "name"), [name], JSON.stringify({ env, errors }));
  assert.match(errors[0]?.message ?? "", message);
}

/** Returns the error for this setting, together with the others. */
export const unfit = (name: string, value: string, message: RegExp, others: Env = {}): void =>
  refused({ ...others, [name]: value }, name, message);
