/**
 * The parameters of one request, as RFC 6749 3.1 and 3.2 read them: none except `resource` may be repeated,
 * and an empty one counts as omitted.
 */
import { refuse } from "../refusals/refuse.ts";

export interface Params {
  get(name: string): string | undefined;
  all(name: string): readonly string[];
  readonly repeated: string | undefined;
  readonly pairs: readonly (readonly [string, string])[];
}

const mostParameters = 100;

const repeatable: ReadonlySet<string> = new Set(["resource"]);

export function paramsOf(pairs: readonly (readonly [string, string])[]): Params {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) {
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, [value]);
    else earlier.push(value);
  }
  let repeated: string | undefined;
  for (const [name, list] of values) if (list.length > 1 && !repeatable.has(name)) repeated ??= name;
  return {
    get(name) {
      const list = values.get(name);
      return list?.length === 1 && list[0] !== "" ? list[0] : undefined;
    },
    all: (name) => (values.get(name) ?? []).filter((value) => value !== ""),
    repeated,
    pairs,
  };
}

function decode(text: string): string {
  const value = formDecoded(text);
  if (value !== undefined) return value;
  throw refuse("percent_encoding");
}

/** Decodes a form-encoded string; returns undefined if its encoding is invalid. */
export function formDecoded(text: string): string | undefined {
  if (!text.includes("%")) return text.replaceAll("+", " ");
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

const none: ReadonlySet<string> = new Set();

/**
 * Reads an `application/x-www-form-urlencoded` body or query. Throws `invalid_request` for malformed or too
 * many parameters. The value of a parameter in `takenAsSent` may contain a NUL, and is used as sent if it
 * cannot be decoded.
 */
export function readForm(text: string, takenAsSent = none, most = mostParameters): Params {
  if (text === "") return paramsOf([]);
  const parts = text.split("&", most + 1);
  if (parts.length > most) throw refuse("too_many_parameters", { most });
  const pairs: [string, string][] = [];
  for (const part of parts) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    const name = decode(equals === -1 ? part : part.slice(0, equals));
    const sent = equals === -1 ? "" : part.slice(equals + 1);
    const isTakenAsSent = takenAsSent.has(name);
    const value = isTakenAsSent ? (formDecoded(sent) ?? sent) : decode(sent);
    if (name.includes("\0") || (value.includes("\0") && !isTakenAsSent)) {
      throw refuse("nul_character");
    }
    pairs.push([name, value]);
  }
  return paramsOf(pairs);
}

export function refuseRepeated(params: Params): void {
  if (params.repeated !== undefined) {
    const { repeated } = params;
    const times = params.pairs.filter(([name]) => name === repeated).length;
    throw refuse("parameter_repeated", { name: repeated, times });
  }
}

export function required(params: Params, name: string): string {
  const value = params.get(name);
  if (value === undefined) throw refuse("parameter_missing", { name });
  return value;
}
