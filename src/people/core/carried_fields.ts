/**
 * The fields of a form that waits for a proof (SU-6): they go with the page and come back with the proof,
 * sealed, because some of them are secret.
 */
import { SealError } from "../../crypto/sealing.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import type { IdentityContext } from "./context.ts";

type Fields = readonly (readonly [string, string])[];

/** Where fields are good: in this session, at this address. */
export interface CarriedPlace {
  readonly signedIn: SignedIn;
  /** Path and query that the form is posted to. */
  readonly url: string;
}

const boundTo = ({ signedIn, url }: CarriedPlace): string => `sudo ${signedIn.session.id} ${url}`;

export function sealFields(
  fields: Fields,
  place: CarriedPlace,
  { sealer }: Pick<IdentityContext, "sealer">,
): string {
  return sealer.seal("form", JSON.stringify(fields), boundTo(place));
}

/** The fields as they were; undefined for what was not sealed here for this place. */
export function openFields(
  sealed: string,
  place: CarriedPlace,
  { sealer }: Pick<IdentityContext, "sealer">,
): Fields | undefined {
  try {
    return JSON.parse(sealer.open("form", sealed, boundTo(place))) as Fields;
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}
