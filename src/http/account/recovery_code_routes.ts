/** `/account/recovery-codes`: a new set, shown once, which counts once it is confirmed (MF-6, MF-7). */
import type { FastifyInstance } from "fastify";
import {
  confirmRecoveryCodes,
  showRecoveryCodes,
  waitingApp,
} from "../../identity/second_factors/enrol_totp.ts";
import { recoveryCodesPage } from "../../web/account/recovery_codes_page.ts";
import type { HttpContext } from "../context.ts";
import { sendPage } from "../page.ts";
import { originOf } from "../request_origin.ts";
import { accountPages, backTo } from "./account_person.ts";
import { finishEnrolment } from "./finish_enrolment.ts";
import { securityPath } from "./security_routes.ts";

const path = "/account/recovery-codes";
const sudo = { return_to: securityPath, sudo: true } as const;

export function recoveryCodeRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity } = context;
  const pages = accountPages(app, context);

  pages.post(
    `${path}/new`,
    async ({ signedIn, page, csrf_token }, _, reply) => {
      const { user } = signedIn;
      const app = await waitingApp(signedIn, identity);
      const { passkeys, security_keys, totp } = await identity.store.secondFactorsOf(user.id);
      if (app === null && passkeys.length + security_keys.length + totp.length === 0) {
        return reply.redirect(securityPath, 303);
      }
      const codes = await showRecoveryCodes(signedIn, app, identity);
      return sendPage(reply, recoveryCodesPage({ ...page, codes, csrf_token }));
    },
    sudo,
  );

  pages.post(
    `${path}/confirm`,
    async (person, request, reply) => {
      const { signedIn, page, csrf_token, params } = person;
      if (params.get("stored") !== "yes") {
        return sendPage(reply, recoveryCodesPage({ ...page, codes: undefined, csrf_token }), { status: 422 });
      }
      const enrolled = await confirmRecoveryCodes(signedIn, originOf(request), identity);
      if (enrolled === "gone") return backTo(reply, securityPath, "enrolment_over");
      if (enrolled === "too_many") return backTo(reply, securityPath, "too_many_apps");
      return finishEnrolment(enrolled, person, { request, reply }, context);
    },
    { return_to: securityPath },
  );
}
