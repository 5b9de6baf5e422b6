import { pageBrand } from "../../http/branding.ts";
import { localRedirect } from "../../http/same_origin.ts";
import { describePending } from "../../oauth/authorize/pending_request.ts";
import type { Organization } from "../../records/definition/definition.ts";
import type { SignUpRule } from "../../records/formats/sign_up.ts";
import type { Brand } from "../../web/html/brand.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import type { RegisterPage } from "./register.page.ts";
import { signUpRules } from "./sign_up_rules.ts";

/**
 * Returns the rules for a registration that continues at `redirect`, and the brand of its pages. `rules` is
 * undefined if registration is closed.
 */
export async function signUpFor(
  redirect: string,
  context: HttpContext,
): Promise<{ readonly rules: readonly SignUpRule[] | undefined; readonly brand: Brand | undefined }> {
  const { url } = localRedirect(redirect, context.server.issuer);
  const { organization } = await describePending(url, context.server);
  return { rules: signUpRules(organization, context.identity), brand: pageBrand(organization, context) };
}

/**
 * Returns the path of the registration page; undefined if registration is closed or the server cannot send
 * email.
 */
export function registerHref(
  organization: Organization | undefined,
  redirect: string,
  { identity, mail }: Pick<HttpContext, "identity" | "mail">,
): string | undefined {
  if (mail === undefined || signUpRules(organization, identity) === undefined) return undefined;
  return `/register?redirect=${encodeURIComponent(redirect)}`;
}

/** Returns to whom registration is limited; undefined if it is open to all. */
export function admittedAlone(rules: readonly SignUpRule[]): RegisterPage["only"] {
  if (rules.some(({ policy }) => policy === "invited")) return "invited";
  const lists = rules.filter(({ policy }) => policy === "domains").map(({ domains }) => domains);
  if (lists.length === 0) return undefined;
  return lists.reduce((one, other) => one.filter((domain) => other.includes(domain)));
}
