import type { Config } from "../config.ts";

/**
 * Returns the public URL: `base_url` if it is known, or an http URL of localhost with the port that the
 * server listens on.
 */
export function baseUrlOf({ base_url }: Pick<Config, "base_url">, port: number): string {
  return base_url ?? (port === 80 ? "http://localhost" : `http://localhost:${port}`);
}

/**
 * Returns the address of this process itself. It is the public URL if that is an http URL with this port.
 * Otherwise a proxy has the public URL, and the address consists of `host` and `port`.
 */
export function ownAddress({ base_url, host }: Pick<Config, "base_url" | "host">, port: number): string {
  const public_url = baseUrlOf({ base_url }, port);
  if (public_url.startsWith("http:") && (new URL(public_url).port || "80") === String(port))
    return public_url;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
