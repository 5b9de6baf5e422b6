/** How the text of a setting becomes its value. Each parser throws `Unfit` with what was expected. */

import { isIP, isIPv4, isIPv6 } from "node:net";
import { isHostPattern } from "../records/host_patterns.ts";

export type DatabaseConfig =
  | { readonly kind: "sqlite"; readonly path: string }
  | {
      readonly kind: "postgres";
      /** With one host, the first one. */
      readonly url: string;
      /** The same with each further host, in the order in which they are tried. */
      readonly further_urls?: readonly string[];
      /** Which of the hosts is used; any when it is absent. */
      readonly target_session_attrs?: (typeof targets)[number];
    };

/** What `target_session_attrs` may be here: every server writes. */
const targets = ["any", "read-write", "primary"] as const;

/** The text does not fit the setting; the message says what was expected and never quotes a secret. */
/** A syslog server. */
export interface SyslogAddress {
  readonly transport: "udp" | "tcp" | "tls";
  readonly host: string;
  readonly port: number;
}

export class Unfit extends Error {}

export const makeKey = "make one with: openssl rand -base64 32";

function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

export function isLoopback(host: string): boolean {
  return host.toLowerCase() === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}

export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
}

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^[0-9]{1,10}$/.test(text) && value >= least && value <= most) return value;
    throw new Unfit(`expected a whole number from ${least} to ${most}, got ${shown(text)}`);
  };
}

export function oneOf<const T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const value = values.find((each) => each === text);
    if (value !== undefined) return value;
    throw new Unfit(`expected one of ${values.join(", ")}, got ${shown(text)}`);
  };
}

/** Items may have spaces around them; an empty item is a slip of the pen and reaches the item's own check. */
function listItems(text: string): string[] {
  return text.split(",").map((item) => item.trim());
}

export function namesFrom<Name extends string>(
  available: readonly Name[],
  what: string,
): (text: string) => Name[] {
  const isAvailable = (item: string): item is Name => (available as readonly string[]).includes(item);
  return (text) => {
    const unknown = listItems(text).filter((item) => !isAvailable(item));
    if (unknown.length === 0) return listItems(text).filter(isAvailable);
    const offer =
      available.length === 0
        ? `no ${what} is available in this version`
        : `available are ${available.join(", ")}`;
    throw new Unfit(`${unknown.map(shown).join(", ")}: ${offer}`);
  };
}

/**
 * RFC 8414 section 2 and OpenID Connect Discovery section 3; the text is the issuer byte for byte (D-1, D-2).
 */
export function baseUrl(text: string): string {
  if (!URL.canParse(text)) throw new Unfit("expected an absolute URL such as https://id.example.com");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new Unfit("expected a URL that begins with https:// (or http:// on a loopback host)");
  }
  const problems: string[] = [];
  if (url.username || url.password) problems.push("it must not hold a user name or password");
  if (text.includes("?")) problems.push("it must not have a query");
  if (text.includes("#")) problems.push("it must not have a fragment");
  if (url.pathname !== "/") {
    problems.push(
      "it must not have a path, because every address of this server begins at the root of its host",
    );
  } else if (url.href === text) {
    problems.push(`it must not end in a slash; write ${url.origin}`);
  }
  if (url.protocol === "http:" && !isLoopback(hostOf(text))) {
    problems.push("it must begin with https://; http is for localhost, 127.0.0.0/8 and ::1 alone");
  }
  if (problems.length === 0 && url.origin !== text) problems.push(`write it as ${url.origin}`);
  if (problems.length > 0) throw new Unfit(problems.join("; "));
  return text;
}

export function listenHost(text: string): string {
  if (isIP(text) || /^(?!.*\.\.)[A-Za-z_][A-Za-z0-9_.-]{0,252}$/.test(text)) return text;
  throw new Unfit(
    `expected an IP address (an IPv6 address without brackets) or a host name, got ${shown(text)}`,
  );
}

export function databaseUrl(text: string): DatabaseConfig {
  if (text.startsWith("sqlite:")) {
    const path = text.slice("sqlite:".length);
    if (path.includes(":memory:") || path.startsWith("file:")) {
      throw new Unfit(
        "expected sqlite: with the path of a file; a database in memory would forget every token",
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

/** A standby of PostgreSQL, at one host or several. */
export function replicaUrl(text: string): Extract<DatabaseConfig, { kind: "postgres" }> {
  if (!/^postgres(ql)?:\/\//.test(text))
    throw new Unfit("expected postgres://user:password@host:5432/database");
  const { url, further_urls } = postgresUrl(text);
  if (new URL(url).searchParams.has("target_session_attrs")) {
    throw new Unfit("target_session_attrs: leave it out, because standbys alone are read");
  }
  return { kind: "postgres", url, ...(further_urls && { further_urls }) };
}

/**
 * One URL, or one for each of several hosts:
 * `postgres://user@a:5432,b:5432/db?target_session_attrs=read-write`, as libpq has it (PostgreSQL
 * documentation, 34.1.1). With several hosts the one that can be written is used.
 */
function postgresUrl(text: string): Extract<DatabaseConfig, { kind: "postgres" }> {
  const [, start = "", hosts = "", rest = ""] =
    /^([a-z]+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(text) ?? [];
  const urls = hosts.split(",").map((host) => `${start}${host}${rest}`);
  const [url = "", ...further_urls] = urls;
  if (!urls.every(isPostgresUrl) || (urls.length > 1 && hosts.split(",").includes(""))) {
    throw new Unfit(
      "expected postgres://user:password@host:5432/database, or several hosts as in postgres://user:password@a:5432,b:5432/database; percent-encode special characters in the password",
    );
  }
  const asked = new URL(url).searchParams.get("target_session_attrs");
  const target_session_attrs = targets.find((target) => target === asked);
  if (asked !== null && target_session_attrs === undefined) {
    throw new Unfit(`target_session_attrs: expected one of ${targets.join(", ")}, because the server writes`);
  }
  if (further_urls.length === 0) {
    return { kind: "postgres", url, ...(target_session_attrs && { target_session_attrs }) };
  }
  return { kind: "postgres", url, further_urls, target_session_attrs: target_session_attrs ?? "read-write" };
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

export function secretKeys(text: string): Buffer[] {
  const items = listItems(text);
  return items.map((item, index) => {
    const which = items.length > 1 ? `key ${index + 1} of ${items.length}: ` : "";
    const key = keyBytes(item);
    if (key === undefined) {
      throw new Unfit(`${which}expected base64, base64url or hex; ${makeKey}`);
    }
    if (key.length < 32) {
      throw new Unfit(`${which}expected 32 bytes or more, got ${key.length}; ${makeKey}`);
    }
    if (new Set(key).size < 8 || repeatsItself(key)) {
      throw new Unfit(`${which}expected random bytes, got a pattern that can be guessed; ${makeKey}`);
    }
    return key;
  });
}

/**
 * Text of hex digits alone is hex, never base64: read as base64, a short hex key would pass for a longer one.
 */
function keyBytes(text: string): Buffer | undefined {
  if (/^[0-9a-f]+$/i.test(text)) return text.length % 2 === 0 ? Buffer.from(text, "hex") : undefined;
  const digits = text.replace(/={0,2}$/, "");
  const oneAlphabet = /^[A-Za-z0-9+/]+$/.test(digits) || /^[A-Za-z0-9_-]+$/.test(digits);
  return oneAlphabet && digits.length % 4 !== 1 ? Buffer.from(digits, "base64") : undefined;
}

function repeatsItself(key: Buffer): boolean {
  const halfway = Math.floor(key.length / 2);
  return Array.from({ length: halfway }, (_, index) => index + 1).some((period) =>
    key.subarray(period).equals(key.subarray(0, key.length - period)),
  );
}

function isEmailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s@<>",;]+@[^\s@<>",;]+$/.test(text);
}

export function emailAddress(text: string): string {
  if (isEmailAddress(text)) return text;
  throw new Unfit("expected an e-mail address such as ada@example.com");
}

export function adminPassword(text: string): string {
  if ([...text].length < 8) throw new Unfit("expected 8 characters or more");
  if (Buffer.byteLength(text) > 1024) throw new Unfit("expected at most 1024 bytes");
  return text;
}

export function addressRanges(text: string): string[] {
  const items = listItems(text);
  const wrong = items.filter((item) => !isAddressRange(item));
  if (wrong.length === 0) return items;
  throw new Unfit(
    `expected addresses or CIDR ranges such as 10.0.0.0/8, separated by commas, got ${wrong.map(shown).join(", ")}`,
  );
}

function isAddressRange(item: string): boolean {
  const [address = "", bits, ...rest] = item.split("/");
  if (rest.length > 0 || isIP(address) === 0 || address.includes("%")) return false;
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32));
}

export function smtpUrl(text: string): string {
  if (/^smtps?:\/\//.test(text) && !/\s/.test(text) && URL.canParse(text) && new URL(text).hostname !== "") {
    return text;
  }
  throw new Unfit("expected smtp://user:password@host:587 or smtps://user:password@host:465");
}

/** Ports of RFC 5426, RFC 6587 and RFC 5425. */
const syslogPorts = { udp: 514, tcp: 601, tls: 6514 } as const;

export function syslogUrl(text: string): SyslogAddress {
  const [, transport = "", rest = ""] = /^(udp|tcp|tls):\/\/([^\s/?#@]+)$/.exec(text) ?? [];
  const url = rest === "" ? null : URL.parse(`http://${rest}`);
  if (url === null || url.hostname === "") {
    throw new Unfit("expected udp://host:514, tcp://host:601 or tls://host:6514");
  }
  const kind = transport as keyof typeof syslogPorts;
  // A URL of http leaves out port 80, which somebody may mean.
  const port = /:(\d+)$/.exec(rest)?.[1];
  return {
    transport: kind,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === undefined ? syslogPorts[kind] : Number(port),
  };
}

export function mailFrom(text: string): string {
  const named = /^[^<>\r\n"]*<([^<>]*)>$/.exec(text);
  if (isEmailAddress(named?.[1] ?? text)) return text;
  throw new Unfit("expected an e-mail address, or Name <address>");
}

export function brandName(text: string): string {
  if (text.trim() !== "" && text.length <= 100) return text;
  throw new Unfit("expected a text of at most 100 characters");
}

/** The page comes with every logo, so that one inside the setting itself must be small. */
export function logoUrl(text: string): string {
  if (text.length <= 8192) {
    if (/^data:image\/[a-z0-9.+-]+[;,][!-~]*$/i.test(text)) return text;
    if (text.length <= 2048 && /^\/(?![/\\])[!-[\]-~]*$/.test(text)) return text;
    const url = text.length <= 2048 ? URL.parse(text) : null;
    if (url?.protocol === "https:" && url.username === "" && url.password === "") return text;
  }
  throw new Unfit(
    "expected an https URL or a path such as /logo.svg of at most 2048 characters, or a data:image/… URL of at most 8192",
  );
}

export function docsUrl(text: string): string {
  const url = text.length <= 2048 && /^[!-[\]-~]+$/.test(text) ? URL.parse(text) : null;
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (isWeb && url.username === "" && url.password === "") return text;
  throw new Unfit("expected an https or http address of at most 2048 characters");
}

/** Hosts with a port where it is not 443, as `URL` writes them. */
export function pictureHosts(text: string): string[] {
  return text.split(",").map((part) => {
    const host = part.trim();
    const url = URL.parse(`https://${host}`);
    if (url !== null && url.host === host && /^[a-z0-9.-]+(?::\d+)?$/.test(host)) return host;
    throw new Unfit(`expected hosts such as cdn.example.com, got ${shown(host)}`);
  });
}

export function hostPatterns(text: string): string[] {
  const items = listItems(text);
  const wrong = items.filter((item) => !isHostPattern(item));
  if (wrong.length === 0) return items;
  throw new Unfit(
    `expected hosts such as client.example, *.client.example or *, separated by commas, got ${wrong.map(shown).join(", ")}`,
  );
}

/** Domains of e-mail addresses in lower case. */
export function mailDomains(text: string): string[] {
  const items = listItems(text).map((item) => item.toLowerCase());
  const wrong = items.filter((item) => !isEmailAddress(`a@${item}`) || !item.includes("."));
  if (wrong.length === 0) return items;
  throw new Unfit(
    `expected domains such as example.com, separated by commas, got ${wrong.map(shown).join(", ")}`,
  );
}

const mostRelatedOrigins = 5;

/** Origins as `URL` writes them, over https. */
export function relatedOrigins(text: string): string[] {
  const items = listItems(text);
  const wrong = items.filter((item) => !item.startsWith("https://") || URL.parse(item)?.origin !== item);
  if (wrong.length > 0) {
    throw new Unfit(
      `expected origins such as https://app.example, separated by commas, got ${wrong.map(shown).join(", ")}`,
    );
  }
  if (items.length <= mostRelatedOrigins) return items;
  throw new Unfit(`expected ${mostRelatedOrigins} origins at most, got ${items.length}`);
}

const mostPageOrigins = 20;

/** Origins as browsers send them: https, or http of this very machine. */
export function pageOrigins(text: string): string[] {
  const items = listItems(text);
  const isOrigin = (item: string) => {
    const url = URL.parse(item);
    if (url === null || url.origin !== item || item.includes("*")) return false;
    return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  };
  const wrong = items.filter((item) => !isOrigin(item));
  if (wrong.length > 0) {
    throw new Unfit(
      `expected origins such as https://admin.example, separated by commas, got ${wrong.map(shown).join(", ")}`,
    );
  }
  if (items.length <= mostPageOrigins) return items;
  throw new Unfit(`expected ${mostPageOrigins} origins at most, got ${items.length}`);
}

export function colour(text: string): string {
  if (/^#[0-9a-f]{6}$/i.test(text)) return text;
  throw new Unfit(`expected a colour such as #0e6655, got ${shown(text)}`);
}

/** A program and its arguments; no shell reads them. */
export function programWithArguments(text: string): readonly [string, ...string[]] {
  const [program, ...rest] = text.trim().split(/\s+/);
  if (program !== undefined && program !== "") return [program, ...rest];
  throw new Unfit("expected a program with its arguments");
}

export function visibleText(text: string): string {
  if (/^[!-~]{1,4096}$/.test(text)) return text;
  throw new Unfit("expected visible ASCII characters, 4096 at most");
}

export function pemText(text: string): string {
  if (/^-----BEGIN [A-Z ]+-----\r?\n/m.test(text) && text.length <= 65_536) return text;
  throw new Unfit("expected text in PEM, as from -----BEGIN CERTIFICATE----- on");
}

export type SignerAddress =
  | { readonly kind: "http"; readonly url: string }
  | {
      readonly kind: "pkcs11";
      readonly token: string;
      readonly module_path: string;
      readonly pin_file: string;
    };

/** A signer over HTTP, or a token by its PKCS #11 URI (RFC 7512). */
export function signerAddress(text: string): SignerAddress {
  if (text.startsWith("pkcs11:")) return tokenAddress(text);
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(hostOf(text)));
  if (url !== null && isSafe && url.username === "" && url.search === "" && url.hash === "")
    return { kind: "http", url: text.replace(/\/+$/, "") };
  throw new Unfit(
    "expected https://…, http://… on loopback, or pkcs11:token=LABEL?module-path=LIBRARY&pin-source=FILE",
  );
}

function tokenAddress(text: string): SignerAddress {
  const [path = "", query = ""] = text.slice("pkcs11:".length).split("?");
  const attributes = new Map(
    [...path.split(";"), ...query.split("&")].map((pair) => {
      const equals = pair.indexOf("=");
      return [pair.slice(0, equals), decoded(pair.slice(equals + 1))] as const;
    }),
  );
  const token = attributes.get("token");
  const module_path = attributes.get("module-path");
  const pin_file = attributes.get("pin-source")?.replace(/^file:(?:\/\/(?=\/))?/, "");
  if (attributes.has("pin-value"))
    throw new Unfit("a PIN comes from a file: pin-source instead of pin-value");
  if (token && module_path && pin_file) return { kind: "pkcs11", token, module_path, pin_file };
  throw new Unfit("expected token, module-path and pin-source in the PKCS #11 URI");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Unfit("expected percent-encoded text in the PKCS #11 URI");
  }
}
