import type { FastifyReply, FastifyRequest } from "fastify";
import { codeOf, findLanguage, type Language, languageOr } from "../web/words/language.ts";
import type { PageLocale } from "../web/words/page_locale.ts";
import { wordsOf } from "../web/words/words.ts";
import type { ShellContext } from "./context.ts";
import { formOf, hasForm } from "./form.ts";
import { targetOf } from "./target.ts";

/**
 * The cookie contains the language that the user chose. After a dot follows the language that an application
 * requested and the user replaced. The cookie is not secret, so its name has no `__Host-` prefix and is the
 * same over http and https.
 */
const cookieName = "postern_language";

const cookieAge = 31_536_000;

/** At most ten languages are read from `Accept-Language` or `ui_locales` (H-61). */
const mostTags = 10;

const longestList = 255;

declare module "fastify" {
  interface FastifyInstance {
    readonly languages: readonly Language[];
  }
  interface FastifyRequest {
    requested_languages: RequestedLanguages | undefined;
  }
}

interface RequestedLanguages {
  readonly named: Language | undefined;
  readonly preferred: Language | undefined;
}

interface Choice {
  readonly chosen: Language;
  readonly turned_down: Language | undefined;
}

/** Returns the language of a page and the data for its language menu, which returns to `return_to`. */
export function localeOf(
  request: FastifyRequest,
  return_to: string | undefined = request.method === "POST" ? undefined : targetOf(request).url,
  ui_locales?: string,
): PageLocale {
  const language = languageOf(request, ui_locales);
  return {
    words: wordsOf(language),
    language,
    offered: request.server.languages,
    return_to,
    server: request.server.brand,
    docs_url: request.server.docs_url,
    right_address: lacksCookies(request) ? request.server.secure_address : undefined,
  };
}

/** Browsers accept `__Host-` cookies only over https (RFC 6265bis, section 4.1.3.2). */
function lacksCookies(request: FastifyRequest): boolean {
  if (request.headers.cookie?.includes("__Host-") || !hasForm(request)) return false;
  try {
    return formOf(request).get("csrf_token") !== undefined;
  } catch {
    // An error in the form is ignored here, because the code that reads the form later reports it.
    return false;
  }
}

/**
 * Returns the language stored in a record, or the supported variant of English if the server does not support
 * it.
 */
export function storedLanguage(
  { language }: { readonly language?: string | null },
  { languages }: Pick<ShellContext, "languages">,
): Language {
  return languageOr(language, languages);
}

/**
 * Returns the language of the response. `ui_locales` of the request comes first (OpenID Connect Core 1.0,
 * section 3.1.2.1). A choice made on a page in an application's requested language overrides that request;
 * otherwise the choice would have no effect on the page. Never throws, because error pages need a language
 * too.
 */
export function languageOf(request: FastifyRequest, ui_locales = ""): Language {
  request.requested_languages ??= requestedLanguages(request);
  const { named, preferred } = request.requested_languages;
  const { languages } = request.server;
  return named ?? languageOfLocales(ui_locales, languages) ?? preferred ?? languageOr("en", languages);
}

function requestedLanguages(request: FastifyRequest): RequestedLanguages {
  const { languages } = request.server;
  const choice = choiceOf(request.headers.cookie, languages);
  const requested = languageOfAddress(targetOf(request).url, languages) ?? languageOfForm(request);
  const isWanted = requested !== undefined && requested !== choice?.turned_down;
  return {
    named: isWanted ? requested : choice?.chosen,
    preferred: preferredLanguage(request.headers["accept-language"], languages),
  };
}

/**
 * Returns the first supported language of `ui_locales`; that none is supported is not an error (Core, section
 * 3.1.2.1).
 */
export function languageOfLocales(ui_locales: string, spoken: readonly Language[]): Language | undefined {
  for (const tag of firstTags(ui_locales, " ")) {
    const language = spokenAs(tag, spoken);
    if (language !== undefined) return language;
  }
  return undefined;
}

/**
 * Returns the best language for an `Accept-Language` (RFC 9110, section 12.5.4), matched as in the lookup of
 * RFC 4647, section 3.4. Undefined if the header names no supported language.
 */
export function preferredLanguage(
  accept_language: string | undefined,
  spoken: readonly Language[],
): Language | undefined {
  const ranges = firstTags(accept_language ?? "", ",").flatMap((item) => {
    const [, range, q = "1"] =
      /^\s*([a-z]{1,8}(?:-[a-z0-9]{1,8})*|\*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/i.exec(
        item,
      ) ?? [];
    return range === undefined ? [] : [{ range, weight: Number(q), language: spokenAs(range, spoken) }];
  });
  const named = new Set(ranges.map(({ language }) => language));
  const wanted = ranges
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ range, language }) => (range === "*" ? spoken.find((one) => !named.has(one)) : language));
  return wanted.find((language) => language !== undefined);
}

/** If a limit cuts the list, the last part is dropped, because it may be incomplete. */
function firstTags(list: string, separator: string): string[] {
  const tags = list.slice(0, longestList).split(separator, mostTags + 1);
  if (list.length > longestList || tags.length > mostTags) tags.pop();
  return tags;
}

/**
 * Stores the user's choice in this browser. `url` is the path and query of the page; if it contains a
 * requested language, the choice overrides that language.
 */
export function storeChoice(reply: FastifyReply, chosen: Language, url: string, secure: boolean): void {
  const requested = languageOfAddress(url, reply.server.languages);
  const turned_down = requested === undefined || requested === chosen ? [] : [requested];
  const value = [chosen, ...turned_down].map(codeOf).join(".");
  reply.setCookie(cookieName, value, {
    path: "/",
    httpOnly: true,
    secure,
    sameSite: "lax",
    maxAge: cookieAge,
  });
}

/**
 * Reads the `Cookie` header itself, because an error page may be rendered before the framework parses
 * cookies.
 */
function choiceOf(cookies: string | undefined, spoken: readonly Language[]): Choice | undefined {
  const [, code, turned_down] =
    /(?:^|;)\s*postern_language=([\w-]+)(?:\.([\w-]+))?\s*(?:;|$)/.exec(cookies ?? "") ?? [];
  const chosen = findLanguage(code, spoken);
  return chosen && { chosen, turned_down: findLanguage(turned_down, spoken) };
}

/**
 * Returns the supported language that matches the longest part of a tag (RFC 4647, section 3.4). The script
 * that a tag implies is tried before the bare language, so `zh-TW` becomes `zh-Hant` if that exists.
 */
function spokenAs(tag: string, spoken: readonly Language[]): Language | undefined {
  const [first = ""] = tag.toLowerCase().split("-", 1);
  if (!/^[a-z]{2,3}$/.test(first)) return undefined;
  for (const part of partsOf(tag)) {
    const language = findLanguage(part, spoken);
    if (language !== undefined) return language;
  }
  return undefined;
}

function partsOf(tag: string): string[] {
  try {
    const locale = new Intl.Locale(tag);
    const { language, script, region } = locale;
    const implied = locale.maximize().script;
    return [
      ...(script && region ? [`${language}-${script}-${region}`] : []),
      ...(region ? [`${language}-${region}`] : []),
      ...(script ? [`${language}-${script}`] : []),
      `${language}-${implied}`,
      language,
    ];
  } catch {
    // An invalid range such as `es-` still has a language.
    return [tag.toLowerCase().split("-", 1)[0] ?? ""];
  }
}

function languageOfAddress(address: string, spoken: readonly Language[]): Language | undefined {
  const query = queryIn(address);
  return languageOfParameters(query.get("ui_locales"), query.get("redirect"), spoken);
}

function languageOfForm(request: FastifyRequest): Language | undefined {
  if (request.routeOptions.config.errorFormat !== "page" || !hasForm(request)) return undefined;
  try {
    const form = formOf(request);
    return languageOfParameters(form.get("ui_locales"), form.get("redirect"), request.server.languages);
  } catch {
    // An error in the form is ignored here, because the code that reads the form later reports it.
    return undefined;
  }
}

function languageOfParameters(
  ui_locales: string | null | undefined,
  redirect: string | null | undefined,
  spoken: readonly Language[],
): Language | undefined {
  const pending = queryIn(redirect ?? "").get("ui_locales");
  return languageOfLocales(ui_locales ?? "", spoken) ?? languageOfLocales(pending ?? "", spoken);
}

function queryIn(address: string): URLSearchParams {
  const question = address.indexOf("?");
  return new URLSearchParams(question === -1 ? "" : address.slice(question + 1));
}
