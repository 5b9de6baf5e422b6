/** Where claims of memberships and attributes are emitted, by claim (OC-3, OC-7). */
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { isStrings } from "../names/json_shapes.ts";
import { type ClaimSurface, claimSurfaces, membershipScopes } from "../names/names.ts";
import { claimNameReason } from "./claim_names.ts";
import { pointerStep } from "./metadata.ts";

/** The errors of `claims`: each member is a claim, with a list of surfaces. */
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

/** Whether `claims` of an app or API let a claim be emitted there; one that says nothing of it lets it. */
export function emits(
  { claims }: { readonly claims: Readonly<Record<string, unknown>> | null },
  claim: string,
  surface: ClaimSurface,
): boolean {
  const surfaces = claims?.[claim];
  return !isStrings(surfaces) || surfaces.includes(surface);
}

/** Whether `claims` of an app want the claim of an attribute there; one that says nothing of it does not. */
export function wants(
  app: { readonly claims: Readonly<Record<string, unknown>> | null },
  claim: string,
  surface: ClaimSurface,
): boolean {
  return app.claims !== null && Object.hasOwn(app.claims, claim) && emits(app, claim, surface);
}
