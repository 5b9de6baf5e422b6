import { type Brand, brandOf } from "../../records/formats/brand.ts";
import { isUuid } from "../../records/formats/check.ts";
import { isActive } from "../../records/names/liveness.ts";
import type { AuthorizationServer } from "../server.ts";

/** The brand of the active organization of this id; undefined when there is none, or it has no brand. */
export async function findBrand(
  organization_id: string,
  { store }: AuthorizationServer,
): Promise<Brand | undefined> {
  if (!isUuid(organization_id)) return undefined;
  const organization = await store.find("organizations", { id: organization_id.toLowerCase() });
  return isActive(organization) ? brandOf(organization) : undefined;
}
