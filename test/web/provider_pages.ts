import { loginPage } from "../../src/people/entry/login.page.ts";
import {
  goOnPage,
  newAccountPage,
  offerLinkPage,
  provePage,
  providerRefusalPage,
  switchPage,
} from "../../src/people/providers/provider.pages.ts";
import { providerPresets } from "../../src/records/names/names.ts";
import type { Html } from "../../src/web/html/html.ts";
import type { PageLocale } from "../../src/web/words/page_locale.ts";
import { formsOf } from "./forms_of.ts";

/** Returns every page between a provider and a session; see `everyPage`. */
export function providerPages(text: string, locale: PageLocale): Record<string, Html> {
  const provider = { slug: "acme", label: text, preset: "microsoft" } as const;
  const page = { ...locale, provider, csrf_token: text };
  const login = { ...locale, redirect: text, csrf_token: text };
  const providers = providerPresets.map((preset) => ({ slug: preset, label: text, preset }));
  const again = { redirect: text, failures: "1" };
  const account = { ...page, account: text, email: text, name: text };
  const prove = { ...page, email: text, minutes: 10, mails: true, back_href: "/login?redirect=%2F" };
  const refusal = { ...page, refusal: "failed", other_href: "/login" } as const;
  return {
    ...formsOf(loginPage, login, {
      loginProviders: { providers },
      loginProvidersLast: { providers, last_method: { kind: "provider", slug: "github" } },
    }),
    ...formsOf(newAccountPage, account, {
      providerNewAccount: { joining: { type: "member", organization: text } },
      providerNewAccountInvited: {
        joining: { type: "as_invited", organization: text, role: "admin", further_roles: [text] },
      },
      providerNewAccountByLink: { joining: { type: "by_link", organization: text } },
      providerNewAccountRefused: { name: "", error: "name" },
      providerNewAccountAddress: { error: "email" },
    }),
    ...formsOf(provePage, prove, {
      providerProve: {},
      providerProveNoMail: { email: undefined, mails: false },
      providerProveCode: { code_sent_to: text, failure: "wrong_code" },
    }),
    ...formsOf(
      offerLinkPage,
      { ...page, account: text, email: text, skip_href: "/account" },
      { providerOfferLink: {}, providerOfferLinkOrganization: { organization: text } },
    ),
    providerSwitch: switchPage({ ...page, present: text, other: text, stay_href: "/account" }),
    providerGoOn: goOnPage(page),
    ...formsOf(providerRefusalPage, refusal, {
      providerFailed: { again, short_id: text },
      providerUnsolicited: { refusal: "unsolicited", again },
      providerNoAccount: { refusal: "no_account" },
      providerBeyondReach: { refusal: "beyond_reach", short_id: text },
      providerElsewhere: { refusal: "linked_elsewhere", other_href: "/account/linked-accounts" },
    }),
  };
}
