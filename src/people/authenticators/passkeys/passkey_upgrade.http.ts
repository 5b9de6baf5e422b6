import type { FastifyInstance, FastifyRequest } from "fastify";
import { clearCookie, readCookie, setCookie } from "../../../http/cookies.ts";
import { sendPage } from "../../../http/page.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { accountPages, backTo, securityPath } from "../../core/pages/account_person.http.ts";
import { continuationOf } from "../../core/pages/continuation.http.ts";
import { enrolFactor } from "../recovery_codes/enrol_factor.ts";
import { enrollingOf, finishEnrolment } from "../recovery_codes/finish_enrolment.http.ts";
import { requestRegistration } from "./passkey_questions.ts";
import { offeredPasskeySite } from "./passkey_site.ts";
import { passkeyUpgradePage } from "./passkey_upgrade.page.ts";
import { agreedToUpgrades, upgradeConsent, upgradesNow } from "./passkey_upgrades.ts";
import { proveNewPasskey } from "./register_passkey.ts";
import { upgradeConsentPath } from "./upgrade_consent_path.http.ts";

const path = "/sign-in/passkey-upgrade";

const days = 365;

/**
 * Returns the page that creates a passkey automatically if this browser should do so; otherwise `location`.
 */
export async function pastPasskeyUpgrade(
  signedIn: SignedIn,
  location: string,
  request: FastifyRequest,
  context: HttpContext,
): Promise<string> {
  const { server, identity, secure } = context;
  if (offeredPasskeySite(server.issuer, identity) === undefined) return location;
  const kept = readCookie(request, "passkey_upgrade", secure);
  if (!agreedToUpgrades(signedIn.user, kept, identity)) return location;
  if (!(await upgradesNow(signedIn, identity))) return location;
  return `${path}?redirect=${encodeURIComponent(location)}`;
}

export function passkeyUpgradeRoutes(app: FastifyInstance, context: HttpContext): void {
  const { server, identity, secure } = context;
  const site = offeredPasskeySite(server.issuer, identity);
  if (site === undefined) return;
  const server_name = new URL(server.issuer).host;
  const pages = accountPages(app, context);

  pages.get(path, async ({ signedIn, locale, csrf_token, params }, _, reply) => {
    const { fields, location = "/account" } = continuationOf(params, context);
    if (!(await upgradesNow(signedIn, identity))) return reply.redirect(location, 302);
    const requested = { holder: csrf_token, site, server_name };
    const options = await requestRegistration("upgrade", signedIn.user, requested, identity);
    const form = { ceremony: "create", options, action: path, fields: { csrf_token, ...fields } } as const;
    return sendPage(reply, passkeyUpgradePage({ ...locale, form, continue_href: location }));
  });

  pages.post(
    path,
    async (person, request, reply) => {
      const { signedIn, locale, params, csrf_token } = person;
      const { location = "/account" } = continuationOf(params, context);
      if (!(await upgradesNow(signedIn, identity))) return reply.redirect(location, 303);
      const requested = { purpose: "upgrade", holder: csrf_token } as const;
      const name = locale.words.passkeys.enrol.suggested;
      const answer = params.get("answer") ?? "";
      const proof = await proveNewPasskey({ kind: "passkey", name, answer, requested }, site, identity);
      // The user did not request the passkey, so a failure is not reported.
      if (proof.type !== "proved") return reply.redirect(location, 303);
      const factor = { kind: "passkey", passkey: proof.passkey } as const;
      const input = { ...enrollingOf(person, request, context), commitProof: async () => true };
      const enrolment = await enrolFactor(signedIn, factor, input, identity);
      if (enrolment.type !== "enrolled") return reply.redirect(location, 303);
      return finishEnrolment(enrolment.enrolled, person, { request, reply }, context);
    },
    { sudo: true },
  );

  pages.post(
    upgradeConsentPath,
    async ({ signedIn, params }, _, reply) => {
      if (params.get("agreed") === "yes") {
        setCookie(reply, "passkey_upgrade", secure, upgradeConsent(signedIn.user, identity), days);
      } else {
        clearCookie(reply, "passkey_upgrade", secure);
      }
      return backTo(reply, securityPath, "passkey_upgrades");
    },
    { return_to: securityPath, sudo: true },
  );
}
