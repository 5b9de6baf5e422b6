import type { Config } from "../config.ts";

/** Returns the public URL of the server. */
export function baseUrlOf({ base_url }: Pick<Config, "base_url">, port: number): string {
  return base_url ?? (port === 80 ? "http://localhost" : `http://localhost:${port}`);
}

/** Returns the address of this process itself, which differs from the public URL if a proxy has that URL. */
export function ownAddress({ base_url, host }: Pick<Config, "base_url" | "host">, port: number): string {
  const public_url = baseUrlOf({ base_url }, port);
  if (public_url.startsWith("http:") && (new URL(public_url).port || "80") === String(port))
    return public_url;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
