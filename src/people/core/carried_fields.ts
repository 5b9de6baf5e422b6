/**
 * Encrypted data that passes through the browser, such as a form that is pending until the user gives a proof
 * (SU-6).
 */
import { SealError } from "../../crypto/sealing.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import type { IdentityContext } from "./context/context.ts";

type Fields = readonly (readonly [string, string])[];

export interface CarriedPlace {
  readonly signedIn: SignedIn;
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

const repeatedOn = (path: string): string => `address for ${path}`;

/** Encrypts an email address for a URL, so that neither browser history nor logs reveal it. */
export function sealAddress(
  email: string,
  path: string,
  { sealer }: Pick<IdentityContext, "sealer">,
): string {
  return sealer.seal("form", email, repeatedOn(path));
}

/** Returns the email address; undefined if this server did not encrypt it for this page. */
export function openAddress(
  sealed: string | undefined,
  path: string,
  { sealer }: Pick<IdentityContext, "sealer">,
): string | undefined {
  return sealed === undefined ? undefined : opened(() => sealer.open("form", sealed, repeatedOn(path)));
}

function opened<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (error instanceof SealError) return undefined;
    throw error;
  }
}

/** Returns the original fields; undefined if this server did not encrypt them for this session and URL. */
export function openFields(
  sealed: string,
  place: CarriedPlace,
  { sealer }: Pick<IdentityContext, "sealer">,
): Fields | undefined {
  return opened(() => JSON.parse(sealer.open("form", sealed, boundTo(place))) as Fields);
}
