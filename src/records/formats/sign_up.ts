/**
 * The rules on who may register an account (SS-1). The server has one rule, and each organization may have
 * one for its applications.
 */
import { type FieldError, fieldError, reason, unknownField } from "../../errors/field_errors.ts";
import type { Organization } from "../definition/definition.ts";
import { asciiDomain, domainOf, isEmail } from "../names/email.ts";
import { isObject, isStrings } from "../names/json_shapes.ts";
import { type SignUpPolicy, signUpPolicies } from "../names/names.ts";

export interface SignUpRule {
  readonly policy: SignUpPolicy;
  readonly domains: readonly string[];
  /**
   * The organization whose invitations count if the policy is `invited`; every organization's if undefined.
   */
  readonly organization_id?: string;
}

/** Returns the rule in an organization's `settings.sign_up`; undefined if it has none. */
export function signUpOf({ id, settings }: Pick<Organization, "id" | "settings">): SignUpRule | undefined {
  const input: unknown = settings?.sign_up;
  if (input === undefined) return undefined;
  // An invalid value, which was stored before the setting existed, allows nothing.
  if (signUpErrors({ sign_up: input }).length > 0) {
    return { policy: "closed", domains: [], organization_id: id };
  }
  const { policy, domains = [] } = input as { policy: SignUpPolicy; domains?: readonly string[] };
  return { policy, domains, organization_id: id };
}

/**
 * Returns whether at least some people may register through an application of this organization. `policy` is
 * the server's, and the organization cannot allow more.
 */
export function isSignUpOpen(
  organization: Organization | undefined,
  policy: SignUpPolicy = "closed",
): boolean {
  return policy !== "closed" && (organization && signUpOf(organization))?.policy !== "closed";
}

/** Returns whether the domain of an email address is one of these domains. Subdomains do not match. */
export function isOfDomain(email: string, domains: readonly string[]): boolean {
  const own = asciiDomain(domainOf(email));
  return own !== "" && domains.some((domain) => asciiDomain(domain) === own);
}

const mostDomains = 100;

function isMailDomain(text: string): boolean {
  return text.length <= 255 && isEmail(`a@${text}`) && asciiDomain(text).includes(".");
}

/** Returns the errors of `settings.sign_up`: `{ "policy": "domains", "domains": ["example.com"] }`. */
export function signUpErrors({ sign_up }: Readonly<Record<string, unknown>>): FieldError[] {
  const path = "/settings/sign_up";
  if (sign_up === undefined) return [];
  if (!isObject(sign_up)) return [fieldError(path, "not_object")];
  const { policy, domains, ...others } = sign_up;
  const unknown: FieldError[] = Object.keys(others).map((name) => unknownField(name, path));
  if (!signUpPolicies.some((known) => known === policy)) {
    unknown.push(fieldError(`${path}/policy`, "not_one_of", { values: signUpPolicies }));
  }
  if (policy === "domains" && domains === undefined)
    return [...unknown, fieldError(`${path}/domains`, "required")];
  if (domains === undefined) return unknown;
  if (!isStrings(domains)) return [...unknown, fieldError(`${path}/domains`, "not_list_of_strings")];
  if (domains.length > mostDomains) {
    unknown.push(fieldError(`${path}/domains`, "list_too_long", { items: mostDomains, characters: 255 }));
  }
  const wrong = domains.flatMap((domain, index) =>
    isMailDomain(domain) ? [] : [{ path: `${path}/domains/${index}`, ...reason("not_mail_domain") }],
  );
  return [...unknown, ...wrong];
}
