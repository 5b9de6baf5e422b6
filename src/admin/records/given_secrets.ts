/** Client secrets as callers give them: how they may look, and how many an app may have. */

import { type FieldFault, Problem } from "../../errors.ts";
import { type Checked, checkNew } from "../../records/check.ts";
import type { OAuthAppSecret } from "../../records/definition.ts";
import { stateOfCredential } from "../../records/liveness.ts";
import type { AdminContext } from "../access/actor.ts";
import { type Input, isObject } from "../faults.ts";

/** A secret somebody chose; what it leaves out stays as it is, or takes the default of a new one. */
export interface GivenSecret {
  readonly value: string;
  readonly expires_at?: Date | null;
  readonly revoked?: boolean;
}

/** Secrets of an app that work at the same time, and secrets of one request: each costs a hash. */
export const mostSecrets = 10;

/**
 * Characters of a secret that somebody chose. The operator answers for shorter ones: files and tests have
 * them.
 */
export const shortestSecret = 20;
const shortestOfOperator = 8;

const publicAppFault = "must be absent: a public app has no secret";

/** More secrets than an app may have. Throw it before any of them is hashed. */
export function tooManySecrets(path: string): Problem {
  const detail = `an app has at most ${mostSecrets} secrets that work; revoke one first`;
  return new Problem(422, "too_many_secrets", detail, [{ path, message: `must be at most ${mostSecrets}` }]);
}

/** Whether the secret works now. */
export function isLiveSecret(
  { revoked, expires_at }: Pick<OAuthAppSecret, "revoked" | "expires_at">,
  now: Date,
): boolean {
  return stateOfCredential({ revoked, expires_at }, now) === "active";
}

function faultOf(value: unknown, shortest: number): string | undefined {
  if (typeof value !== "string" || value === "" || !value.isWellFormed())
    return "must be text that is not empty";
  if ([...value].length < shortest) return `must have at least ${shortest} characters`;
  return Buffer.byteLength(value) > 1024 ? "must have at most 1024 bytes" : undefined;
}

function readSecret(input: unknown, path: string, { actor, warn }: Reading): Checked<GivenSecret> {
  const given: Input = isObject(input) ? input : { value: input };
  const { value, ...state } = given;
  const ofValue = isObject(input) ? `${path}/value` : path;
  const fault = faultOf(value, actor.kind === "system" ? shortestOfOperator : shortestSecret);
  const faults: FieldFault[] = fault === undefined ? [] : [{ path: ofValue, message: fault }];
  if (fault === undefined && faultOf(value, shortestSecret) !== undefined) {
    warn?.(`${ofValue}: has fewer than ${shortestSecret} characters, and is easier to guess than a made one`);
  }
  const at = new Date(0);
  const rest = { id: "", app_id: "", secret_hash: "", secret_prefix: "", created_at: at };
  const checked = checkNew("oauth_app_secrets", state, { ...rest, last_used_at: null, revoked_at: null });
  faults.push(...checked.faults.map((each) => ({ ...each, path: path + each.path })));
  const { expires_at, revoked } = checked.record;
  const record: GivenSecret = {
    value: typeof value === "string" ? value : "",
    ...(state.expires_at === undefined || expires_at === undefined ? {} : { expires_at }),
    ...(state.revoked === undefined || revoked === undefined ? {} : { revoked }),
  };
  return { faults, record };
}

type Reading = Pick<AdminContext, "actor" | "warn">;

/**
 * The member `secrets` of an app: each a string or `{ value, expires_at?, revoked? }`; a public app takes
 * none.
 */
export function readSecrets(input: unknown, isPublic: boolean, context: Reading): Checked<GivenSecret[]> {
  const refused = (message: string) => ({ faults: [{ path: "/secrets", message }], record: [] });
  if (!Array.isArray(input)) return refused("must be a list");
  if (isPublic && input.length > 0) return refused(publicAppFault);
  if (input.length > mostSecrets) return refused(`must be at most ${mostSecrets}`);
  const read = input.map((item, index) => readSecret(item, `/secrets/${index}`, context));
  const values = read.map(({ record }) => record.value);
  const repeated = values.flatMap((value, index) => {
    const first = values.indexOf(value);
    const message = `is the same secret as number ${first + 1}`;
    return value !== "" && first < index ? [{ path: `/secrets/${index}`, message }] : [];
  });
  return {
    faults: [...read.flatMap(({ faults }) => faults), ...repeated],
    record: read.map(({ record }) => record),
  };
}
