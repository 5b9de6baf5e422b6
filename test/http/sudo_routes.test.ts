/** Every form of the account and the console, and whether it requires a fresh proof (SU-6). */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { aPerson, hiddenField, signInAs, testApp, testBrowser } from "../support/app.ts";
import { routesOf } from "../support/routes.ts";

const areas = /^\/(account|console)(\/|$)/;

/** Every setting that adds a page. */
const everything = {
  extra_sign_in: ["passkey", "totp"],
  self_service: ["email", "export", "deletion"],
  sign_up: "open",
  recovery_delay_hours: 72,
} as const;

/** Forms that require a fresh proof. */
const sensitive = `
/account/api-keys: :id/revoke new
/account: authenticator-apps data deletion email passkeys
/account/authenticator-apps: :id/remove :id/rename mailbox new
/account/email: mailbox
/account/linked-accounts: :id/unlink link
/account/passkeys: :id/remove mailbox new upgrades
/account/recovery-codes: new
/account/sessions: notices
/console/api-keys: :id/delete :id/edit :id/revoke new selected/delete selected/revoke
/console/app-secrets: :id/delete :id/edit :id/revoke new selected/delete selected/revoke
/console/group-members: :id/delete new selected/delete
/console/groups: :id/delete :id/edit new selected/delete
/console/import: apply
/console/key-pairs: :id/delete :id/edit :id/revoke :id/switch-off :id/switch-on new selected/delete
/console/key-pairs: selected/revoke selected/switch-off
/console/linked-accounts: :id/delete :id/edit new selected/delete
/console/memberships: :id/delete :id/edit new selected/delete
/console/organizations: :id/delete :id/edit :id/invite :id/switch-off :id/switch-on new
/console/organizations: selected/delete selected/switch-off
/console/providers: :id/delete :id/edit :id/switch-off :id/switch-on new selected/delete
/console/providers: selected/switch-off
/console/roles: :id/delete :id/edit new selected/delete
/console/signing-keys: :id/delete rotate
/console/users: :id/change-password :id/delete :id/edit :id/factors/:factor_id/remove
/console/users: :id/reset-factors :id/export-data :id/revoke-everything :id/send-password-reset
/console/users: :id/sign-out :id/switch-off :id/switch-on new selected/delete selected/switch-off
/console/webhook-endpoints: :id/activate :id/delete :id/edit :id/rotate-secret new selected/delete
`;

/** Forms that require sudo for some actions only, or have a separate field for the proof (`sudo.test.ts`). */
const inPart = `
/account: . lost-passkey password
`;

/**
 * Forms that grant no access: they end the user's own records, or change nothing that protects an account.
 */
const plain = `
/account/apps: :id/withdraw
/account/email: cancel confirm
/account/organizations: :id/leave
/account/passkeys: :id/rename
/account/recovery-codes: confirm discard
/account/recovery: cancel
/account/sessions: :id/end devices/:id/forget devices/forget-all end-all end-others
/console/api-keys: export selected
/console/app-roles: :id/delete :id/edit export new selected selected/delete
/console/app-secrets: export selected
/console/apps: :id/change-public :id/delete :id/edit :id/revoke :id/switch-off :id/switch-on
/console/apps: :id/test-logout
/console/apps: :id/try/end :id/try/introspect :id/try/machine :id/try/refresh :id/try/remove-address
/console/apps: :id/try/revoke :id/try/start :id/try/userinfo export new selected selected/delete
/console/apps: selected/revoke selected/switch-off
/console/audit-events: export
/console/auth-codes: :id/revoke export selected selected/revoke
/console/consents: :id/change-scopes :id/delete :id/edit :id/revoke export new selected
/console/consents: selected/delete selected/revoke
/console/deliveries: :id/retry export
/console/events: export
/console/group-members: export selected
/console/groups: export selected
/console: housekeeping import open-clients organization view
/console/import: discard losses
/console/key-pairs: export selected
/console/linked-accounts: export selected
/console/memberships: export selected
/console/open-clients: :id/register
/console/organizations: :id/invite/withdraw export selected
/console/providers: export selected
/console/refusals: export
/console/roles: export selected
/console/webhook-endpoints: :id/ping :id/replay export selected
/console/attributes: :id/delete :id/edit export new selected
/console/attributes: selected/delete
/console/resources: :id/delete :id/edit :id/switch-off :id/switch-on export new selected
/console/resources: selected/delete selected/switch-off
/console/service-accounts: :id/delete :id/edit :id/switch-off :id/switch-on export new selected
/console/service-accounts: selected/delete selected/switch-off
/console/sessions: :id/revoke export selected selected/revoke
/console/tokens: :id/revoke export selected selected/revoke
/console/users: export selected
`;

/**
 * Returns the paths in a list: each line has a common prefix and several endings; a dot is the empty ending.
 */
const pathsOf = (text: string) =>
  text
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [base = "", ...ends] = line.split(/:? (?!$)/);
      return ends.map((end) => (end === "." ? base : `${base}/${end}`));
    });

test("SU-6: every form of account and console is declared as sensitive or not", async () => {
  const { app } = await testApp({ settings: everything, identity_settings: everything });
  const said = [sensitive, inPart, plain].flatMap(pathsOf);
  const posts = routesOf(app).filter(({ method, path }) => method === "POST" && areas.test(path));
  assert.deepEqual(posts.map(({ path }) => path).toSorted(), said.toSorted());
});

test("SU-6: sensitive forms require a fresh proof before anything else, and the others never do", async () => {
  const it = await testApp({ settings: everything, identity_settings: everything });
  const user = await aPerson(it, { is_platform_admin: true });
  const browser = testBrowser(it.app);
  await signInAs(browser, user);
  const page = await browser.get("/account/password");
  it.clock.advance(301);
  const csrf_token = hiddenField(page, "csrf_token");
  const asking = new Set(pathsOf(sensitive));
  for (const path of [sensitive, plain].flatMap(pathsOf)) {
    // This form ends the user's sessions.
    if (path === "/account/sessions/end-all") continue;
    const answer = await browser.post(path.replace(":id", randomUUID()), { csrf_token });
    const asks = answer.body.includes(`name="sudo_form"`);
    assert.equal(asks, asking.has(path), `${path} ${answer.statusCode}`);
  }
});
