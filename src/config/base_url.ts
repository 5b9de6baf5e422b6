import type { Config } from "../config.ts";

/** The address that people and clients know: `{base_url}`, or this machine on the port that it listens on. */
export function baseUrlOf({ base_url }: Pick<Config, "base_url">, port: number): string {
  return base_url ?? (port === 80 ? "http://localhost" : `http://localhost:${port}`);
}
