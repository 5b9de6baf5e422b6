/** Which language a person is spoken to in. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { codeOf, findLanguage, type Language, languageOr } from "../web/words/language.ts";
import type { PageLocale } from "../web/words/page_locale.ts";
import { wordsOf } from "../web/words/words.ts";
import type { ShellContext } from "./context.ts";
import { formOf, hasForm } from "./form.ts";
import { targetOf } from "./target.ts";

/**
 * Holds the person's chosen language and, after a dot, the application's requested one that it overrides. Not
 * secret, and read before cookies are parsed: it has no `__Host-` name.
 */
const cookieName = "postern_language";

/** A year, in seconds. */
const cookieAge = 31_536_000;

/** Ranges of `Accept-Language` and words of `ui_locales` that are looked up, at most (H-61). */
const mostTags = 10;

/** Characters of `Accept-Language` and of `ui_locales` that are read, at most. */
const longestList = 255;

declare module "fastify" {
  interface FastifyInstance {
    /** The server's languages, in the order of the chooser. */
    readonly languages: readonly Language[];
  }
  interface FastifyRequest {
    /** Computed once, however many parts of a response need the language. */
    requested_languages: RequestedLanguages | undefined;
  }
}

interface RequestedLanguages {
  /** The language requested by the address, the form or the person. */
  readonly named: Language | undefined;
  /** The language requested by `Accept-Language`. */
  readonly preferred: Language | undefined;
}

interface Choice {
  readonly chosen: Language;
  readonly turned_down: Language | undefined;
}

/**
 * The sender of the request, with the facts that a page needs. `return_to` is where a choice of language
 * comes back to: the address itself, unless a form was posted there. `ui_locales` is that of a request to
 * which the address only refers; a choice of the person goes before it.
 */
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

/**
 * Whether one of our forms was sent without any of our cookies: a browser accepts `__Host-` cookies only over
 * https (RFC 6265bis, 4.1.3.2).
 */
function lacksCookies(request: FastifyRequest): boolean {
  if (request.headers.cookie?.includes("__Host-") || !hasForm(request)) return false;
  try {
    return formOf(request).get("csrf_token") !== undefined;
  } catch {
    // The later reader of the form reports its error.
    return false;
  }
}

/** The stored language of a user's last sign-in, or of a request. */
export function storedLanguage(
  { language }: { readonly language?: string | null },
  { languages }: Pick<ShellContext, "languages">,
): Language {
  return languageOr(language, languages);
}

/**
 * The language of the answer: `ui_locales` of the authorization request (OpenID Connect Core 3.1.2.1), the
 * person's choice, `Accept-Language`, English. A choice made on a page in an application's requested language
 * takes precedence over that request; otherwise it would have no effect there. Never throws: an error page is
 * a page too.
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
 * The first language of `ui_locales` that is spoken here; those that are not are no error (Core 3.1.2.1).
 * Ten words and 255 characters are read.
 */
export function languageOfLocales(ui_locales: string, spoken: readonly Language[]): Language | undefined {
  for (const tag of firstTags(ui_locales, " ")) {
    const language = spokenAs(tag, spoken);
    if (language !== undefined) return language;
  }
  return undefined;
}

/**
 * The best language for an `Accept-Language` (RFC 9110 12.5.4), compared by the first subtag as in the lookup
 * of RFC 4647 3.4; undefined if it names no supported language. Malformed parts are ignored. Ten ranges and
 * 255 characters are read.
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
    // The sort is stable: of two that weigh the same, the first one is meant.
    .sort((one, other) => other.weight - one.weight)
    .map(({ range, language }) => (range === "*" ? spoken.find((one) => !named.has(one)) : language));
  return wanted.find((language) => language !== undefined);
}

/** The parts that are looked up. The last one counts for nothing if the limit may have cut it. */
function firstTags(list: string, separator: string): string[] {
  const tags = list.slice(0, longestList).split(separator, mostTags + 1);
  if (list.length > longestList || tags.length > mostTags) tags.pop();
  return tags;
}

/**
 * Stores the choice in this browser; `url`, the path and query of that page, shows which choice it overrides.
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

/** Read from the header itself: an error page may be made where the framework has parsed no cookies. */
function choiceOf(cookies: string | undefined, spoken: readonly Language[]): Choice | undefined {
  const [, code, turned_down] =
    /(?:^|;)\s*postern_language=([\w-]+)(?:\.([\w-]+))?\s*(?:;|$)/.exec(cookies ?? "") ?? [];
  const chosen = findLanguage(code, spoken);
  return chosen && { chosen, turned_down: findLanguage(turned_down, spoken) };
}

/**
 * The language that is spoken here for a tag: its longest part that is one (RFC 4647 3.4), with the script
 * that the tag implies before the bare language, so that `zh-TW` is `zh-Hant` where there is one.
 */
function spokenAs(tag: string, spoken: readonly Language[]): Language | undefined {
  // Most foreign tags begin with one of our languages, and invalid names never reach `Intl`.
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
    // A range that is no tag, such as `es-`, is still of its language.
    return [tag.toLowerCase().split("-", 1)[0] ?? ""];
  }
}

/** The `ui_locales` of an address, or of the authorization request in its `redirect`. */
function languageOfAddress(address: string, spoken: readonly Language[]): Language | undefined {
  const query = queryIn(address);
  return languageOfParameters(query.get("ui_locales"), query.get("redirect"), spoken);
}

/** The same for a posted form, if users get a page. */
function languageOfForm(request: FastifyRequest): Language | undefined {
  if (request.routeOptions.config.errorFormat !== "page" || !hasForm(request)) return undefined;
  try {
    const form = formOf(request);
    return languageOfParameters(form.get("ui_locales"), form.get("redirect"), request.server.languages);
  } catch {
    // The later reader of the form reports its error.
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
