/**
 * The fields of an app's `metadata` that this server reads (spec 2.6 does not define the content of
 * `metadata`).
 */
import { isDeepStrictEqual } from "node:util";
import { type FieldError, fieldError, pointerStep, type Reason, reason } from "../../errors/field_errors.ts";
import type { OAuthApp } from "../definition/definition.ts";
import { isObject, isStrings } from "../names/json_shapes.ts";
import { isScopeToken, releasesPhone } from "../names/names.ts";
import { isPlainText } from "../names/plain_text.ts";
import { longestIdentifier } from "../names/resource_identifiers.ts";
import { redirectUriError } from "./redirect_uris.ts";

function listOf(metadata: OAuthApp["metadata"], name: string): readonly string[] {
  const value: unknown = metadata?.[name];
  if (typeof value === "string") return [value];
  return isStrings(value) ? value : [];
}

/**
 * Returns the URIs of APIs in an app's `metadata`, as used before APIs were records
 * (docs/decisions/resources-and-scopes.md). `own` are those that the app represents, and `requested` those
 * that it may request.
 */
export function resourcesInMetadata(metadata: OAuthApp["metadata"]): {
  readonly own: readonly string[];
  readonly requested: readonly string[];
} {
  const named = (name: string) => [
    ...new Set(
      listOf(metadata, name).filter((text) => text !== "" && Buffer.byteLength(text) <= longestIdentifier),
    ),
  ];
  return {
    own: named("resource"),
    requested: named("resources").filter((uri) => resourceError(uri) === undefined),
  };
}

/**
 * Fields of an app that were part of its `metadata` before each got its own column
 * (docs/decisions/clients.md).
 */
export type FormerMembers = Pick<OAuthApp, "post_logout_redirect_uris" | "default_scopes" | "resources">;

export const formerMembers = [
  "post_logout_redirect_uris",
  "default_scopes",
  "resources",
] as const satisfies readonly (keyof FormerMembers)[];

/** Returns the values that `metadata` contains for `formerMembers`; unreadable values are omitted. */
export function membersInMetadata(metadata: OAuthApp["metadata"]): Partial<FormerMembers> {
  const said = formerMembers.flatMap((name): [string, readonly string[]][] => {
    const value: unknown = metadata?.[name];
    if (name === "resources")
      return value === undefined ? [] : [[name, resourcesInMetadata(metadata).requested]];
    if (name === "post_logout_redirect_uris" && typeof value === "string") return [[name, [value]]];
    return isStrings(value) ? [[name, [...new Set(value)]]] : [];
  });
  return Object.fromEntries(said);
}

/**
 * Returns those of `formerMembers` that `metadata` still contains, and whether each has the same value as the
 * app's column of this name.
 */
export function formerMembersOf(
  app: Pick<OAuthApp, "metadata" | keyof FormerMembers>,
): { readonly name: keyof FormerMembers; readonly follows: boolean }[] {
  const said = membersInMetadata(app.metadata);
  return formerMembers.flatMap((name) =>
    said[name] === undefined ? [] : [{ name, follows: isDeepStrictEqual(said[name], app[name]) }],
  );
}

/**
 * Returns `refresh_reuse_window` in seconds, which overrides the server's setting (design 6.9); undefined
 * if it is not set.
 */
export function refreshReuseWindow(app: Pick<OAuthApp, "metadata">): number | undefined {
  const value: unknown = app.metadata?.refresh_reuse_window;
  return typeof value === "number" ? value : undefined;
}

const longestDescription = 200;

const isDescription = (value: unknown): value is string =>
  typeof value === "string" &&
  value.trim() !== "" &&
  [...value].length <= longestDescription &&
  !/\p{Cc}|\p{Bidi_Control}|\p{Zl}|\p{Zp}/u.test(value);

/** A BCP 47 language tag, checked only for its syntax. */
const isLanguageTag = (text: string) => /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/i.test(text);

/**
 * Returns the errors of `scope_descriptions`, in which each description is a string or an object of strings
 * by language.
 */
export function scopeDescriptionErrors(descriptions: unknown): FieldError[] {
  const path = "/metadata/scope_descriptions";
  if (descriptions === undefined) return [];
  if (!isObject(descriptions)) return [fieldError(path, "not_object")];
  return Object.entries(descriptions).flatMap(([scope, input]) =>
    descriptionErrors(`${path}/${pointerStep(scope)}`, input),
  );
}

/** Returns the errors of one description, which is a string or an object of strings by language. */
export function descriptionErrors(place: string, input: unknown): FieldError[] {
  const limit = { characters: longestDescription };
  if (!isObject(input)) {
    if (!isDescription(input)) return [fieldError(place, "not_description_or_object", limit)];
    return isPlainText(input, "line") ? [] : [fieldError(place, "invisible_characters")];
  }
  const entries = Object.entries(input);
  if (entries.length === 0) return [fieldError(place, "no_language")];
  return entries.flatMap(([language, text]): FieldError[] => {
    const within = `${place}/${pointerStep(language)}`;
    if (!isLanguageTag(language)) return [fieldError(within, "not_language_tag")];
    if (!isDescription(text)) return [fieldError(within, "not_description", limit)];
    return isPlainText(text, "line") ? [] : [fieldError(within, "invisible_characters")];
  });
}

/**
 * Returns the description of a scope in `language` if present, else in English, else the first one. Undefined
 * without a description, and for a scope that releases the phone number.
 */
export function ownScopeDescription(
  app: Pick<OAuthApp, "metadata"> & Partial<Pick<OAuthApp, "claims">>,
  scope: string,
  language: string,
): { text: string; language?: string } | undefined {
  if (releasesPhone(app, scope)) return undefined;
  return describedIn(app.metadata?.scope_descriptions, scope, language);
}

/**
 * Like `ownScopeDescription`, but for any object of descriptions, such as the scopes of an API. The exception
 * for the phone number does not apply.
 */
export function describedIn(
  all: unknown,
  scope: string,
  language: string,
): { text: string; language?: string } | undefined {
  if (!isObject(all) || !Object.hasOwn(all, scope)) return undefined;
  const input = all[scope];
  if (isDescription(input)) return { text: input };
  if (!isObject(input)) return undefined;
  const texts = Object.entries(input).flatMap(([tag, text]) =>
    isLanguageTag(tag) && isDescription(text) ? [{ tag, text }] : [],
  );
  const primary = (tag: string) => tag.toLowerCase().split("-", 1)[0];
  const found =
    texts.find(({ tag }) => tag.toLowerCase() === language) ??
    texts.find(({ tag }) => primary(tag) === language) ??
    texts.find(({ tag }) => primary(tag) === "en") ??
    texts[0];
  return found && { text: found.text, language: primary(found.tag) === language ? language : found.tag };
}

/** Returns why the string is not an absolute URI without a fragment (RFC 8707 2); undefined if it is one. */
export function resourceError(uri: string): Reason | undefined {
  return URL.canParse(uri) && !uri.includes("#") && /^[\x21-\x7E]+$/.test(uri)
    ? undefined
    : reason("not_resource");
}

function errorsOfList(
  path: string,
  value: unknown,
  whyNot: (item: string) => Reason | undefined,
): FieldError[] {
  if (!isStrings(value)) return [];
  return value.flatMap((item, index) => {
    const why = whyNot(item);
    return why === undefined ? [] : [{ path: `${path}/${index}`, ...why }];
  });
}

const scopeReason = (scope: string) => (isScopeToken(scope) ? undefined : reason("not_scope"));

/** Returns the errors in the fields of an app's `metadata` that this server reads. */
export function metadataErrors(metadata: Readonly<Record<string, unknown>>): FieldError[] {
  const errors: FieldError[] = [];
  const uris = metadata.post_logout_redirect_uris;
  if (uris !== undefined && !isStrings(uris)) {
    errors.push(fieldError("/metadata/post_logout_redirect_uris", "not_list_of_strings"));
  }
  errors.push(
    ...errorsOfList("/metadata/post_logout_redirect_uris", uris, (uri) => redirectUriError(uri, "native")),
  );
  errors.push(...scopeDescriptionErrors(metadata.scope_descriptions));
  if (metadata.default_scopes !== undefined && !isStrings(metadata.default_scopes)) {
    errors.push(fieldError("/metadata/default_scopes", "not_list_of_strings"));
  }
  errors.push(...errorsOfList("/metadata/default_scopes", metadata.default_scopes, scopeReason));
  const window = metadata.refresh_reuse_window;
  if (
    window !== undefined &&
    !(Number.isInteger(window) && (window as number) >= 0 && (window as number) <= 60)
  ) {
    errors.push(fieldError("/metadata/refresh_reuse_window", "out_of_range", { min: 0, max: 60 }));
  }
  for (const name of ["resource", "resources"]) {
    const value = metadata[name];
    const list = name === "resource" && typeof value === "string" ? [value] : value;
    if (value === undefined) continue;
    if (!isStrings(list)) errors.push(fieldError(`/metadata/${name}`, "not_list_of_resources"));
    errors.push(...errorsOfList(`/metadata/${name}`, list, resourceError));
  }
  return errors;
}
