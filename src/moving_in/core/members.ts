/** The members of an object from another system: members that are not read are reported as lost. */
import { momentOf } from "../../records/formats/check.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import type { Loss } from "./moved.ts";

export interface Members {
  /** Text that is not empty; numbers as text. */
  text(name: string): string | undefined;
  /** `unreadable` is what anything else counts as, where it must not count as missing. */
  flag(name: string, unreadable?: boolean): boolean | undefined;
  number(name: string): number | undefined;
  /** A time as RFC 3339: of texts of RFC 3339 or PostgreSQL, and of seconds or milliseconds since 1970. */
  moment(name: string): string | undefined;
  texts(name: string): string[];
  list(name: string): unknown[];
  /** An object, also as JSON in text. */
  members(name: string): Members | undefined;
  /** Members that say nothing to carry. */
  pass(...names: string[]): void;
  /** A member that is not imported; nothing if it is empty. */
  lose(name: string, reason: string): void;
  /** Reports every unread member as lost. */
  end(reason?: string): void;
  /** The value as it is. */
  raw(name: string): unknown;
}

const notKept = "not supported";

const isMissing = (value: unknown): boolean => value === undefined || value === null || value === "";

/** Values that are equivalent to a missing member. */
function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "" || value === false || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/**
 * Reads an object; `object` names it in losses, and members below it have `path` before their name. Anything
 * else is reported as lost and has no members.
 */
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

  /** The result of `read` for a value; a loss if it returns nothing for a value that is not empty. */
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
        const text = String(value).trim().toLowerCase();
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
      for (const [name, found] of Object.entries(own))
        if (!asked.has(name) && !isEmpty(found)) loss(name, reason);
    },
  };
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  if (isObject(value)) return value;
  if (typeof value !== "string") return undefined;
  try {
    const found: unknown = JSON.parse(value);
    return isObject(found) ? found : undefined;
  } catch {
    // The message of the error would quote the text.
    return undefined;
  }
}

/** Seconds of the year 5138, and milliseconds of 1973: no time of an account is between them. */
const mostSeconds = 1e11;

function timeOf(value: unknown): string | undefined {
  const isNumber = typeof value === "number" || (typeof value === "string" && /^\d+(\.\d+)?$/.test(value));
  if (isNumber) {
    const number = Number(value);
    const moment = new Date(number < mostSeconds ? number * 1000 : number);
    return Number.isNaN(moment.getTime()) ? undefined : momentOf(moment.toISOString())?.toISOString();
  }
  if (typeof value !== "string") return undefined;
  // PostgreSQL and others write a blank for the T, `+00` for `+00:00`, or no zone where it is UTC.
  const [, day, clock, zone = "Z"] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/.exec(value) ?? [];
  if (day === undefined || clock === undefined) return undefined;
  const offset = /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone.replace("UTC", "Z");
  return momentOf(`${day}T${clock}${offset.replace(/^([+-]\d\d)(\d\d)$/, "$1:$2")}`)?.toISOString();
}
