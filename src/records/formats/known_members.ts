/**
 * The fields that this server reads in objects in which the caller may define any field, such as `settings`.
 * Forms and pages show each of these fields separately, and the rest of the object as JSON.
 */
import type { TableName } from "../definition/definition.ts";
import {
  bool,
  defaulting,
  type Field,
  int,
  object,
  oneOf,
  optional,
  string,
  strings,
} from "../definition/field.ts";
import { isObject, isStrings } from "../names/json_shapes.ts";
import { signUpPolicies } from "../names/names.ts";
import { longestInlinePicture } from "../names/picture.ts";
import { sessionBounds } from "./session_limits.ts";

type Members = Readonly<Record<string, Field>>;
type MemberShape = Pick<Field, "kind" | "shape" | "values">;

const link = (meaning: string) => optional(string(meaning, { format: "https_url", max_length: 2048 }));
const text = (meaning: string) => optional(string(meaning, { max_length: 2048 }));

const known: { readonly [T in TableName]?: Readonly<Record<string, Members>> } = {
  organizations: {
    settings: {
      "brand.name": optional(
        string("name on the sign-in pages of its apps", { plain: "line", max_length: 100 }),
      ),
      "brand.accent": optional(
        string("color of buttons and links on those pages", { format: "colour", max_length: 7 }),
      ),
      "brand.logo_url": optional(
        string("logo on those pages", { format: "picture", max_length: longestInlinePicture }),
      ),
      "sign_up.policy": optional(oneOf("who may register for its apps", signUpPolicies)),
      "sign_up.domains": optional(strings("domains whose addresses may register", { format: "domain" })),
      audience: optional(string("audience of tokens that name no API", { max_length: 2048 })),
      "session.max_age": optional(
        int("maximum lifetime of its members' sessions", { unit: "seconds", ...sessionBounds }),
      ),
      "session.idle": optional(
        int("how long a session of a member lasts without use", { unit: "seconds", ...sessionBounds }),
      ),
      "session.remember": defaulting(bool("whether its members may stay signed in"), true),
    },
  },
  oauth_apps: {
    metadata: {
      client_uri: link("website of the app"),
      policy_uri: link("its privacy policy"),
      tos_uri: link("its terms of service"),
      scope_descriptions: optional(
        object("descriptions of its scopes, which users see", { format: "scope_descriptions" }),
      ),
      refresh_reuse_window: optional(
        int("how long a used refresh token returns the same response again", {
          unit: "seconds",
          min: 0,
          max: 60,
        }),
      ),
    },
  },
  providers: {
    settings: {
      team_id: text("Apple's team ID"),
      key_id: text("Apple's key ID"),
      "claim_names.subject": text("claim with an identifier that never changes"),
      "claim_names.email": text("claim with the email address"),
      "claim_names.email_verified": text("claim that says whether the email address is verified"),
      "claim_names.name": text("claim with the name"),
      "claim_names.picture": text("claim with the address of a picture"),
      revocation_endpoint: link("URL that revokes its tokens"),
      pkce: defaulting(bool("whether requests use PKCE"), true),
    },
  },
};

/**
 * Returns the known fields of a column, keyed by names that begin with the column, such as
 * `settings.audience`.
 */
export function knownMembersOf(table: TableName, column: string): Members {
  const members = known[table]?.[column] ?? {};
  return Object.fromEntries(Object.entries(members).map(([steps, field]) => [`${column}.${steps}`, field]));
}

export const columnOfMember = (name: string): string => name.split(".")[0] ?? "";

const stepsOf = (name: string): readonly string[] => name.split(".").slice(1);

function isOf({ kind, shape, values }: MemberShape, value: unknown): boolean {
  if (kind === "bool") return typeof value === "boolean";
  if (kind === "int") return typeof value === "number";
  if (kind !== "json") return typeof value === "string" && (values === undefined || values.includes(value));
  return shape === "strings" ? isStrings(value) : isObject(value);
}

function without(value: unknown, [step = "", ...further]: readonly string[]): unknown {
  if (!isObject(value) || !Object.hasOwn(value, step)) return value;
  const { [step]: inner, ...others } = value;
  const rest = further.length === 0 ? undefined : without(inner, further);
  const isEmpty = rest === undefined || (isObject(rest) && Object.keys(rest).length === 0);
  return isEmpty ? others : { ...value, [step]: rest };
}

function within(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>(
    (inner, step) => (isObject(inner) && Object.hasOwn(inner, step) ? inner[step] : undefined),
    value,
  );
}

function withMember(value: unknown, [step = "", ...further]: readonly string[], member: unknown): unknown {
  const object = isObject(value) ? value : {};
  return { ...object, [step]: further.length === 0 ? member : withMember(object[step], further, member) };
}

/**
 * Splits a column's object into its known fields and the rest. A value that the form control of its field
 * cannot show stays in the rest.
 */
export function takenApart(
  value: unknown,
  members: Readonly<Record<string, MemberShape>>,
): { readonly members: Readonly<Record<string, unknown>>; readonly rest: unknown } {
  const found = Object.entries(members).flatMap(([name, field]) => {
    const member = within(value, stepsOf(name));
    return isOf(field, member) ? [[name, member] as const] : [];
  });
  const rest = found.reduce<unknown>((left, [name]) => without(left, stepsOf(name)), value);
  return { members: Object.fromEntries(found), rest };
}

/** Returns the view of a record with its known fields separate from their objects. */
export function membersApart(
  table: TableName,
  view: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const columns = Object.keys(known[table] ?? {}).filter((column) => isObject(view[column]));
  return columns.reduce<Record<string, unknown>>(
    (open, column) => {
      const { members, rest } = takenApart(view[column], knownMembersOf(table, column));
      const { [column]: _, ...others } = open;
      const isSaid = Object.keys(members).length > 0 && isObject(rest) && Object.keys(rest).length === 0;
      return { ...others, ...members, ...(!isSaid && { [column]: rest }) };
    },
    { ...view },
  );
}

/** Returns `rest` with these fields added; null removes a field. */
export function putTogether(rest: unknown, members: Readonly<Record<string, unknown>>): unknown {
  return Object.entries(members).reduce<unknown>(
    (whole, [name, member]) =>
      member === null ? without(whole, stepsOf(name)) : withMember(whole, stepsOf(name), member),
    rest,
  );
}

export function hasMember(value: unknown, name: string): boolean {
  return within(value, stepsOf(name)) !== undefined;
}
