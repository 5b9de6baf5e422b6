import type { Html } from "../../src/web/html.ts";
import { loginPage } from "../../src/web/pages/login_page.ts";
import type { PageLocale } from "../../src/web/words/page_locale.ts";

/** Every page on which passkeys are asked for or shown; see `everyPage`. */
export function passkeyPages(text: string, locale: PageLocale): Record<string, Html> {
  const question = { action: "/sign-in/passkey", fields: { csrf_token: text }, renew_href: "/login" };
  const asked = { ...question, ceremony: "get", options: { challenge: text } } as const;
  const login = { ...locale, redirect: text, csrf_token: text };
  return {
    loginPasskey: loginPage({ ...login, passkey: { form: asked } }),
    loginPasskeyRefused: loginPage({
      ...login,
      passkey: { form: asked, signal: { unknown: { rpId: text, credentialId: text } } },
      passkey_failure: "unknown",
    }),
  };
}
