/**
 * Form data that passes through the browser, sealed: the fields of a form that waits for a proof (SU-6), some
 * of them secret, and the address that the page after a form repeats.
 */
import { SealError } from "../../crypto/sealing.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import type { IdentityContext } from "./context/context.ts";

type Fields = readonly (readonly [string, string])[];

/** Where saved fields are valid: in this session, at this address. */
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

/** The page that reads a typed address again: the target of its form. */
const repeatedOn = (path: string): string => `address for ${path}`;

/**
 * Replaces a typed address by the address of the page that repeats it: neither history nor logs reveal the
 * recipient of a mail.
 */
export function sealAddress(
  email: string,
  path: string,
  { sealer }: Pick<IdentityContext, "sealer">,
): string {
  return sealer.seal("form", email, repeatedOn(path));
}

/** The typed address; undefined if it was not sealed here for this page. */
export function openAddress(
  sealed: string | undefined,
  path: string,
  { sealer }: Pick<IdentityContext, "sealer">,
): string | undefined {
  return sealed === undefined ? undefined : opened(() => sealer.open("form", sealed, repeatedOn(path)));
}

/** The opened content; undefined if it was not sealed here. */
function opened<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** The original fields; undefined if they were not sealed here for this place. */
export function openFields(
  sealed: string,
  place: CarriedPlace,
  { sealer }: Pick<IdentityContext, "sealer">,
): Fields | undefined {
  return opened(() => JSON.parse(sealer.open("form", sealed, boundTo(place))) as Fields);
}
