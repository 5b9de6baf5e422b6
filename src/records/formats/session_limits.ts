/**
 * How long sessions last (OR-12). The server's settings set the limits, and an organization can shorten them
 * for its members.
 */
import { type FieldError, fieldError, unknownField } from "../../errors/field_errors.ts";
import type { Organization } from "../definition/definition.ts";
import { isObject } from "../names/json_shapes.ts";
import { usualIdle } from "../names/liveness.ts";

export interface SessionLimits {
  /** Seconds from the sign-in that created the session to the end of the session. */
  readonly max_age: number;
  /** Seconds from the last use to the end of the session. */
  readonly idle: number;
}

export const usualLimits: SessionLimits = { max_age: 604_800, idle: usualIdle / 1000 };

/**
 * The bounds of both limits in seconds. The minimum is five minutes, because the time of the last use is
 * precise only to a minute.
 */
export const sessionBounds = { min: 300, max: 31_536_000 } as const;

type SessionPolicy = Partial<SessionLimits> & {
  /** `false`: "Keep me signed in" has no effect for members. */
  readonly remember?: boolean;
};

/** Returns the errors of `settings.session`: `{ "max_age": 28800, "idle": 1800, "remember": false }`. */
export function sessionErrors({ session }: Readonly<Record<string, unknown>>): FieldError[] {
  const path = "/settings/session";
  if (session === undefined) return [];
  if (!isObject(session)) return [fieldError(path, "not_object")];
  return Object.entries(session).flatMap(([name, value]): FieldError[] => {
    if (name === "remember")
      return typeof value === "boolean" ? [] : [fieldError(`${path}/${name}`, "not_boolean")];
    if (!Object.hasOwn(usualLimits, name)) return [unknownField(name, path)];
    if (typeof value !== "number" || !Number.isInteger(value))
      return [fieldError(`${path}/${name}`, "not_integer")];
    const { min, max } = sessionBounds;
    if (value < min) return [fieldError(`${path}/${name}`, "too_small", { min })];
    return value > max ? [fieldError(`${path}/${name}`, "too_large", { max })] : [];
  });
}

/** Ignores `settings.session` with any invalid value: it was stored before the setting existed. */
function policiesOf(organizations: readonly Pick<Organization, "settings">[]): SessionPolicy[] {
  return organizations
    .flatMap(({ settings }) =>
      settings === null || sessionErrors(settings).length > 0 ? [] : settings.session,
    )
    .filter((session): session is SessionPolicy => session !== undefined);
}

export function allowRemembering(organizations: readonly Pick<Organization, "settings">[]): boolean {
  return policiesOf(organizations).every(({ remember }) => remember !== false);
}

/** Returns the strictest limits of the server and these organizations. */
export function narrowestLimits(
  server: SessionLimits,
  organizations: readonly Pick<Organization, "settings">[],
): SessionLimits {
  const given = policiesOf(organizations);
  const least = (name: keyof SessionLimits) =>
    Math.min(server[name], ...given.map((session) => session[name] ?? server[name]));
  return { max_age: least("max_age"), idle: least("idle") };
}
