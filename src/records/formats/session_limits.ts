/** How long sessions last (OR-12): settings of the server, which an organization narrows for its members. */
import { type FieldError, fieldError, unknownField } from "../../errors/field_errors.ts";
import type { Organization } from "../definition/definition.ts";
import { isObject } from "../names/json_shapes.ts";
import { usualIdle } from "../names/liveness.ts";

/** Seconds. */
export interface SessionLimits {
  /** From the last sign-in to the end. */
  readonly max_age: number;
  /** From the last use to the end. */
  readonly idle: number;
}

/** Without settings (design 6.12). */
export const usualLimits: SessionLimits = { max_age: 604_800, idle: usualIdle / 1000 };

/** The bounds of both limits, seconds: the time of the last use is precise to a minute. */
export const sessionBounds = { min: 300, max: 31_536_000 } as const;

/** The errors of `settings.session`: `{ "max_age": 28800, "idle": 1800 }`. */
export function sessionErrors({ session }: Readonly<Record<string, unknown>>): FieldError[] {
  const path = "/settings/session";
  if (session === undefined) return [];
  if (!isObject(session)) return [fieldError(path, "not_object")];
  return Object.entries(session).flatMap(([name, value]): FieldError[] => {
    if (!Object.hasOwn(usualLimits, name)) return [unknownField(name, path)];
    if (typeof value !== "number" || !Number.isInteger(value))
      return [fieldError(`${path}/${name}`, "not_integer")];
    const { min, max } = sessionBounds;
    if (value < min) return [fieldError(`${path}/${name}`, "too_small", { min })];
    return value > max ? [fieldError(`${path}/${name}`, "too_large", { max })] : [];
  });
}

/**
 * The strictest limits of the server and of these organizations; none is longer than the server's. Values
 * stored before `settings.session` had a meaning count only if they are valid.
 */
export function narrowestLimits(
  server: SessionLimits,
  organizations: readonly Pick<Organization, "settings">[],
): SessionLimits {
  const given = organizations
    .flatMap(({ settings }) =>
      settings === null || sessionErrors(settings).length > 0 ? [] : settings.session,
    )
    .filter((session): session is Partial<SessionLimits> => session !== undefined);
  const least = (name: keyof SessionLimits) =>
    Math.min(server[name], ...given.map((session) => session[name] ?? server[name]));
  return { max_age: least("max_age"), idle: least("idle") };
}
