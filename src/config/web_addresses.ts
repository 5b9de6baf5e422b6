import { isIP, isIPv6 } from "node:net";
import { isHostPattern } from "../records/names/public_addresses.ts";
import { hostOf, isLoopbackName } from "./loopback.ts";
import { listItems, shown, Unfit } from "./unfit.ts";

/**
 * Parses the base URL (RFC 8414, section 2; OpenID Connect Discovery 1.0, section 3). The text is the
 * issuer byte for byte (D-1, D-2).
 */
export function baseUrl(text: string): string {
  if (!URL.canParse(text)) throw new Unfit("expected an absolute URL such as https://id.example.com");
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new Unfit("expected a URL that begins with https:// (or http:// on a loopback host)");
  }
  const problems: string[] = [];
  if (url.username || url.password) problems.push("it must not contain a user name or password");
  if (text.includes("?")) problems.push("it must not have a query");
  if (text.includes("#")) problems.push("it must not have a fragment");
  if (url.pathname !== "/") {
    problems.push(
      "it must not have a path, because the addresses of this server begin at the root of its host",
    );
  } else if (url.href === text) {
    problems.push(`it must not end in a slash; write ${url.origin}`);
  }
  if (url.protocol === "http:" && !isLoopbackName(hostOf(text))) {
    problems.push(
      "it must begin with https://; http is allowed only for localhost, names below it, 127.0.0.0/8 and ::1",
    );
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

export function addressRanges(text: string): string[] {
  const items = listItems(text);
  const wrong = items.filter((item) => !isAddressRange(item));
  if (wrong.length === 0) return items;
  throw new Unfit(
    `expected addresses or CIDR ranges such as 10.0.0.0/8, separated by commas, got ${wrong.map(shown).join(", ")}`,
  );
}

/**
 * Parses the IP ranges of trusted proxies. Rejects a range that contains every address, because any client
 * could then forge its IP address.
 */
export function proxyRanges(text: string): string[] {
  const ranges = addressRanges(text);
  const all = ranges.find(
    (range) => /\/0+$/.test(range) || /^::ffff:.*\/(?:\d|[1-8]\d|9[0-6])$/i.test(range),
  );
  if (all === undefined) return ranges;
  throw new Unfit(
    `${all} contains every address, so any client could claim any address and evade every limit: list only the addresses of your proxies`,
  );
}

function isAddressRange(item: string): boolean {
  const [address = "", bits, ...rest] = item.split("/");
  if (rest.length > 0 || isIP(address) === 0 || address.includes("%")) return false;
  return bits === undefined || (/^[0-9]{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32));
}

/** Parses the URL of a logo. A data URL is part of every page, so it must be small. */
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

/** Parses hosts, each in the form of `URL.host`: with a port unless it is 443. */
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

const mostRelatedOrigins = 5;

/** Parses https origins, spelled as in `URL.origin`. */
export function relatedOrigins(text: string): string[] {
  const items = listItems(text);
  const wrong = items.filter((item) => !item.startsWith("https://") || URL.parse(item)?.origin !== item);
  if (wrong.length > 0) {
    throw new Unfit(
      `expected origins such as https://app.example, separated by commas, got ${wrong.map(shown).join(", ")}`,
    );
  }
  if (items.length <= mostRelatedOrigins) return items;
  throw new Unfit(`expected at most ${mostRelatedOrigins} origins, got ${items.length}`);
}

const mostPageOrigins = 20;

/** Parses origins, spelled as in the header `Origin` of a browser. */
export function pageOrigins(text: string): string[] {
  const items = listItems(text);
  const isOrigin = (item: string) => {
    const url = URL.parse(item);
    if (url === null || url.origin !== item || item.includes("*")) return false;
    return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackName(url.hostname));
  };
  const wrong = items.filter((item) => !isOrigin(item));
  if (wrong.length > 0) {
    throw new Unfit(
      `expected origins such as https://admin.example, separated by commas, got ${wrong.map(shown).join(", ")}`,
    );
  }
  if (items.length <= mostPageOrigins) return items;
  throw new Unfit(`expected at most ${mostPageOrigins} origins, got ${items.length}`);
}
