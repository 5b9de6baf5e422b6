/** The surfaces (tokens and responses) that contain each claim of a membership or attribute (OC-3, OC-7). */
import { type FieldError, fieldError, pointerStep } from "../../errors/field_errors.ts";
import { isStrings } from "../names/json_shapes.ts";
import { type ClaimSurface, claimSurfaces, membershipScopes } from "../names/names.ts";
import { claimNameReason } from "./claim_names.ts";

/** Returns the errors of `claims`, which maps each claim to a list of surfaces. */
export function claimSurfacesErrors(claims: Readonly<Record<string, unknown>>): FieldError[] {
  return Object.entries(claims).flatMap(([claim, surfaces]): FieldError[] => {
    const path = `/claims/${pointerStep(claim)}`;
    const why = membershipScopes.some((name) => name === claim) ? undefined : claimNameReason(claim);
    if (why !== undefined) return [{ path, ...why }];
    if (!isStrings(surfaces)) return [fieldError(path, "not_list_of_strings")];
    return surfaces.flatMap((surface, index) =>
      claimSurfaces.some((name) => name === surface)
        ? []
        : [fieldError(`${path}/${index}`, "not_one_of", { values: claimSurfaces })],
    );
  });
}

/**
 * Returns whether the `claims` of an app or API allow a claim on the surface. A claim that is not in `claims`
 * is allowed.
 */
export function emits(
  { claims }: { readonly claims: Readonly<Record<string, unknown>> | null },
  claim: string,
  surface: ClaimSurface,
): boolean {
  const surfaces = claims?.[claim];
  return !isStrings(surfaces) || surfaces.includes(surface);
}

/**
 * Returns whether an app's `claims` request an attribute's claim on the surface. A claim that is not in
 * `claims` is not requested.
 */
export function wants(
  app: { readonly claims: Readonly<Record<string, unknown>> | null },
  claim: string,
  surface: ClaimSurface,
): boolean {
  return app.claims !== null && Object.hasOwn(app.claims, claim) && emits(app, claim, surface);
}

/** Returns whether an app's `claims` name any claim other than membership claims. */
export function namesAttributes({
  claims,
}: {
  readonly claims: Readonly<Record<string, unknown>> | null;
}): boolean {
  return (
    claims !== null && Object.keys(claims).some((name) => membershipScopes.every((known) => known !== name))
  );
}
