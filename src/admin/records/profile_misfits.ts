import { type ClientKey, readKeySet } from "../../crypto/key_sets.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import { isSecureRedirect } from "../../records/formats/redirect_uris.ts";
import { clientKeyAlgorithms } from "../../records/names/names.ts";
import {
  among,
  type Demands,
  demandsOn,
  isFeatureOn,
  isMethodOn,
  profileDemands,
  type Switches,
} from "../../records/names/profiles.ts";

export type ProfiledApp = Pick<
  OAuthApp,
  | "profile"
  | "public"
  | "redirect_uris"
  | "token_endpoint_auth_method"
  | "token_endpoint_auth_signing_alg"
  | "id_token_signed_response_alg"
  | "jwks"
  | "jwks_uri"
>;

/** Returns the app's violations of its own profile and the server's profiles, with field paths. */
export function profileMisfits(app: ProfiledApp, switches: Switches): FieldError[] {
  const demands = demandsOn(app, switches);
  return [
    ...switchedOff(app, switches),
    ...authenticationMisfits(app, demands),
    ...algorithmMisfits(app, demands),
    ...redirectMisfits(app, demands),
  ];
}

/** A profile of the server turns on what it requires, but the profile of an app does not. */
function switchedOff({ profile }: ProfiledApp, switches: Switches): FieldError[] {
  if (profile === null) return [];
  const { features, authentication_methods } = profileDemands[profile];
  const names = [
    ...features.filter((feature) => !isFeatureOn(feature, switches)),
    ...(authentication_methods ?? []).filter((method) => !isMethodOn(method, switches)),
  ];
  return names.length === 0 ? [] : [fieldError("/profile", "not_switched_on", { names })];
}

function authenticationMisfits(app: ProfiledApp, { authentication_methods }: Demands): FieldError[] {
  if (authentication_methods === null) return [];
  const errors: FieldError[] = [];
  if (app.public && !authentication_methods.includes("none")) {
    errors.push(fieldError("/public", "public_by_profile"));
  }
  const { token_endpoint_auth_method: method } = app;
  if (method === null || !authentication_methods.includes(method)) {
    errors.push(fieldError("/token_endpoint_auth_method", "not_one_of", { values: authentication_methods }));
  }
  if (app.jwks === null && app.jwks_uri === null && authentication_methods.includes("private_key_jwt")) {
    errors.push(fieldError("/jwks", "keys_missing"));
  }
  return errors;
}

function algorithmMisfits(app: ProfiledApp, { client_algorithms, token_algorithms }: Demands): FieldError[] {
  const errors: FieldError[] = [];
  const { id_token_signed_response_alg: ours, token_endpoint_auth_signing_alg: own, jwks } = app;
  if (ours !== null && token_algorithms !== null && !token_algorithms.includes(ours)) {
    errors.push(fieldError("/id_token_signed_response_alg", "not_one_of", { values: token_algorithms }));
  }
  if (client_algorithms === null) return errors;
  if (own !== null && !client_algorithms.includes(own)) {
    errors.push(fieldError("/token_endpoint_auth_signing_alg", "not_one_of", { values: client_algorithms }));
  } else if (jwks !== null && !hasKeyFor(keysIn(jwks), signingAlgorithmsOf(app, client_algorithms))) {
    errors.push(fieldError("/jwks", "no_key_of_algorithms", { algorithms: [...client_algorithms] }));
  }
  return errors;
}

function redirectMisfits({ redirect_uris }: ProfiledApp, { https_redirects }: Demands): FieldError[] {
  if (!https_redirects) return [];
  return redirect_uris.flatMap((uri, index) =>
    isSecureRedirect(uri) ? [] : [fieldError(`/redirect_uris/${index}`, "redirect_insecure")],
  );
}

export function signingAlgorithmsOf(
  { token_endpoint_auth_signing_alg: own }: Pick<ProfiledApp, "token_endpoint_auth_signing_alg">,
  client_algorithms: Demands["client_algorithms"],
): readonly string[] {
  return among(own === null ? clientKeyAlgorithms : [own], client_algorithms);
}

/** Returns the keys in an app's `jwks`; none if it is null or invalid. */
export function keysIn(jwks: OAuthApp["jwks"]): readonly ClientKey[] {
  const read = jwks === null ? [] : readKeySet(jwks);
  return "errors" in read ? [] : read;
}

export function hasKeyFor(keys: readonly ClientKey[], algorithms: readonly string[]): boolean {
  return keys.some((key) => key.algorithms.some((algorithm) => algorithms.includes(algorithm)));
}
