/** Parses an import line about one user, and determines which of its data this server cannot store (MG-6). */
import { decodeBase64url } from "../../crypto/digest.ts";
import { algorithmOfPublicKey, knownTransports } from "../../crypto/passkeys.ts";
import { readTotpUri } from "../../crypto/totp.ts";
import { type FieldError, fieldError, type Reason, reason, unknownField } from "../../errors/field_errors.ts";
import type { NewRow } from "../../records/definition/definition.ts";
import { isUuid, momentOf } from "../../records/formats/check.ts";
import { nilUuid } from "../../records/names/ids.ts";
import { isObject } from "../../records/names/json_shapes.ts";
import { type Input, isText } from "../access/errors.ts";
import { type PasswordInput, passwordInputError } from "../records/password_input.ts";

type NewPasskey = Omit<NewRow<"passkeys">, "id" | "user_id" | "created_at">;

export interface PersonLine {
  readonly external_id: string;
  readonly id: string | undefined;
  /**
   * Whether the line says that the user is a platform administrator. The import does not make the user one.
   */
  readonly is_platform_admin: boolean;
  readonly user: Input;
  readonly attributes: Input;
  readonly email_verified_at: Date | undefined;
  readonly created_at: Date | undefined;
  readonly webauthn_handle: Buffer | undefined;
  readonly password: Exclude<PasswordInput, string> | undefined;
  readonly totp: readonly { readonly secret: string; readonly name: string; readonly path: string }[];
  readonly passkeys: readonly { readonly row: NewPasskey; readonly path: string }[];
  readonly linked_accounts: readonly {
    readonly provider: string;
    /**
     * Whether `provider` names a preset such as `google`, so that only the server's provider from this preset
     * matches.
     */
    readonly is_preset: boolean;
    readonly provider_user_id: string;
    readonly path: string;
  }[];
  readonly memberships: readonly {
    readonly organization: string;
    readonly given: Input;
    readonly path: string;
  }[];
  readonly losses: readonly FieldError[];
  readonly errors: readonly FieldError[];
}

const userMembers = ["email", "name", "avatar_url", "active"] as const;
const members: readonly string[] = [
  ...["external_id", "id", "email_verified_at", "created_at", "webauthn_user_handle", "password"],
  ...["totp", "passkeys", "linked_accounts", "memberships", "attributes", ...userMembers],
  "is_platform_admin",
];

const mostItems = 100;
const handleBytes = 32;

/** Parses one line. `rp_id` is the host name to which this server's passkeys belong; undefined if unknown. */
export async function readPersonLine(
  given: unknown,
  { rp_id, at }: { readonly rp_id: string | undefined; readonly at: Date },
): Promise<PersonLine> {
  const line: Input = isObject(given) ? given : {};
  const errors: FieldError[] = isObject(given) ? [] : [fieldError("", "not_object")];
  const losses: FieldError[] = [];
  for (const name of Object.keys(line)) if (!members.includes(name)) errors.push(unknownField(name));

  function time(name: "email_verified_at" | "created_at"): Date | undefined {
    const value = line[name];
    if (value === undefined || value === null) return undefined;
    const moment = typeof value === "string" ? momentOf(value) : undefined;
    if (moment === undefined) errors.push(fieldError(`/${name}`, "not_time"));
    else if (moment > at) errors.push(fieldError(`/${name}`, "in_the_future"));
    return moment;
  }

  function items(name: string): { readonly item: Input; readonly path: string }[] {
    const value = line[name] ?? [];
    if (!Array.isArray(value)) losses.push(fieldError(`/${name}`, "not_list"));
    const all: readonly unknown[] = Array.isArray(value) ? value : [];
    if (all.length > mostItems) losses.push(fieldError(`/${name}`, "too_large", { max: mostItems }));
    return all.slice(0, mostItems).flatMap((item, index) => {
      const path = `/${name}/${index}`;
      if (isObject(item)) return [{ item, path }];
      losses.push(fieldError(path, "not_object"));
      return [];
    });
  }

  const { id, external_id = id, password, webauthn_user_handle, attributes = {} } = line;
  if (!isObject(attributes)) losses.push(fieldError("/attributes", "not_object"));
  if (id !== undefined && (!isUuid(id) || id === nilUuid)) errors.push(fieldError("/id", "not_uuid"));
  if (external_id === undefined) errors.push(fieldError("/external_id", "external_id_missing"));
  else if (!isText(external_id) || external_id === "" || external_id.length > 255)
    errors.push(fieldError("/external_id", "not_text"));
  const handle = isText(webauthn_user_handle) ? decodeBase64url(webauthn_user_handle) : undefined;
  const webauthn_handle = handle?.length === handleBytes ? handle : undefined;

  return {
    external_id: isText(external_id) ? external_id : "",
    id: isUuid(id) ? id.toLowerCase() : undefined,
    is_platform_admin: line.is_platform_admin === true,
    user: Object.fromEntries(
      userMembers.flatMap((name) => (line[name] === undefined ? [] : [[name, line[name]]])),
    ),
    attributes: isObject(attributes) ? attributes : {},
    email_verified_at: time("email_verified_at"),
    created_at: time("created_at"),
    webauthn_handle,
    password: readPassword(password, losses),
    totp: items("totp").flatMap(({ item: { otpauth, name }, path }) => {
      const read = isText(otpauth) ? readTotpUri(otpauth) : undefined;
      if (read === undefined) losses.push(fieldError(`${path}/otpauth`, "unusual_totp"));
      return read ? [{ secret: read.secret, name: nameOf(name, read.label), path }] : [];
    }),
    passkeys: (
      await Promise.all(
        items("passkeys").map(async ({ item, path }) => {
          const row = await readPasskey(item, { rp_id, has_handle: webauthn_handle !== undefined });
          if ("code" in row) losses.push({ path, ...row });
          return "code" in row ? [] : [{ row, path }];
        }),
      )
    ).flat(),
    linked_accounts: items("linked_accounts").flatMap(({ item, path }) => {
      const { preset, provider_user_id } = item;
      const is_preset = preset !== undefined;
      const provider = is_preset ? preset : item.provider;
      if (isText(provider) && isText(provider_user_id) && provider_user_id !== "")
        return [{ provider, is_preset, provider_user_id, path }];
      losses.push(fieldError(path, "not_text"));
      return [];
    }),
    memberships: items("memberships").flatMap(({ item: { organization, ...more }, path }) => {
      if (isText(organization)) return [{ organization, given: more, path }];
      losses.push(fieldError(`${path}/organization`, "not_text"));
      return [];
    }),
    losses,
    errors,
  };
}

/** A hash that this server cannot verify is reported as lost (MG-2). */
function readPassword(given: unknown, losses: FieldError[]): PersonLine["password"] {
  if (given === undefined || given === null) return undefined;
  const why = isObject(given) ? passwordInputError(given) : reason("not_object");
  if (why === undefined) return given as PersonLine["password"];
  const path = isObject(given) && given.hash !== undefined ? "/password/hash" : "/password";
  losses.push({ path, ...why });
  return undefined;
}

const longestName = 64;

function nameOf(...candidates: readonly unknown[]): string {
  const found = candidates.find((name) => isText(name) && /^[^\p{Cc}]*\S[^\p{Cc}]*$/u.test(name));
  return typeof found === "string" ? found.trim().slice(0, longestName).toWellFormed() : "Imported";
}

async function readPasskey(
  given: Input,
  { rp_id, has_handle }: { readonly rp_id: string | undefined; readonly has_handle: boolean },
): Promise<NewPasskey | Reason> {
  const { credential_id, public_key, counter = 0, transports = [], aaguid = null } = given;
  const id_bytes = isText(credential_id) ? decodeBase64url(credential_id) : undefined;
  const algorithm = isText(public_key) ? await algorithmOfPublicKey(public_key) : undefined;
  const isCounted = Number.isInteger(counter) && Number(counter) >= 0 && Number(counter) < 2 ** 31;
  if (!id_bytes?.length || id_bytes.length > 1023 || algorithm === undefined || !isCounted)
    return reason("unusual_passkey");
  if (rp_id === undefined || given.rp_id !== rp_id)
    return reason("passkey_of_other_host", { host: rp_id ?? "" });
  const signs_in = given.discoverable === true;
  if (signs_in && !has_handle) return reason("passkey_without_handle");
  return {
    name: nameOf(given.name),
    credential_id: String(credential_id),
    public_key: String(public_key),
    algorithm,
    rp_id,
    transports: knownTransports(Array.isArray(transports) ? transports : []),
    aaguid: isUuid(aaguid) ? aaguid.toLowerCase() : null,
    backup_eligible: given.backup_eligible === true,
    backed_up: given.backed_up === true,
    uv_initialized: given.user_verified === true,
    signs_in,
    counter: Number(counter),
    last_used_at: null,
  };
}
