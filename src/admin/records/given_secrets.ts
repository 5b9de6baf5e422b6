import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError, type Reason, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { OAuthAppSecret } from "../../records/definition/definition.ts";
import { type Checked, checkNew } from "../../records/formats/check.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { stateOfCredential } from "../../records/names/liveness.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Input } from "../access/errors.ts";
import { foreignHashError, isHash } from "./password_input.ts";

/** An omitted field keeps its value, or gets its default if the secret is new. */
export interface GivenSecret {
  readonly value: string;
  /** A hash from another program, in a format that `readForeignHash` supports (MG-7). */
  readonly hash?: string;
  readonly expires_at?: Date | null;
  readonly revoked?: boolean;
}

/**
 * The maximum number of active secrets of an app, and of secrets in a request. Each can cost an Argon2id
 * hash.
 */
export const mostSecrets = 10;

/** Minimum length in characters. On the command line, 8 characters are enough. */
export const shortestSecret = 20;
const shortestOfOperator = 8;

const publicAppError = reason("secret_of_public_app");

/** Returns the error for too many secrets. Throw it before hashing any of them. */
export function tooManySecrets(path: string): Problem {
  return new Problem("too_many_secrets", detail("too_many_secrets", { secrets: mostSecrets }), [
    fieldError(path, "too_large", { max: mostSecrets }),
  ]);
}

export function isActiveSecret(
  { revoked, expires_at }: Pick<OAuthAppSecret, "revoked" | "expires_at">,
  now: Date,
): boolean {
  return stateOfCredential({ revoked, expires_at }, now) === "active";
}

function whyNot(value: unknown, shortest: number): Reason | undefined {
  if (typeof value !== "string" || value === "" || !value.isWellFormed()) return reason("not_text");
  if (isHash(value)) return reason("secret_is_hash");
  if ([...value].length < shortest) return reason("too_short", { characters: shortest });
  return Buffer.byteLength(value) > 1024 ? reason("too_many_bytes", { bytes: 1024 }) : undefined;
}

function readSecret(input: unknown, path: string, { actor, warn }: Reading): Checked<GivenSecret> {
  const values: Input = isObject(input) ? input : { value: input };
  const { value, hash, ...state } = values;
  const isHashed = hash !== undefined;
  const ofValue = isObject(input) ? `${path}/${isHashed ? "hash" : "value"}` : path;
  const why = isHashed
    ? foreignHashError(hash)
    : whyNot(value, actor.kind === "system" ? shortestOfOperator : shortestSecret);
  const errors: FieldError[] = why === undefined ? [] : [{ path: ofValue, ...why }];
  if (isHashed && value !== undefined)
    errors.push(fieldError(`${path}/value`, "excluded_by", { field: "hash" }));
  if (!isHashed && why === undefined && whyNot(value, shortestSecret) !== undefined) {
    warn?.(
      `${ofValue}: has fewer than ${shortestSecret} characters, so it is easier to guess than a generated secret`,
    );
  }
  const at = new Date(0);
  const rest = { id: "", app_id: "", secret_hash: "", secret_prefix: "", created_at: at };
  const checked = checkNew("oauth_app_secrets", state, { ...rest, last_used_at: null, revoked_at: null });
  errors.push(...checked.errors.map((each) => ({ ...each, path: path + each.path })));
  const { expires_at, revoked } = checked.record;
  const record: GivenSecret = {
    value: typeof value === "string" && !isHashed ? value : "",
    ...(typeof hash === "string" && { hash }),
    ...(state.expires_at === undefined || expires_at === undefined ? {} : { expires_at }),
    ...(state.revoked === undefined || revoked === undefined ? {} : { revoked }),
  };
  return { errors, record };
}

type Reading = Pick<AdminContext, "actor" | "warn">;

/**
 * Reads the list of secrets in a request. Each entry is a string or `{ value or hash, expires_at?, revoked?
 * }`.
 */
export function readSecrets(input: unknown, isPublic: boolean, context: Reading): Checked<GivenSecret[]> {
  const refused = (why: Reason) => ({ errors: [{ path: "/secrets", ...why }], record: [] });
  if (!Array.isArray(input)) return refused(reason("not_list"));
  if (isPublic && input.length > 0) return refused(publicAppError);
  if (input.length > mostSecrets) return refused(reason("too_large", { max: mostSecrets }));
  const read = input.map((item, index) => readSecret(item, `/secrets/${index}`, context));
  const values = read.map(({ record }) => record.hash ?? record.value);
  const repeated = values.flatMap((value, index) => {
    const first = values.indexOf(value);
    const why = reason("same_secret", { number: first + 1 });
    return value !== "" && first < index ? [{ path: `/secrets/${index}`, ...why }] : [];
  });
  return {
    errors: [...read.flatMap(({ errors }) => errors), ...repeated],
    record: read.map(({ record }) => record),
  };
}
