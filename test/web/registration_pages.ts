import { loginPage } from "../../src/people/entry/login.page.ts";
import {
  accountExistsPage,
  deadRegistrationPage,
  finishRegistrationPage,
  registeredPage,
  registerPage,
  registrationRequestedPage,
} from "../../src/people/entry/register.page.ts";
import type { PageLocale } from "../../src/web/words/page_locale.ts";

/** Returns the pages of registering an account; see `everyPage`. */
export function registrationPages(text: string, address: string, locale: PageLocale) {
  const form = { ...locale, csrf_token: text, redirect: text, brand: { name: text, logo_url: address } };
  const finish = { ...form, token: text, email: text, longest_name: 255, shortest_password: 8 };
  return {
    loginWithRegistration: loginPage({ ...form, forgot_href: address, register_href: address }),
    register: registerPage({ ...form, only: [text, text] }),
    registerFailed: registerPage({ ...form, email: text, failure: "email", only: "invited" }),
    registerThrottled: registerPage({ ...form, failure: "throttled", retry_after: 90 }),
    registrationRequested: registrationRequestedPage({ ...form, email: text, minutes: 30 }),
    registrationCodeWrong: registrationRequestedPage({ ...form, minutes: 30, failure: "wrong" }),
    registrationCodeEnded: registrationRequestedPage({ ...form, minutes: 30, failure: "ended" }),
    finishRegistration: finishRegistrationPage({ ...finish, errors: [], signs_out: false }),
    finishRegistrationFailed: finishRegistrationPage({
      ...finish,
      name: text,
      errors: ["name", "too_short"],
      signs_out: true,
      out_of_date: true,
    }),
    finishRegistrationPasskey: finishRegistrationPage({
      ...finish,
      errors: ["passkey_expired"],
      passkey: { ceremony: "create", options: { challenge: text }, renew_href: "/register/finish" },
      signs_out: false,
    }),
    deadRegistration: deadRegistrationPage(locale),
    accountExists: accountExistsPage(locale),
    registered: registeredPage(locale),
  };
}
