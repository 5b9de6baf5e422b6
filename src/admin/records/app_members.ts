import { isDeepStrictEqual } from "node:util";
import { readKeySet } from "../../crypto/key_sets.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { NewRow, OAuthApp } from "../../records/definition/definition.ts";
import {
  type FormerMembers,
  formerMembers,
  membersInMetadata,
  resourcesInMetadata,
} from "../../records/formats/metadata.ts";
import { clientProofs } from "../../records/names/names.ts";
import type { AdminContext } from "../access/actor.ts";
import type { Input } from "../access/errors.ts";
import { type ProfiledApp, profileMisfits } from "./profile_misfits.ts";

/**
 * Returns the errors of an app's keys, authentication method and profile. A change of other fields is not
 * checked, so an app with older violations can still be changed.
 */
export function authenticationErrors(
  app: NewRow<"oauth_apps">,
  changed: Partial<OAuthApp>,
  { switches, current }: Pick<AdminContext, "switches"> & { readonly current?: OAuthApp },
): FieldError[] {
  const errors: FieldError[] = [];
  const { jwks, jwks_uri, token_endpoint_auth_method: method } = app;
  if (changed.jwks) {
    const read = readKeySet(changed.jwks);
    if ("errors" in read)
      errors.push(...read.errors.map((error) => ({ ...error, path: `/jwks${error.path}` })));
  }
  if (jwks && jwks_uri) {
    if (changed.jwks_uri) errors.push(fieldError("/jwks_uri", "excluded_by", { field: "jwks" }));
    else if (changed.jwks) errors.push(fieldError("/jwks", "excluded_by", { field: "jwks_uri" }));
  }
  const isRequested = changed.token_endpoint_auth_method !== undefined || changed.public !== undefined;
  if (isRequested && method && (clientProofs[method] === "none") !== (app.public ?? false)) {
    const why = app.public ? "method_of_confidential_app" : "method_of_public_app";
    errors.push(fieldError("/token_endpoint_auth_method", why));
  }
  const keysRequested = isRequested || changed.jwks !== undefined || changed.jwks_uri !== undefined;
  if (keysRequested && method && clientProofs[method] === "key" && !jwks && !jwks_uri) {
    errors.push(fieldError("/jwks", "keys_missing"));
  }
  const misfits = newMisfits(app, changed, { switches, current });
  return [...errors, ...misfits.filter((one) => !errors.some((each) => isDeepStrictEqual(each, one)))];
}

function newMisfits(
  app: NewRow<"oauth_apps">,
  changed: Partial<OAuthApp>,
  { switches, current }: Pick<AdminContext, "switches"> & { readonly current: OAuthApp | undefined },
): FieldError[] {
  if (current !== undefined && !profiledMembers.some((name) => changed[name] !== undefined)) return [];
  const after = profileMisfits(profiled(app), switches);
  if (current === undefined || changed.profile) return after;
  const before = profileMisfits(current, switches);
  return after.filter((misfit) => !before.some((each) => isDeepStrictEqual(each, misfit)));
}

const profiledMembers = Object.keys(profiled({})) as readonly (keyof ProfiledApp)[];

function profiled(app: Partial<OAuthApp>): ProfiledApp {
  return {
    profile: app.profile ?? null,
    public: app.public ?? false,
    redirect_uris: app.redirect_uris ?? [],
    token_endpoint_auth_method: app.token_endpoint_auth_method ?? null,
    token_endpoint_auth_signing_alg: app.token_endpoint_auth_signing_alg ?? null,
    id_token_signed_response_alg: app.id_token_signed_response_alg ?? null,
    jwks: app.jwks ?? null,
    jwks_uri: app.jwks_uri ?? null,
  };
}

/**
 * Returns app fields derived from `metadata`, where earlier versions stored them. Sends deprecation notices
 * to `warn`.
 */
export function carriedMembers(
  { warn }: Pick<AdminContext, "warn">,
  input: Input,
  metadata: OAuthApp["metadata"] | undefined,
  current?: OAuthApp,
): Partial<FormerMembers> {
  if (metadata === undefined) return {};
  if (resourcesInMetadata(metadata).own.length > 0) {
    warn?.("/metadata/resource: still in effect; name the app in app_ids of the API instead");
  }
  const said = membersInMetadata(metadata);
  const before = membersInMetadata(current?.metadata ?? null);
  const carried = formerMembers.flatMap((name): [string, FormerMembers[typeof name]][] => {
    const [was, is] = [before[name], said[name]];
    if (input[name] !== undefined) {
      if (is !== undefined && !isDeepStrictEqual(is, input[name])) {
        warn?.(`/metadata/${name}: has no effect, because ${name} is set`);
      }
      return [];
    }
    if (is !== undefined) warn?.(`/metadata/${name}: still in effect; set ${name} instead`);
    if (isDeepStrictEqual(was, is)) return [];
    if (is !== undefined) return [[name, is]];
    const hasFollowed = isDeepStrictEqual(current?.[name], was);
    return hasFollowed ? [[name, name === "default_scopes" ? null : []]] : [];
  });
  return Object.fromEntries(carried);
}
