/** Reads the fields of an object from another system, and reports the unread ones as losses. */
import { momentOf } from "../../records/formats/check.ts";
import { isObject, isStrings, textOfJson } from "../../records/names/json_shapes.ts";
import type { Loss } from "./moved.ts";

export interface Members {
  text(name: string): string | undefined;
  /**
   * Returns a boolean, which the value may also spell `t`, `1`, `yes`, `f`, `0` or `no`. Any other value is
   * reported as a loss and yields `unreadable`.
   */
  flag(name: string, unreadable?: boolean): boolean | undefined;
  number(name: string): number | undefined;
  /**
   * Returns a time in RFC 3339. Accepts the formats of RFC 3339 and PostgreSQL, dates (their start in UTC),
   * and seconds or milliseconds since 1970.
   */
  moment(name: string): string | undefined;
  texts(name: string): string[];
  value(name: string): string | string[] | undefined;
  list(name: string): unknown[];
  /** The value may also be a string that contains the object as JSON. */
  members(name: string): Members | undefined;
  /** Marks these fields as read, because their values need not be imported. */
  pass(...names: string[]): void;
  /** Reports that a field is not imported, unless its value is empty, `false` or 0. */
  lose(name: string, reason: string): void;
  end(reason?: string): void;
  unread(): string[];
  raw(name: string): unknown;
}

const notKept = "not supported";

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === "";

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false || value === 0) return true;
  // CSV files contain empty objects and lists as text.
  if (value === "{}" || value === "[]") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** Reads an object. In losses, `object` names the object, and `path` precedes the names of its fields. */
export function membersOf(
  value: unknown,
  object: string | (() => string),
  lose: (loss: Loss) => void,
  path = "",
): Members {
  const called = () => (typeof object === "string" ? object : object());
  if (!isObject(value)) lose({ object: called(), member: path, reason: "not an object" });
  const own = isObject(value) ? value : {};
  const asked = new Set<string>();
  const below = (name: string) => (path === "" ? name : `${path}.${name}`);
  const loss = (name: string, reason: string) => lose({ object: called(), member: below(name), reason });

  function raw(name: string): unknown {
    asked.add(name);
    return Object.hasOwn(own, name) ? own[name] : undefined;
  }

  const unread = () => Object.keys(own).filter((name) => !asked.has(name) && !isEmpty(own[name]));

  function read<T>(name: string, what: string, take: (value: unknown) => T | undefined): T | undefined {
    const found = raw(name);
    if (isMissing(found)) return undefined;
    const taken = take(found);
    if (taken === undefined) loss(name, `not ${what}`);
    return taken;
  }

  return {
    raw,
    text: (name) =>
      read(name, "text", (found) =>
        typeof found === "string" || typeof found === "number" ? String(found) : undefined,
      ),
    flag(name, unreadable) {
      const what = unreadable === undefined ? "" : `: taken as ${unreadable}`;
      const found = read(name, `true or false${what}`, (value) => {
        const text = textOfJson(value).trim().toLowerCase();
        if (["true", "t", "1", "yes"].includes(text)) return true;
        return ["false", "f", "0", "no"].includes(text) ? false : undefined;
      });
      return found ?? (isMissing(raw(name)) ? undefined : unreadable);
    },
    number: (name) =>
      read(name, "a number", (found) => {
        const number = typeof found === "string" ? Number(found) : found;
        return typeof number === "number" && Number.isFinite(number) ? number : undefined;
      }),
    moment: (name) => read(name, "a time", timeOf),
    texts: (name) =>
      read(name, "a list of texts", (found) =>
        Array.isArray(found) && found.every((each) => typeof each === "string") ? found : undefined,
      ) ?? [],
    value: (name) =>
      read(name, "text, a number, true or false, or a list of texts", (found) =>
        isStrings(found)
          ? found
          : ["string", "number", "boolean"].includes(typeof found)
            ? String(found)
            : undefined,
      ),
    list: (name) => read(name, "a list", (found) => (Array.isArray(found) ? found : undefined)) ?? [],
    members(name) {
      const found = read(name, "an object", objectOf);
      return found === undefined ? undefined : membersOf(found, object, lose, below(name));
    },
    pass(...names) {
      for (const name of names) asked.add(name);
    },
    lose(name, reason) {
      if (!isEmpty(raw(name))) loss(name, reason);
    },
    end(reason = notKept) {
      for (const name of unread()) loss(name, reason);
    },
    unread,
  };
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  if (isObject(value)) return value;
  if (typeof value !== "string") return undefined;
  try {
    const found: unknown = JSON.parse(value);
    return isObject(found) ? found : undefined;
  } catch {
    // The parser's own error is dropped, because its message would quote the file.
    return undefined;
  }
}

/**
 * Smaller numbers are seconds, larger ones milliseconds: the limit is the year 5138 in seconds, and 1973 in
 * milliseconds.
 */
const mostSeconds = 1e11;

function timeOf(value: unknown): string | undefined {
  const isNumber = typeof value === "number" || (typeof value === "string" && /^\d+(\.\d+)?$/.test(value));
  if (isNumber) {
    const number = Number(value);
    const moment = new Date(number < mostSeconds ? number * 1000 : number);
    return Number.isNaN(moment.getTime()) ? undefined : momentOf(moment.toISOString())?.toISOString();
  }
  if (typeof value !== "string") return undefined;
  // PostgreSQL and others write a space for the T, `+00` for `+00:00`, or no zone for UTC.
  const [, day, clock = "00:00", zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?)?$/.exec(value) ??
    [];
  if (day === undefined) return undefined;
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace("UTC", "Z");
  return momentOf(`${day}T${clock}${offset.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2")}`)?.toISOString();
}
