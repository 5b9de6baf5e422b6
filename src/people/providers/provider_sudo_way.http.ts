import { findBrowserState, formCookieOf } from "../../http/browser_state.ts";
import type { HttpContext } from "../../http/context.ts";
import type { EnrolledMethods } from "../../records/names/sign_in_methods.ts";
import { sudoProviderPart } from "../authenticators/sudo/sudo.page.ts";
import { asksAnew } from "../authenticators/sudo/sudo.ts";
import { sudoReturnPath } from "../authenticators/sudo/sudo_return_path.http.ts";
import type { SudoWay } from "../authenticators/sudo/sudo_way.http.ts";
import { keepForm } from "../core/kept_forms.ts";
import { findProvider } from "./active_providers.ts";
import type { Provider } from "./provider_account.ts";
import { offered } from "./provider_view.http.ts";
import { sendToProvider } from "./send_to_provider.http.ts";

const name = "sudo_provider";

/**
 * A fresh sign-in at a provider of the account. The person goes there, and comes back to the form that waits
 * (docs/decisions/0074).
 */
export const providerWay: SudoWay = {
  kinds: ["provider"],
  fields: [name],
  guessable: false,
  // Whichever provider it is: an address of an authorization endpoint may be any.
  leads_to: "http://provider.invalid",
  async part({ enrolled, locale }, _wrong, context) {
    const providers = await open(enrolled, context);
    if (providers.length === 0) return undefined;
    return sudoProviderPart({ name, providers: providers.map(offered) }, locale);
  },
  isButton: async () => true,
  // The proof comes back from the provider, never with the form.
  prove: async () => "wrong",
  async leave({ signedIn, enrolled, proof, request }, form, reply, context) {
    const slug = proof.get(name);
    const provider = (await open(enrolled, context)).find((each) => each.slug === slug);
    if (provider === undefined) return false;
    const browser = await findBrowserState(request, context);
    const form_cookie = formCookieOf(browser, reply, context);
    await keepForm(form, { signedIn, browser: form_cookie }, context.identity);
    const visit = { provider, url: sudoReturnPath, browser: { ...browser, form_cookie }, request, reply };
    await sendToProvider(visit, { purpose: "sudo" }, context);
    return true;
  },
};

/** The providers of the account at which a person is asked anew. */
async function open(
  { providers }: EnrolledMethods,
  { identity }: Pick<HttpContext, "identity">,
): Promise<readonly Provider[]> {
  const slugs = new Set(providers.filter(asksAnew).map(({ slug }) => slug));
  const found = await Promise.all([...slugs].map((slug) => findProvider(slug, identity)));
  return found.filter((provider) => provider !== undefined);
}
