import type { EnrolledMethods } from "../../records/names/sign_in_methods.ts";
import type { Authenticator, HttpContext } from "../core/http_context.http.ts";
import { findBrowserState, formCookieOf } from "../core/pages/browser_state.http.ts";
import type { Provider } from "../core/proofs/provider_account.ts";
import { saveForm } from "../core/saved_forms.ts";
import { reauthenticates } from "../core/sudo/sudo.ts";
import { sudoReturnPath } from "../core/sudo/sudo_question.http.ts";
import { findProvider } from "./active_providers.ts";
import { sudoProviderPart } from "./provider_buttons.view.ts";
import { offered } from "./provider_view.http.ts";
import { sendToProvider } from "./send_to_provider.http.ts";

const name = "sudo_provider";

/**
 * A fresh sign-in at a linked provider, as a proof before a sensitive action (sudo). The user returns to the
 * pending form (docs/decisions/providers.md).
 */
export const providerAuthenticator: Authenticator = {
  kind: "provider",
  fields: { sudo: name },
  guessable: false,
  // A provider's authorization endpoint may be on any host.
  leads_to: "http://provider.invalid",
  async part({ enrolled, locale }, context) {
    const providers = await open(enrolled, context);
    if (providers.length === 0) return undefined;
    const html = sudoProviderPart({ name, providers: providers.map(offered) }, locale);
    return { html, button: true };
  },
  // The provider returns the proof; the form never contains it.
  prove: async () => ({ type: "wrong" }),
  async leave({ signedIn, enrolled, answer: slug, request }, form, reply, context) {
    const provider = (await open(enrolled, context)).find((each) => each.slug === slug);
    if (provider === undefined || signedIn === undefined) return false;
    const browser = await findBrowserState(request, context);
    const form_cookie = formCookieOf(browser, reply, context);
    await saveForm(form, { signedIn, browser: form_cookie }, context.identity);
    const visit = { provider, url: sudoReturnPath, browser: { ...browser, form_cookie }, request, reply };
    await sendToProvider(visit, { purpose: "sudo" }, context);
    return true;
  },
};

async function open(
  enrolled: EnrolledMethods | undefined,
  { identity }: Pick<HttpContext, "identity">,
): Promise<readonly Provider[]> {
  const slugs = new Set(enrolled?.providers.filter(reauthenticates).map(({ slug }) => slug));
  const found = await Promise.all([...slugs].map((slug) => findProvider(slug, identity)));
  return found.filter((provider) => provider !== undefined);
}
