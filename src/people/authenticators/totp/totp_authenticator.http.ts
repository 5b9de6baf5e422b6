import type { Authenticator } from "../../core/http_context.http.ts";
import { browserMarks } from "../../core/pages/mark_browser.http.ts";
import { factorWait } from "../mail_code/mailbox_code.ts";
import { authenticatorAppsCard, totpField } from "./authenticator_apps.card.ts";
import { authenticatorAppsOf, findTotp, storeAuthenticatorApp } from "./authenticator_apps.ts";
import { offersTotp } from "./enrol_totp.ts";

const fields = { sign_in: "code", sudo: "sudo_totp" } as const;

export const totpAuthenticator: Authenticator = {
  kind: "totp",
  fields,
  guessable: true,
  part: async ({ at, locale, error }) => ({
    html: totpField(locale, { name: fields[at], error, required: at === "sign_in" }),
  }),
  prove: ({ user, answer = "" }, { identity }) => findTotp(user, answer, identity),
  async store(tx, user, factor, origin, context) {
    if (factor.kind !== "totp") throw new TypeError("not an authenticator app");
    const app = await storeAuthenticatorApp(tx, user, factor.app, origin, context);
    return app === undefined ? { error: "too_many" } : { kind: "totp", ...app };
  },
  async card({ signedIn, page, csrf_token, request }, context) {
    const { identity } = context;
    const apps = await authenticatorAppsOf(signedIn.user, identity);
    const can_add = offersTotp(identity);
    if (apps.length === 0 && !can_add) return undefined;
    const listed = apps.map(({ id, name, created_at, last_used_at }) => ({
      id,
      name,
      added_at: created_at,
      used_at: last_used_at,
    }));
    const marks = browserMarks(request, context);
    const wait = can_add ? await factorWait(signedIn, marks, identity) : undefined;
    return authenticatorAppsCard({ ...page, apps: listed, csrf_token, can_add, wait });
  },
};
