/**
 * Offers a passkey after a password sign-in, and not again in this browser for 30 days after a user declines
 * (PK-13).
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { pageBrand } from "../../../http/branding.ts";
import { readCookie, setCookie } from "../../../http/cookies.ts";
import { sendPage } from "../../../http/page.ts";
import { type LocalRedirect, localRedirect } from "../../../http/same_origin.ts";
import { describePending } from "../../../oauth/authorize/pending_request.ts";
import type { Entered } from "../../core/enter.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { browserMarks } from "../../core/pages/mark_browser.http.ts";
import { personPages } from "../../core/pages/person_pages.http.ts";
import { needsMailbox } from "../mail_code/mailbox_code.ts";
import { allPasskeysOf } from "./own_passkeys.ts";
import { passkeyOfferPage } from "./passkey_offer.page.ts";
import { requestRegistration } from "./passkey_questions.ts";
import { offeredPasskeySite } from "./passkey_site.ts";

const path = "/sign-in/passkey-offer";
const quietDays = 30;

/** Returns the next page after a password sign-in: the passkey offer, or `target`. */
export async function pastPasskeyOffer(
  entered: Entered,
  target: LocalRedirect,
  request: FastifyRequest,
  context: HttpContext,
): Promise<LocalRedirect> {
  const { server, identity, secure } = context;
  if (entered.type !== "signed_in" || offeredPasskeySite(server.issuer, identity) === undefined)
    return target;
  if (readCookie(request, "passkey_offer", secure) !== undefined) return target;
  if ((await allPasskeysOf(entered.user, identity)).length > 0) return target;
  // On a new device, adding a passkey would require a mailed code, which would interrupt the sign-in (MF-12).
  if (await needsMailbox(entered, browserMarks(request, context), identity)) return target;
  return { ...target, location: `${path}?redirect=${encodeURIComponent(target.location)}` };
}

export function passkeyOfferRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server, identity, secure } = context;
  const site = offeredPasskeySite(server.issuer, identity);
  if (site === undefined) return;
  const server_name = new URL(server.issuer).host;
  const pages = personPages(app, context, async (person) => person);
  const targetOf = (redirect: string | undefined) => localRedirect(redirect, server.issuer);

  pages.get(path, async ({ signedIn, locale, csrf_token, params }, request, reply) => {
    const { location: redirect, url } = targetOf(params.get("redirect"));
    if (await needsMailbox(signedIn, browserMarks(request, context), identity)) {
      return reply.redirect(redirect, 302);
    }
    const { organization } = await describePending(url, server);
    const requested = { holder: csrf_token, site, server_name };
    const options = await requestRegistration("passkey", signedIn.user, requested, identity);
    const name = locale.words.passkeys.enrol.suggested;
    const fields = { csrf_token, kind: "passkey", name, redirect };
    const form = { ceremony: "create", options, action: "/account/passkeys", fields } as const;
    const renew_href = `${path}?redirect=${encodeURIComponent(redirect)}`;
    const page = passkeyOfferPage({
      ...locale,
      form: { ...form, renew_href },
      csrf_token,
      redirect,
      later_action: path,
      brand: pageBrand(organization, context),
    });
    return sendPage(reply, page);
  });

  pages.post(path, async ({ params }, _, reply) => {
    setCookie(reply, "passkey_offer", secure, "later", quietDays);
    return reply.redirect(targetOf(params.get("redirect")).location, 302);
  });
}
