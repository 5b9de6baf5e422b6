import { providerPresets } from "../../src/records/names.ts";
import type { Html } from "../../src/web/html.ts";
import { loginPage } from "../../src/web/pages/login_page.ts";
import {
  goOnPage,
  newAccountPage,
  offerLinkPage,
  provePage,
  providerRefusalPage,
  switchPage,
} from "../../src/web/providers/provider_pages.ts";
import type { PageLocale } from "../../src/web/words/page_locale.ts";

/** Every page between a provider and a session; see `everyPage`. */
export function providerPages(text: string, locale: PageLocale): Record<string, Html> {
  const provider = { slug: "acme", label: text, preset: "microsoft" } as const;
  const page = { ...locale, provider, csrf_token: text };
  const login = { ...locale, redirect: text, csrf_token: text };
  const providers = providerPresets.map((preset) => ({ slug: preset, label: text, preset }));
  const again = { redirect: text, failures: "1" };
  return {
    loginProviders: loginPage({ ...login, providers }),
    loginProvidersLast: loginPage({ ...login, providers, last_method: { kind: "provider", slug: "github" } }),
    providerNewAccount: newAccountPage({ ...page, account: text, email: text, name: text, member_of: text }),
    providerNewAccountRefused: newAccountPage({
      ...page,
      account: text,
      email: text,
      name: "",
      fault: "name",
    }),
    providerNewAccountAddress: newAccountPage({
      ...page,
      account: text,
      email: text,
      name: text,
      fault: "email",
    }),
    providerProve: provePage({
      ...page,
      email: text,
      minutes: 10,
      mails: true,
      back_href: "/login?redirect=%2F",
    }),
    providerProveNoMail: provePage({
      ...page,
      email: undefined,
      minutes: 10,
      mails: false,
      back_href: "/login",
    }),
    providerProveCode: provePage({
      ...page,
      email: text,
      code_sent_to: text,
      minutes: 10,
      failure: "wrong_code",
      mails: true,
      back_href: "/login",
    }),
    providerOfferLink: offerLinkPage({ ...page, account: text, email: text, skip_href: "/account" }),
    providerOfferLinkOrganization: offerLinkPage({
      ...page,
      account: text,
      email: text,
      skip_href: "/account",
      organization: text,
    }),
    providerSwitch: switchPage({ ...page, present: text, other: text, stay_href: "/account" }),
    providerGoOn: goOnPage(page),
    providerFailed: providerRefusalPage({
      ...page,
      refusal: "failed",
      again,
      other_href: "/login",
      short_id: text,
    }),
    providerUnsolicited: providerRefusalPage({
      ...page,
      refusal: "unsolicited",
      again,
      other_href: "/login",
    }),
    providerNoAccount: providerRefusalPage({ ...page, refusal: "no_account", other_href: "/login" }),
    providerBeyondReach: providerRefusalPage({
      ...page,
      refusal: "beyond_reach",
      other_href: "/login",
      short_id: text,
    }),
    providerElsewhere: providerRefusalPage({
      ...page,
      refusal: "linked_elsewhere",
      other_href: "/account/linked-accounts",
    }),
  };
}
