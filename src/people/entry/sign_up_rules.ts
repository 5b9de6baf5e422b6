/**
 * The rules for a registration (SS-1). Server and organization must both admit the email address, so an
 * organization cannot allow what the server forbids.
 */
import type { Organization } from "../../records/definition/definition.ts";
import { isOfDomain, isSignUpOpen, type SignUpRule, signUpOf } from "../../records/formats/sign_up.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { isInvited } from "../core/is_invited.ts";

/** Returns the rules that apply together; undefined if registration is closed. */
export function signUpRules(
  organization: Organization | undefined,
  { settings = {} }: Pick<IdentityContext, "settings">,
): readonly SignUpRule[] | undefined {
  const { sign_up: policy = "closed", sign_up_domains: domains = [] } = settings;
  if (!isSignUpOpen(organization, policy)) return undefined;
  const own = organization && signUpOf(organization);
  return [{ policy, domains }, ...(own === undefined ? [] : [own])];
}

/** Returns whether every rule admits the email address. A look-alike of an invited address is not admitted. */
export async function mayRegister(
  email: string,
  rules: readonly SignUpRule[],
  { store, now }: Pick<IdentityContext, "store" | "now">,
): Promise<boolean> {
  for (const { policy, domains, organization_id } of rules) {
    if (policy === "closed") return false;
    if (policy === "domains" && !isOfDomain(email, domains)) return false;
    if (policy === "invited" && !(await isInvited(email, organization_id, store, now()))) return false;
  }
  return true;
}
