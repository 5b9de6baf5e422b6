/**
 * A form that is pending while its user reauthenticates at a provider, because the redirects would lose the
 * posted fields.
 */
import type { SignedIn } from "../../records/definition/request_origin.ts";
import type { IdentityContext } from "./context/context.ts";
import { changeProof, makeProof, openProof } from "./proofs/proofs.ts";
import type { SavedForm } from "./proofs/purposes.ts";

export type { SavedForm };

interface FormPlace {
  readonly signedIn: SignedIn;
  readonly browser: string | undefined;
}

/** Maximum length of all fields together as JSON, in characters (SU-6). */
const longest = 16_384;

/** Stores a form, without its fields if they are too long. */
export async function saveForm(
  form: SavedForm,
  { signedIn: { session, user }, browser = "" }: FormPlace,
  context: IdentityContext,
): Promise<void> {
  const fits = JSON.stringify(form.fields).length <= longest;
  const data = fits ? form : { ...form, fields: null };
  await makeProof(
    "sudo_form",
    { place: session.id, user, bonds: { session: session.id, browser }, data },
    context,
  );
}

export async function findSavedForm(
  place: FormPlace,
  context: IdentityContext,
): Promise<SavedForm | undefined> {
  return (await openForm(place, context))?.data;
}

/** Records that the provider did not prove reauthentication. */
export async function noteUnproved(place: FormPlace, context: IdentityContext): Promise<void> {
  const form = await openForm(place, context);
  if (form !== undefined) await changeProof(form, { ...form.data, unproved: true }, context);
}

function openForm({ signedIn: { session }, browser = "" }: FormPlace, context: IdentityContext) {
  return openProof("sudo_form", session.id, { session: session.id, browser }, context);
}
