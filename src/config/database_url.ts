import type { DatabaseProfileName } from "../records/names/names.ts";
import { Unfit } from "./unfit.ts";

export type DatabaseConfig =
  | { readonly kind: "sqlite"; readonly path: string }
  | {
      readonly kind: "postgres";
      readonly url: string;
      /** URLs with the further hosts, in the order in which the server tries them. */
      readonly further_urls?: readonly string[];
      /** `any` if absent. */
      readonly target_session_attrs?: (typeof targets)[number];
      /** `native` if absent. */
      readonly profile?: DatabaseProfileName;
    };

/** Postern writes to its database, so values that select a read-only host are not supported. */
const targets = ["any", "read-write", "primary"] as const;

export function databaseUrl(text: string): DatabaseConfig {
  if (text.startsWith("sqlite:")) {
    const path = text.slice("sqlite:".length);
    if (path.includes(":memory:") || path.startsWith("file:")) {
      throw new Unfit(
        "expected sqlite: with the path of a file; a database in memory would lose every token",
      );
    }
    if (path === "" || path.startsWith("//") || path.endsWith("/") || path.includes("\0")) {
      throw new Unfit("expected sqlite:relative/path.db or sqlite:/absolute/path.db");
    }
    return { kind: "sqlite", path };
  }
  if (/^postgres(ql)?:\/\//.test(text)) {
    return postgresUrl(text);
  }
  throw new Unfit("expected sqlite:path or postgres://user:password@host:5432/database");
}

/** Parses a URL with the hosts of one or more PostgreSQL standbys. */
export function replicaUrl(text: string): Extract<DatabaseConfig, { kind: "postgres" }> {
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new Unfit("expected postgres://user:password@host:5432/database");
  const { url, further_urls } = postgresUrl(text);
  if (new URL(url).searchParams.has("target_session_attrs")) {
    throw new Unfit("target_session_attrs: remove it, because only standbys are read");
  }
  return { kind: "postgres", url, ...(further_urls && { further_urls }) };
}

/**
 * Parses `postgres://user@a:5432,b:5432/db`, like libpq (PostgreSQL documentation, "Connection Strings").
 * Unlike in libpq, the default of `target_session_attrs` with several hosts is `read-write`, so the writable
 * host is used.
 */
function postgresUrl(text: string): Extract<DatabaseConfig, { kind: "postgres" }> {
  const [, start = "", hosts = "", rest = ""] =
    /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? [];
  // The parameter `host` may name a socket folder, as in `postgres://user@/db?host=/run/postgresql`. `URL`
  // rejects a user without a host, so `localhost` is added.
  const named =
    hosts === "" && start.endsWith("@") && /[?&]host=(?:\/|%2f)/i.test(rest) ? "localhost" : hosts;
  const urls = named.split(",").map((host) => `${start}${host}${rest}`);
  const [url = "", ...further_urls] = urls;
  if (!urls.every(isPostgresUrl) || (urls.length > 1 && hosts.split(",").includes(""))) {
    throw new Unfit(
      "expected postgres://user:password@host:5432/database, or several hosts as in postgres://user:password@a:5432,b:5432/database; percent-encode special characters in the password",
    );
  }
  requireKnownTls(new URL(url).searchParams);
  const requested = new URL(url).searchParams.get("target_session_attrs");
  const target_session_attrs = targets.find((target) => target === requested);
  if (requested !== null && target_session_attrs === undefined) {
    throw new Unfit(`target_session_attrs: expected one of ${targets.join(", ")}, because the server writes`);
  }
  if (further_urls.length === 0) {
    return { kind: "postgres", url, ...(target_session_attrs && { target_session_attrs }) };
  }
  return { kind: "postgres", url, further_urls, target_session_attrs: target_session_attrs ?? "read-write" };
}

const tlsModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full", "no-verify"];

/**
 * Rejects an unknown `sslmode`, and TLS parameters that the driver would ignore. Without the list in
 * `sslcrl`, for example, the driver would accept a revoked certificate.
 */
function requireKnownTls(parameters: URLSearchParams): void {
  const mode = parameters.get("sslmode");
  if (mode !== null && !tlsModes.includes(mode)) {
    throw new Unfit(`sslmode: expected one of ${tlsModes.join(", ")}`);
  }
  const unknown = ["sslcrl", "sslcrldir", "sslpassword"].find((name) => parameters.has(name));
  if (unknown !== undefined) throw new Unfit(`${unknown}: this parameter is not supported; remove it`);
}

function isPostgresUrl(text: string): boolean {
  if (!URL.canParse(text) || /\s/.test(text)) return false;
  const { hash, pathname, username, password } = new URL(text);
  try {
    [pathname, username, password].forEach(decodeURIComponent);
  } catch {
    return false;
  }
  return hash === "" && pathname.length > 1;
}
