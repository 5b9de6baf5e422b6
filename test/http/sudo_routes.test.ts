/** Every form of the account and the console, with whether it waits for a fresh proof (SU-6). */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { FastifyInstance } from "fastify";
import { aPerson, hiddenField, signInAs, testApp, testBrowser } from "../support/app.ts";

/** Every page that a switch adds. */
const everything = {
  extra_sign_in: ["passkey", "totp"],
  self_service: ["email", "export", "deletion"],
  sign_up: "open",
  recovery_delay_hours: 72,
} as const;

/** These ask. */
const sensitive = `
/account/api-keys/:id/revoke
/account/api-keys/new
/account/authenticator-apps
/account/authenticator-apps/:id/remove
/account/authenticator-apps/:id/rename
/account/authenticator-apps/mailbox
/account/authenticator-apps/new
/account/data
/account/deletion
/account/email
/account/email/mailbox
/account/linked-accounts/:id/unlink
/account/linked-accounts/link
/account/passkeys
/account/passkeys/:id/remove
/account/passkeys/mailbox
/account/passkeys/new
/account/passkeys/upgrades
/account/recovery-codes/new
/account/sessions/notices
/console/api-keys/:id/delete
/console/api-keys/:id/edit
/console/api-keys/:id/revoke
/console/api-keys/new
/console/api-keys/selected/delete
/console/api-keys/selected/revoke
/console/app-secrets/:id/delete
/console/app-secrets/:id/edit
/console/app-secrets/:id/revoke
/console/app-secrets/new
/console/app-secrets/selected/delete
/console/app-secrets/selected/revoke
/console/key-pairs/:id/delete
/console/key-pairs/:id/edit
/console/key-pairs/:id/revoke
/console/key-pairs/:id/switch-off
/console/key-pairs/:id/switch-on
/console/key-pairs/new
/console/key-pairs/selected/delete
/console/key-pairs/selected/revoke
/console/key-pairs/selected/switch-off
/console/linked-accounts/:id/delete
/console/linked-accounts/:id/edit
/console/linked-accounts/new
/console/linked-accounts/selected/delete
/console/memberships/:id/delete
/console/memberships/:id/edit
/console/memberships/new
/console/memberships/selected/delete
/console/organizations/:id/delete
/console/organizations/:id/edit
/console/organizations/:id/invite
/console/organizations/:id/switch-off
/console/organizations/:id/switch-on
/console/organizations/new
/console/organizations/selected/delete
/console/organizations/selected/switch-off
/console/providers/:id/delete
/console/providers/:id/edit
/console/providers/:id/switch-off
/console/providers/:id/switch-on
/console/providers/new
/console/providers/selected/delete
/console/providers/selected/switch-off
/console/signing-keys/:id/delete
/console/signing-keys/rotate
/console/users/:id/change-password
/console/users/:id/delete
/console/users/:id/edit
/console/users/:id/factors/:factor_id/remove
/console/users/:id/reset-factors
/console/users/:id/export-data
/console/users/:id/revoke-everything
/console/users/:id/send-password-reset
/console/users/:id/sign-out
/console/users/:id/switch-off
/console/users/:id/switch-on
/console/users/new
/console/users/selected/delete
/console/users/selected/switch-off
`;

/** These ask for some of what they do, or by a field of their own (`sudo.test.ts`). */
const inPart = `
/account
/account/lost-passkey
/account/password
`;

/** These give nobody anything: they end what is the person's own, or write what protects no account. */
const plain = `
/account/apps/:id/withdraw
/account/email/cancel
/account/email/confirm
/account/organizations/:id/leave
/account/passkeys/:id/rename
/account/recovery-codes/confirm
/account/recovery/cancel
/account/sessions/:id/end
/account/sessions/devices/:id/forget
/account/sessions/devices/forget-all
/account/sessions/end-all
/account/sessions/end-others
/console/api-keys/export
/console/api-keys/selected
/console/app-secrets/export
/console/app-secrets/selected
/console/apps/:id/change-public
/console/apps/:id/delete
/console/apps/:id/edit
/console/apps/:id/revoke
/console/apps/:id/switch-off
/console/apps/:id/switch-on
/console/apps/:id/try/end
/console/apps/:id/try/introspect
/console/apps/:id/try/machine
/console/apps/:id/try/refresh
/console/apps/:id/try/remove-address
/console/apps/:id/try/revoke
/console/apps/:id/try/start
/console/apps/:id/try/userinfo
/console/apps/export
/console/apps/new
/console/apps/selected
/console/apps/selected/delete
/console/apps/selected/revoke
/console/apps/selected/switch-off
/console/audit-events/export
/console/auth-codes/:id/revoke
/console/auth-codes/export
/console/auth-codes/selected
/console/auth-codes/selected/revoke
/console/consents/:id/change-scopes
/console/consents/:id/delete
/console/consents/:id/edit
/console/consents/:id/revoke
/console/consents/export
/console/consents/new
/console/consents/selected
/console/consents/selected/delete
/console/consents/selected/revoke
/console/housekeeping
/console/key-pairs/export
/console/key-pairs/selected
/console/linked-accounts/export
/console/linked-accounts/selected
/console/memberships/export
/console/memberships/selected
/console/open-clients
/console/open-clients/:id/register
/console/organization
/console/organizations/:id/invite/withdraw
/console/organizations/export
/console/organizations/selected
/console/providers/export
/console/providers/selected
/console/refusals/export
/console/resources/:id/delete
/console/resources/:id/edit
/console/resources/:id/switch-off
/console/resources/:id/switch-on
/console/resources/export
/console/resources/new
/console/resources/selected
/console/resources/selected/delete
/console/resources/selected/switch-off
/console/service-accounts/:id/delete
/console/service-accounts/:id/edit
/console/service-accounts/:id/switch-off
/console/service-accounts/:id/switch-on
/console/service-accounts/export
/console/service-accounts/new
/console/service-accounts/selected
/console/service-accounts/selected/delete
/console/service-accounts/selected/switch-off
/console/sessions/:id/revoke
/console/sessions/export
/console/sessions/selected
/console/sessions/selected/revoke
/console/tokens/:id/revoke
/console/tokens/export
/console/tokens/selected
/console/tokens/selected/revoke
/console/users/export
/console/users/selected
/console/view
`;

const linesOf = (text: string) => text.split("\n").filter((line) => line !== "");

/** The addresses of the forms, from the tree that the framework prints. */
function postsOf(app: FastifyInstance): string[] {
  const found: string[] = [];
  const steps: string[] = [];
  for (const line of app.printRoutes({ commonPrefix: false }).split("\n")) {
    const [, indent = "", step = "", methods = ""] =
      /^((?:│ {3}| {4})*)[├└]── (\S*) ?(?:\((.*)\))?$/.exec(line) ?? [];
    steps.length = indent.length / 4;
    steps.push(step);
    const path = steps.join("");
    if (/\bPOST\b/.test(methods) && /^\/(account|console)(\/|$)/.test(path)) found.push(path);
  }
  return found.toSorted();
}

test("SU-6: every form of account and console is said to be sensitive or not", async () => {
  const { app } = await testApp({ settings: everything, identity_settings: everything });
  const said = [sensitive, inPart, plain].flatMap(linesOf);
  assert.deepEqual(postsOf(app), said.toSorted());
});

test("SU-6: those that are sensitive ask for a proof before anything else, and the others never", async () => {
  const it = await testApp({ settings: everything, identity_settings: everything });
  const user = await aPerson(it, { is_platform_admin: true });
  const browser = testBrowser(it.app);
  await signInAs(browser, user);
  const page = await browser.get("/account/password");
  it.clock.advance(301);
  const csrf_token = hiddenField(page, "csrf_token");
  for (const path of [sensitive, plain].flatMap(linesOf)) {
    // The sessions of the person end with these.
    if (path === "/account/sessions/end-all") continue;
    const answer = await browser.post(path.replace(":id", randomUUID()), { csrf_token });
    const asks = answer.body.includes(`name="sudo_form"`);
    assert.equal(asks, linesOf(sensitive).includes(path), `${path} ${answer.statusCode}`);
  }
});
