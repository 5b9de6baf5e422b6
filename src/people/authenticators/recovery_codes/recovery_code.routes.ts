/**
 * `/account/recovery-codes`: creates a set of recovery codes, shown once, which takes effect when the user
 * confirms it (MF-6, MF-7).
 */
import type { FastifyInstance } from "fastify";
import type { HttpContext } from "../../core/http_context.http.ts";
import { accountPages, backTo, securityPath } from "../../core/pages/account_person.http.ts";
import { confirmRecoveryCodes, dropShownCodes, showRecoveryCodes, waitingFactor } from "./enrol_factor.ts";
import { enrollingOf, finishEnrolment } from "./finish_enrolment.http.ts";
import { sendRecoveryCodes } from "./send_recovery_codes.http.ts";

const path = "/account/recovery-codes";
const sudo = { return_to: securityPath, sudo: true } as const;

export function recoveryCodeRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity } = context;
  const pages = accountPages(app, context);

  // The page above the forms, to which users are redirected who open the URL of a form.
  pages.get(path, async (_person, _request, reply) => reply.redirect(securityPath, 302));

  pages.post(
    `${path}/new`,
    async (person, _, reply) => {
      const { signedIn } = person;
      const { user } = signedIn;
      const factor = (await waitingFactor(signedIn, identity))?.factor ?? null;
      const { passkeys, security_keys, totp } = await identity.store.secondFactorsOf(user.id);
      if (factor === null && passkeys.length + security_keys.length + totp.length === 0) {
        return reply.redirect(securityPath, 303);
      }
      const codes = await showRecoveryCodes(signedIn, factor, identity);
      return sendRecoveryCodes(codes, person, reply, context);
    },
    sudo,
  );

  pages.post(
    `${path}/discard`,
    async ({ signedIn }, _, reply) => {
      await dropShownCodes(signedIn, identity);
      return backTo(reply, securityPath, "enrolment_dropped");
    },
    { return_to: securityPath },
  );

  pages.post(
    `${path}/confirm`,
    async (person, request, reply) => {
      const { signedIn, params } = person;
      if (params.get("stored") !== "yes") return sendRecoveryCodes(undefined, person, reply, context);
      const enrolling = enrollingOf(person, request, context);
      const enrolled = await confirmRecoveryCodes(signedIn, enrolling, identity);
      if (enrolled === "gone" || enrolled === "taken") return backTo(reply, securityPath, "enrolment_over");
      if (enrolled === "too_many") return backTo(reply, securityPath, "too_many_apps");
      return finishEnrolment(enrolled, person, { request, reply }, context);
    },
    { return_to: securityPath },
  );
}
