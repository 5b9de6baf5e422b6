import { credentialPrefix, newCredential, prefixOf } from "../crypto/credentials.ts";
import { type FieldFault, Problem } from "../errors.ts";
import { type Checked, checkNew, isUuid } from "../records/check.ts";
import type { NewRow, OAuthApp, OAuthAppSecret } from "../records/definition.ts";
import type { AdminContext } from "./actor.ts";
import { changeRecord, insertRecord } from "./changes.ts";
import { type Input, invalidRecord, isObject, notFound } from "./faults.ts";

/** A secret somebody chose; what it leaves out stays as it is, or takes the default of a new one. */
export interface GivenSecret {
  readonly value: string;
  readonly expires_at?: Date | null;
  readonly revoked?: boolean;
}

const publicAppFault = "must be absent: a public app has no secret";

/** A secret for a new client: shown once, stored as its hash. */
export function newClientSecret(now: Date): string {
  return newCredential(credentialPrefix.client_secret, now);
}

function readSecret(input: unknown, path: string): Checked<GivenSecret> {
  const given: Input = isObject(input) ? input : { value: input };
  const { value, ...state } = given;
  const faults: FieldFault[] = [];
  if (typeof value !== "string" || value === "" || !value.isWellFormed()) {
    faults.push({
      path: isObject(input) ? `${path}/value` : path,
      message: "must be text that is not empty",
    });
  } else if (Buffer.byteLength(value) > 1024) {
    faults.push({ path: isObject(input) ? `${path}/value` : path, message: "must have at most 1024 bytes" });
  }
  const at = new Date(0);
  const rest = { id: "", app_id: "", secret_hash: "", secret_prefix: "", created_at: at };
  const checked = checkNew("oauth_app_secrets", state, { ...rest, last_used_at: null, revoked_at: null });
  faults.push(...checked.faults.map((fault) => ({ ...fault, path: path + fault.path })));
  const { expires_at, revoked } = checked.record;
  const record: GivenSecret = {
    value: typeof value === "string" ? value : "",
    ...(state.expires_at === undefined || expires_at === undefined ? {} : { expires_at }),
    ...(state.revoked === undefined || revoked === undefined ? {} : { revoked }),
  };
  return { faults, record };
}

/** The member `secrets` of an app: each a string or `{ value, expires_at?, revoked? }`; a public app takes none. */
export function readSecrets(input: unknown, isPublic: boolean): Checked<GivenSecret[]> {
  if (!Array.isArray(input)) {
    return { faults: [{ path: "/secrets", message: "must be a list" }], record: [] };
  }
  if (isPublic && input.length > 0) {
    return { faults: [{ path: "/secrets", message: publicAppFault }], record: [] };
  }
  const read = input.map((item, index) => readSecret(item, `/secrets/${index}`));
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

/** The row of a secret, hashed (spec 2.7: Argon2id and a prefix of at most 12 characters). */
export async function draftSecret(
  { store, passwords, now }: AdminContext,
  app_id: string,
  { value, expires_at = null, revoked = false }: GivenSecret,
): Promise<NewRow<"oauth_app_secrets">> {
  const at = now();
  return {
    id: store.newId(at),
    app_id,
    secret_hash: await passwords.hash(value),
    secret_prefix: prefixOf(value),
    expires_at,
    revoked,
    revoked_at: revoked ? at : null,
    created_at: at,
  };
}

/** The secret of the app that this value is, if it has it. */
export async function findSecret(
  { passwords }: Pick<AdminContext, "passwords">,
  secrets: readonly OAuthAppSecret[],
  value: string,
): Promise<OAuthAppSecret | undefined> {
  const prefix = prefixOf(value);
  for (const secret of secrets) {
    if (secret.secret_prefix === prefix && (await passwords.verify(secret.secret_hash, value))) return secret;
  }
  return undefined;
}

/**
 * Adds a secret beside those the app has, so that a client can change over without a gap (requirements C-9). Without
 * `given` one is made; its text is in the answer and nowhere else. Throws 422 `invalid_record` for a public app and for a
 * secret that is none, 409 `conflict` for one that the app has.
 */
export async function addAppSecret(
  context: AdminContext,
  app: OAuthApp,
  given?: unknown,
): Promise<{ row: OAuthAppSecret; secret: string | undefined }> {
  if (app.public) throw invalidRecord("oauth_app_secrets", [{ path: "/secret", message: publicAppFault }]);
  const secret = given === undefined ? newClientSecret(context.now()) : undefined;
  const { faults, record } = readSecrets([given ?? secret], false);
  const [chosen] = record;
  if (faults.length > 0 || chosen === undefined) throw invalidRecord("oauth_app_secrets", faults);
  const existing = await listAppSecrets(context, app);
  if (secret === undefined && (await findSecret(context, existing, chosen.value)) !== undefined) {
    throw new Problem(409, "conflict", "the app has this secret already");
  }
  const draft = await draftSecret(context, app.id, chosen);
  return { row: await insertRecord(context, "oauth_app_secrets", draft), secret };
}

/** Every secret of the app, also revoked and expired ones. */
export function listAppSecrets(
  { store }: Pick<AdminContext, "store">,
  app: OAuthApp,
): Promise<OAuthAppSecret[]> {
  return store.list("oauth_app_secrets", { app_id: app.id });
}

/** Revokes one secret of the app, at once and for good. Throws 404 `not_found`. */
export async function revokeAppSecret(
  context: AdminContext,
  app: OAuthApp,
  id: string,
): Promise<OAuthAppSecret> {
  const secret = isUuid(id)
    ? await context.store.find("oauth_app_secrets", { id: id.toLowerCase(), app_id: app.id })
    : undefined;
  if (secret === undefined) throw notFound("oauth_app_secrets", id);
  if (secret.revoked) return secret;
  return changeRecord(context, "oauth_app_secrets", secret, { revoked: true, revoked_at: context.now() });
}
