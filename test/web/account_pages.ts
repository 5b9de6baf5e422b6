import { reason } from "../../src/errors/field_errors.ts";
import { apiKeyMadePage, apiKeysPage } from "../../src/people/account/api_keys.page.ts";
import { connectedAppsPage } from "../../src/people/account/connected_apps.page.ts";
import { confirmEmailPage, ownEmailPage } from "../../src/people/account/email/own_email.page.ts";
import { endingPage } from "../../src/people/account/ending.page.ts";
import { ownDeletionPage } from "../../src/people/account/endings/own_deletion.page.ts";
import { linkedAccountsPage } from "../../src/people/account/linked_accounts.page.ts";
import { newApiKeyPage } from "../../src/people/account/new_api_key.page.ts";
import { ownDataPage } from "../../src/people/account/own_data.page.ts";
import { ownOrganizationsPage } from "../../src/people/account/own_organizations.page.ts";
import { profilePage } from "../../src/people/account/profile.page.ts";
import { recentEventsCard } from "../../src/people/account/recent_events.card.ts";
import { securityPage } from "../../src/people/account/security.page.ts";
import { sessionsPage } from "../../src/people/account/sessions.page.ts";
import { changePasswordPage } from "../../src/people/authenticators/password/change_password.page.ts";
import { passwordCard } from "../../src/people/authenticators/password/password.card.ts";
import { lostPasskeyPage } from "../../src/people/authenticators/recovery/lost_passkey.page.ts";
import type { AccountLocale } from "../../src/people/core/pages/account_frame.view.ts";
import { accountEventKinds } from "../../src/records/definition/account_events.ts";
import { attributeTypes } from "../../src/records/names/attributes.ts";
import { methodKinds } from "../../src/records/names/sign_in_methods.ts";
import type { Html } from "../../src/web/html/html.ts";
import type { PageLocale } from "../../src/web/words/page_locale.ts";
import { formsOf } from "./forms_of.ts";

/** Returns every page of the account in all of its variants; see `everyPage`. */
export function accountPages(text: string, address: string, locale: PageLocale): Record<string, Html> {
  const page: AccountLocale = { ...locale, administers: true, person: { name: text, email: text } };
  const [early, late] = [new Date(0), new Date(86_400_000)];
  const user = {
    name: text,
    email: text,
    avatar_url: address,
    is_platform_admin: true,
    created_at: early,
    last_login_at: late,
  };
  const typed = { name: text, avatar_url: address, email: text };
  const scopes = [
    { name: text, description: text },
    { name: text, description: text, own: true, lang: "de" },
    { name: text },
  ];
  const more = { first_href: "/account", next_href: "/account?cursor=1" };
  const profile = {
    ...page,
    user,
    typed,
    longest_name: 255,
    csrf_token: text,
    etag: text,
    errors: [],
    attributes: attributeTypes.flatMap((value_type) => {
      const each = { name: value_type, value_type, label: text, text, field: `attributes.${value_type}` };
      const error = reason("not_number");
      return [
        { ...each, is_editable: false },
        { ...each, is_editable: true, error },
      ];
    }),
    email_is_theirs: false,
    has_password: true,
  };
  const password = { ...page, csrf_token: text, email: text, shortest_password: 8, can_reset: true };
  const app = { name: text, logo_url: address, owner_name: text, scopes, since: early };
  const cameAlong = { verified_host: text, client_id: text, claimed_name: text, answers_at: [text, text] };
  const key = { name: text, prefix: text, scopes: [text, text] };
  const grid = ["postern:users:read", "postern:users:write", "postern:refusals:read"];
  const newKey = {
    ...page,
    csrf_token: text,
    longest_name: 255,
    form_id: text,
    scopes: [...scopes, ...grid.map((name) => ({ name }))],
    typed: { name: text, lifetime: 7 as const, scopes: [text] },
    errors: [],
  };
  const membership = { name: text, logo_url: address, since: early, permissions: scopes };
  const ending = { ...page, name: text, action: "/account", csrf_token: text, keep_href: "/account" };
  const events = accountEventKinds.map((kind, index) => ({
    kind,
    at: early,
    by_other: index === 0,
    address: index === 1 ? text : null,
    device: { browser: text },
  }));
  const otherSession = { methods: [], apps: [], begun_at: early, seen_at: late, here: false };
  const noSessions = { sessions: [], devices: [], has_others: false, has_mail: true, csrf_token: text };
  const impact = { sessions: 1, members: 2, apps: 100, passkeys: 1, authenticator_apps: 2, people: 1 };
  const settled = { last_administrator: false, owned: [] };
  const ownDeletion = { ...page, ...settled, impact, limit: 100, days: 14, csrf_token: text, handover: [] };
  const ownEmail = { ...page, email: text, has_mail: true, young_for: 86_400_000, csrf_token: text };
  return {
    ...formsOf(ownDeletionPage, ownDeletion, {
      accountDeletion: { error: "last_owner" },
      accountDeletionToSettle: { last_administrator: true, owned: [text, text] },
      accountDeletionHandover: {
        handover: [1, 12_345].map((count) => ({ organization: text, count })),
        typed: text,
        error: "successor",
      },
    }),
    accountData: ownDataPage({ ...page, csrf_token: text }),
    ...formsOf(ownEmailPage, ownEmail, {
      accountEmail: { pending: text, done: "email_asked" },
      accountEmailFailed: { typed: text, error: "throttled" },
      accountEmailLocked: { locked_until: late },
      accountEmailTooYoung: { typed: text, error: "too_young" },
      accountEmailNoMail: { has_mail: false },
    }),
    accountEmailConfirm: confirmEmailPage({ ...page, email: text, token: text, csrf_token: text }),
    ...formsOf(profilePage, profile, {
      accountProfileWaiting: {
        email_href: "/account/email",
        pending_email: text,
        data_href: "/account/data",
        deletion_href: "/account/deletion",
      },
      accountProfile: { done: "profile_saved" },
      accountProfileFailed: {
        administers: false,
        user: { ...user, avatar_url: null, is_platform_admin: false, last_login_at: null },
        email_is_theirs: true,
        errors: ["name", "avatar_url", "email_taken", "current_password"],
        changed_meanwhile: true,
      },
    }),
    ...formsOf(changePasswordPage, password, {
      accountPassword: {},
      accountPasswordWrong: { error: "wrong" },
      accountPasswordWeak: { error: "too_common" },
      accountPasswordDiffers: { error: "differs", can_reset: false },
      accountPasswordThrottled: { error: "throttled", retry_after: 90 },
      accountPasswordFirst: { first: true, error: "differs" },
    }),
    accountSecurity: securityPage({
      ...page,
      done: "password_changed",
      cards: [
        passwordCard({ ...page, has_password: true, is_only_method: false }),
        recentEventsCard({ ...page, events }),
      ],
    }),
    accountSecurityNone: securityPage({
      ...page,
      cards: [
        passwordCard({ ...page, has_password: false, is_only_method: true }),
        recentEventsCard({ ...page, events: [] }),
      ],
    }),
    accountSessions: sessionsPage({
      ...page,
      ...more,
      csrf_token: text,
      has_others: true,
      done: "session_ended",
      sessions: [
        {
          id: "1",
          device: { browser: text, system: text },
          address: text,
          methods: [...methodKinds.map((kind) => ({ kind })), { kind: "provider", label: text }],
          apps: [text, text],
          begun_at: early,
          seen_at: late,
          here: true,
        },
        { ...otherSession, id: "2", device: { system: text }, address: text },
        { ...otherSession, id: "3", device: {}, address: null },
      ],
      devices: [
        { id: "1", device: { browser: text }, address: text, seen_at: early, expires_at: late },
        { id: "2", device: {}, address: null, seen_at: early, expires_at: late },
      ],
      notices: "on",
      has_mail: true,
    }),
    ...formsOf(
      sessionsPage,
      { ...page, ...noSessions, notices: "on" },
      {
        accountSessionsWhileRecovering: { recovery: { due_at: early, lost: "factors", csrf_token: text } },
        accountSessionsWhilePasskeyGoes: { recovery: { due_at: early, lost: "passkeys", csrf_token: text } },
        accountSessionsNotTold: { notices: "off" },
        accountSessionsAlwaysTold: { notices: "always" },
      },
    ),
    ...lostPasskeySamples(text, page),
    accountApps: connectedAppsPage({
      ...page,
      done: "app_withdrawn",
      apps: [
        { ...app, id: "1", last_used_at: late, unasked: false, off: false },
        { ...app, id: "2", last_used_at: null, unasked: true, off: true },
        { ...app, id: "3", last_used_at: late, unasked: false, off: false, open: cameAlong },
        {
          ...app,
          id: "4",
          last_used_at: late,
          unasked: false,
          off: false,
          name: undefined,
          open: { ...cameAlong, verified_host: undefined, claimed_name: undefined, hidden_name: "deceptive" },
        },
      ],
    }),
    accountAppsNone: connectedAppsPage({ ...page, apps: [] }),
    accountLinked: linkedAccountsPage({
      ...page,
      ...more,
      done: "account_unlinked",
      accounts: [{ id: "1", provider: text, identifier: text, linked_at: early }],
      linkable: [{ slug: "acme", label: text, preset: "oidc" }],
      csrf_token: text,
      last_way: true,
    }),
    accountLinkedNone: linkedAccountsPage({ ...page, accounts: [], linkable: [], csrf_token: text }),
    accountKeys: apiKeysPage({
      ...page,
      ...more,
      done: "key_revoked",
      keys: [
        { ...key, id: "1", expires_at: late, expired: false, last_used_at: late },
        { ...key, id: "2", expires_at: late, expired: true, last_used_at: null },
        { ...key, id: "3", expires_at: null, expired: false, last_used_at: null },
      ],
    }),
    accountKeysNone: apiKeysPage({ ...page, keys: [] }),
    ...formsOf(newApiKeyPage, newKey, {
      accountKeyNew: { typed: { name: "", lifetime: 90, scopes: [] } },
      accountKeyNewFailed: {
        typed: { name: text, lifetime: null, scopes: [text] },
        errors: ["name", "lifetime", "scopes"],
      },
      accountKeyNewRefused: { errors: ["scopes_refused"] },
    }),
    accountKeyMade: apiKeyMadePage({ ...page, name: text, key: text }),
    accountOrganizations: ownOrganizationsPage({
      ...page,
      done: "organization_left",
      memberships: [
        { ...membership, id: "1", role: "owner", off: false },
        { ...membership, id: "2", role: text, off: true, permissions: [] },
      ],
    }),
    accountOrganizationsNone: ownOrganizationsPage({ ...page, memberships: [] }),
    ...formsOf(
      endingPage,
      { ...ending, ending: { kind: "linked_account" } },
      {
        accountWithdraw: { ending: { kind: "app", tokens: 2, limit: 10 } },
        accountWithdrawOne: { ending: { kind: "app", tokens: 1, limit: 10 } },
        accountWithdrawMany: { ending: { kind: "unasked_app", tokens: 10, limit: 10 } },
        accountWithdrawNone: { ending: { kind: "app", tokens: 0, limit: 10 } },
        accountUnlink: {},
        accountRevoke: { ending: { kind: "api_key" } },
        accountLeave: { ending: { kind: "organization", role: text } },
        accountLeaveRefused: { ending: { kind: "organization", role: "owner", last_owner: true } },
      },
    ),
  };
}

/** Returns the pages of a user who no longer has their passkey. */
function lostPasskeySamples(text: string, page: AccountLocale): Record<string, Html> {
  const lost = { ...page, email: text, names: [text, text], hours: 72, minutes: 10, csrf_token: text };
  return formsOf(
    lostPasskeyPage,
    { ...lost, state: "possible" },
    {
      lostPasskeyAdministrator: { state: "administrator" },
      lostPasskeyTooLittleLeft: { state: "too_little_left" },
      lostPasskeyPossible: {},
      lostPasskeyThrottled: { error: "throttled" },
      lostPasskeyExpired: { error: "expired" },
      lostPasskeyRequested: { state: "requested", error: "wrong" },
      lostPasskeyWaiting: { state: "waiting", due_at: new Date(0) },
    },
  );
}
