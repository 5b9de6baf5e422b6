/** The form of the sudo page: the fields of the waiting form, and those of a proof. */

import { type Params, paramsOf } from "../../../oauth/core/params.ts";
import { refuse } from "../../../oauth/refusals/refuse.ts";
import { type CarriedPlace, openFields } from "../carried_fields.ts";
import type { IdentityContext } from "../context/context.ts";

/** The field of the page that holds the sealed fields of the waiting form. */
const carriedField = "sudo_form";

/** Returns whether a field belongs to the sudo page itself. */
const isOwn = (name: string) => name === "csrf_token" || name.startsWith("sudo_");

/**
 * Returns the unchanged fields of the original form, without any proof. Throws `foreign_form` for a form
 * that was not sealed here.
 */
export function carriedIn(posted: Params, place: CarriedPlace, identity: IdentityContext): Params {
  const sealed = posted.get(carriedField);
  if (sealed === undefined) return paramsOf(posted.pairs.filter(([name]) => !isOwn(name)));
  const fields = openFields(sealed, place, identity);
  if (fields === undefined) throw refuse("foreign_form");
  return paramsOf(fields);
}
