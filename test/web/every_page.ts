import { apiDocsPage } from "../../src/api/api_docs_page.ts";
import { apiTryPage } from "../../src/api/api_try_page.ts";
import { invitePage } from "../../src/console/invite.page.ts";
import {
  deadEmailLinkPage,
  emailUndonePage,
  undoEmailPage,
} from "../../src/people/account/email/undo_email.page.ts";
import { secureAccountPage } from "../../src/people/account/endings/secure_account.page.ts";
import {
  deadDeletionPage,
  deletionRequestedPage,
  deletionUndonePage,
  undoDeletionPage,
} from "../../src/people/account/endings/undo_deletion.page.ts";
import { sudoMailboxPart } from "../../src/people/authenticators/mail_code/mail_code.view.ts";
import {
  forgotPasswordPage,
  mailOffPage,
  resetRequestedPage,
} from "../../src/people/authenticators/password/forgot_password.page.ts";
import { passwordField } from "../../src/people/authenticators/password/password.card.ts";
import {
  deadResetLinkPage,
  resetDonePage,
  resetPasswordPage,
} from "../../src/people/authenticators/password/reset_password.page.ts";
import { sudoPage } from "../../src/people/core/sudo/sudo.page.ts";
import { deadInvitationPage, invitationPage, joinedPage } from "../../src/people/entry/invitation.page.ts";
import { loginPage } from "../../src/people/entry/login.page.ts";
import { logoutPage } from "../../src/people/entry/logout.page.ts";
import { membersOnlyPage } from "../../src/people/entry/members_only.page.ts";
import { selectAccountPage } from "../../src/people/entry/select_account.page.ts";
import { selectOrganizationPage } from "../../src/people/entry/select_organization.page.ts";
import { awaitingSetupPage, setupPage } from "../../src/people/entry/setup.page.ts";
import { signedOutPage } from "../../src/people/entry/signed_out.page.ts";
import { sudoProviderPart } from "../../src/people/providers/provider_buttons.view.ts";
import { type Html, html } from "../../src/web/html/html.ts";
import { layout } from "../../src/web/layout.ts";
import { consentPage } from "../../src/web/pages/consent_page.ts";
import { devPage } from "../../src/web/pages/dev_page.ts";
import { errorPage } from "../../src/web/pages/error_page.ts";
import { formPostPage } from "../../src/web/pages/form_post_page.ts";
import { openConsentPage } from "../../src/web/pages/open_consent_page.ts";
import { outboxPage } from "../../src/web/pages/outbox_page.ts";
import type { ManagementLocale, PageLocale } from "../../src/web/words/page_locale.ts";
import { accountPages } from "./account_pages.ts";
import { appPages } from "./app_pages.ts";
import { dashboardPages } from "./dashboard_pages.ts";
import { formsOf } from "./forms_of.ts";
import { ownFactorPages } from "./own_factor_pages.ts";
import { passkeyPages } from "./passkey_pages.ts";
import { providerPages } from "./provider_pages.ts";
import { aReader, aViewer } from "./reader.ts";
import { recordPages } from "./record_pages.ts";
import { refusalPages } from "./refusal_pages.ts";
import { registrationPages } from "./registration_pages.ts";
import { secondFactorPages } from "./second_factor_pages.ts";

/**
 * Returns every page in all of its variants for this reader, with `text` for text of other users and
 * `address` for their links and pictures. Console pages are included if they exist in the reader's language.
 */
export function everyPage(
  text: string,
  address: string,
  locale: PageLocale = aReader(),
): Record<string, string> {
  const pages = {
    ...personPages(text, address, locale),
    ...(isOfManagement(locale) && managementPages(text, address, locale)),
  };
  return Object.fromEntries(Object.entries(pages).map(([name, page]) => [name, String(page)]));
}

const isOfManagement = (locale: PageLocale): locale is ManagementLocale => "records" in locale.words;

function personPages(text: string, address: string, locale: PageLocale): Record<string, Html> {
  const user = { name: text, email: text };
  const client = {
    name: text,
    logo_url: address,
    description: text,
    owner_name: text,
    first_time: true,
    unverified: true,
    links: { client_uri: address, policy_uri: address, tos_uri: address },
  };
  const fields = { state: text, client_id: text };
  const invited = {
    organization: { name: text, logo_url: address },
    role: "developer",
    inviter: user,
    email: text,
    token: text,
    csrf_token: text,
    href: "/invitation",
    longest_name: 255,
    shortest_password: 8,
  };
  const tried = {
    ...locale,
    ...{ id: "updateUser", method: "PATCH", path: text, summary: text, csrf_token: text, body: text },
    parameters: [],
  };
  const reset = { token: text, csrf_token: text, email: text, shortest_password: 8 };
  const sudo = {
    ...locale,
    action: "/account",
    csrf_token: text,
    carried: text,
    lasts: 300_000,
    cancel_href: "/account",
    groups: [],
  };
  const atProviders = {
    name: "provider",
    providers: [{ slug: "google", label: text, preset: "google" as const }],
  };
  const mailbox = { code: "code", send: "send", email: text, minutes: 10, requested: false, wrong: false };
  const mailboxPart = (overrides: Partial<typeof mailbox>) => ({
    groups: [[sudoMailboxPart({ ...mailbox, ...overrides }, locale)]],
  });
  const choice = {
    organizations: [{ id: text, name: text, slug: text, logo_url: null }],
    last: text as string | undefined,
    more: true,
    search: "",
  };
  const openConsent = {
    ...locale,
    client: { verified_host: text, client_id: text, claimed_name: text },
    user,
    scopes: [
      { name: text, description: text, already_granted: true },
      { name: text, already_granted: false },
    ],
    resources: [{ name: text, identifier: text }],
    redirect_to: text,
    csrf_token: text,
    request: text,
    switch_account_href: address,
  };
  return {
    layout: layout({
      ...locale,
      title: text,
      body: html`<h1>${text}</h1>`,
      brand: { name: text, logo_url: address },
    }),
    ...formsOf(
      loginPage,
      { ...locale, redirect: text, csrf_token: text },
      {
        login: {},
        loginFailed: {
          email: text,
          failure: "throttled",
          client_name: text,
          forgot_href: address,
          retry_after: 30,
          short_id: text,
        },
        loginAgain: { email: text, again: { name: text, why: "tooOld" } },
      },
    ),
    ...passkeyPages(text, locale),
    ...providerPages(text, locale),
    formPost: formPostPage({ ...locale, redirect_uri: address, redirect_to: text, fields: { state: text } }),
    ...formsOf(
      selectAccountPage,
      { ...locale, user, csrf_token: text, request: text },
      {
        selectAccount: {},
        selectAccountMeanwhile: { meanwhile: { typed: text } },
        selectAccountByLink: { continue_href: address },
      },
    ),
    ...formsOf(
      membersOnlyPage,
      {
        ...{ ...locale, client: { name: text }, back_href: address, switch_account_href: address },
        organization_name: text as string | undefined,
        for_members: true,
      },
      {
        membersOnly: {},
        membersOnlyOfAny: { organization_name: undefined },
        roleOnly: { for_members: false },
        roleOnlyOfAny: { for_members: false, organization_name: undefined },
      },
    ),
    ...formsOf(
      selectOrganizationPage,
      {
        ...{ ...locale, client: { name: text }, user, switch_account_href: address },
        ...{ csrf_token: text, request: text, ...choice },
      },
      {
        selectOrganization: {},
        selectOrganizationFoundNone: { organizations: [], last: undefined, more: false, search: text },
      },
    ),
    consent: consentPage({
      ...locale,
      client,
      user,
      scopes: [
        { name: text, description: text, already_granted: true },
        { name: text, description: text, own: true, lang: "de", already_granted: false },
        { name: text, already_granted: false },
        { name: text, already_granted: true },
        { name: text, already_granted: false },
      ],
      organization_name: text,
      redirect_to: text,
      csrf_token: text,
      request: text,
      switch_account_href: address,
    }),
    openConsent: openConsentPage({ ...openConsent, answers: "loopback" }),
    openConsentUnproven: openConsentPage({
      ...openConsent,
      client: {
        verified_host: undefined,
        client_id: text,
        claimed_name: undefined,
        hidden_name: "resembles",
      },
      answers: "private_scheme",
    }),
    error: errorPage({
      ...locale,
      kind: "refused",
      detail: { text, language: "en" },
      error: text,
      short_id: text,
      request_id: text,
    }),
    errorMissing: errorPage({ ...locale, kind: "missing", request_id: text }),
    ...accountPages(text, address, locale),
    ...formsOf(sudoPage, sudo, {
      sudo: { groups: [[passwordField(user, false, locale)]] },
      sudoMailbox: mailboxPart({}),
      sudoMailboxWrong: mailboxPart({ wrong: true }),
      sudoMailCode: mailboxPart({ requested: true }),
      sudoMailCodeWrong: mailboxPart({ requested: true, wrong: true }),
      sudoWrong: { groups: [[passwordField(user, true, locale)]], error: "password" },
      sudoProvider: { leaves: true, groups: [[sudoProviderPart(atProviders, locale)]] },
      sudoConfirmed: {},
      sudoSendAgain: { carried: undefined },
      sudoThrottled: { error: "throttled", retry_after: 600 },
      sudoPasskeyLost: {
        groups: [[passwordField(user, false, locale)]],
        lost_href: "/account/lost-passkey",
      },
      sudoImpossible: { groups: [[]] },
      sudoChanged: { error: "changed_meanwhile" },
    }),
    ...secondFactorPages(text, locale),
    ...ownFactorPages(text, locale),
    logout: logoutPage({
      ...locale,
      csrf_token: text,
      client_name: text,
      fields,
      action: "/oauth/logout",
      keeping: [text, undefined],
    }),
    secureAccount: secureAccountPage(locale),
    undoEmail: undoEmailPage({
      ...locale,
      email: text,
      ended: [{ kind: "api_keys", count: 1, names: [text] }],
      lock_hours: 72,
      token: text,
      csrf_token: text,
      out_of_date: true,
    }),
    ...formsOf(
      emailUndonePage,
      { ...locale, ended: [], kept: false },
      {
        emailUndone: {},
        emailUndoneKept: { kept: true },
        emailUndonePasswordless: { options: { passkey: true, providers: [text] } },
      },
    ),
    deadEmailLink: deadEmailLinkPage(locale),
    undoDeletion: undoDeletionPage({
      ...locale,
      deletion_at: new Date(0),
      token: text,
      csrf_token: text,
      out_of_date: true,
    }),
    deletionRequested: deletionRequestedPage({ ...locale, until: new Date(0) }),
    deletionUndone: deletionUndonePage(locale),
    deadDeletion: deadDeletionPage(locale),
    signedOut: signedOutPage({ ...locale, return_href: address, client_name: text }),
    notReturned: signedOutPage({
      ...locale,
      refused: {
        why: "unregistered",
        detail: { text, language: "en" },
        error: text,
        short_id: "0123456789",
        request_id: text,
      },
    }),
    noneEnded: signedOutPage({ ...locale, none_ended: true }),
    ...formsOf(
      setupPage,
      { ...locale, token: text, csrf_token: text, errors: [], longest_name: 255, shortest_password: 8 },
      {
        setup: { email: text, name: text, errors: ["name", "email_taken", "password_short"] },
        setupPasskey: {
          passkey: { ceremony: "create", options: { challenge: text }, renew_href: "/setup" },
          passkey_error: "passkey_refused",
        },
        setupDone: { done: true },
      },
    ),
    ...formsOf(
      invitationPage,
      { ...locale, ...invited, way: "join", errors: [], further_roles: [text] },
      {
        invitation: {},
        invitationSignIn: { way: "sign_in" },
        invitationSomeoneElse: { way: "sign_in", someone_else: user },
        invitationNewAccount: { way: "make_account" },
        invitationRefused: {
          way: "make_account",
          someone_else: user,
          name: text,
          errors: ["name", "too_common"],
          out_of_date: true,
        },
      },
    ),
    deadInvitation: deadInvitationPage(locale),
    joined: joinedPage({
      ...locale,
      organization: { name: text },
      role: "member",
      further_roles: [text],
      was_member: false,
    }),
    awaitingSetup: awaitingSetupPage({ ...locale, hours: 24 }),
    apiDocs: apiDocsPage({
      words: locale.words,
      title: text,
      description: text,
      base_url: text,
      document_href: "/api/openapi.json",
      credentials: [{ name: text, description: text }],
      groups: [
        {
          id: "users",
          name: text,
          description: text,
          members: [{ name: text, type: text, description: text, required: true }],
          operations: ["GET", "DELETE"].map((method) => ({
            id: `operation-${method}`,
            method,
            path: text,
            summary: text,
            description: text,
            parameters: [{ name: text, where: text, type: text, description: text }],
            body: { types: [text], members: [], example: text },
            answers: [{ status: "200", description: text }],
            refusals: ["400"],
            is_tried: true,
            curl: text,
            example: text,
          })),
        },
      ],
      problems: [{ code: "stale", status: 412, title: text, meaning: text }],
    }),
    ...formsOf(apiTryPage, tried, {
      apiTry: {
        parameters: [{ name: "id", description: text, required: true, value: text }],
        answer: { url: text, status: 200, headers: [["etag", text]], body: text },
      },
      apiTryWaiting: { waiting: { url: text } },
    }),
    ...formsOf(
      forgotPasswordPage,
      { ...locale, csrf_token: text, redirect: text },
      {
        forgotPassword: {},
        forgotPasswordFailed: { email: text, failure: "email" },
        forgotPasswordThrottled: { failure: "throttled", retry_after: 90 },
      },
    ),
    resetRequested: resetRequestedPage({ ...locale, email: text, redirect: text, minutes: 30 }),
    mailOff: mailOffPage(locale),
    ...registrationPages(text, address, locale),
    resetPassword: resetPasswordPage({ ...locale, ...reset }),
    resetPasswordFailed: resetPasswordPage({ ...locale, ...reset, failure: "too_short" }),
    resetDone: resetDonePage(locale),
    deadResetLink: deadResetLinkPage(locale),
  };
}

function managementPages(text: string, address: string, locale: ManagementLocale): Record<string, Html> {
  const exchange = {
    kind: "refresh" as const,
    request: {
      method: text,
      url: text,
      headers: { [text]: text, location: `https://a.example/?${text}` },
      body: text,
    },
    response: { status: 302, headers: { [text]: text }, body: text },
    decoded: { id_token: text, access_token: text },
    explained: ["state", "error"] as const,
  };
  return {
    ...dashboardPages(text, locale),
    ...recordPages(text, address, locale),
    ...appPages(text, address, locale),
    ...refusalPages(text, locale),
    invite: invitePage({
      ...locale,
      viewer: aViewer(text, ["organizations", "memberships"]),
      organization: { id: text, name: text },
      csrf_token: text,
      days: 7,
      roles: ["owner", "admin", "developer", "member"],
      further: [{ id: text, called: text, list: "role_ids" }],
      made: { email: text, link: undefined },
      withdrawn: true,
      open: [
        {
          id: text,
          email: text,
          role: "admin",
          further_roles: [text],
          inviter_name: text,
          expires_at: new Date(0),
        },
        { id: text, email: text, role: text, further_roles: [], expires_at: new Date(0) },
      ],
    }),
    inviteRefused: invitePage({
      ...locale,
      viewer: aViewer(text, [], { is_platform_admin: false }),
      organization: { id: text, name: text },
      csrf_token: text,
      days: 7,
      roles: ["developer", "member"],
      further: [],
      email: text,
      role: "developer",
      error: "email",
      made: { email: text, link: text },
      open: [],
    }),
    dev: devPage({
      ...locale,
      steps: [exchange],
      clients: [{ client_id: text, name: text, kind: "public" }],
      users: [{ email: text, password: text }],
      actions: [
        { label: text, href: address },
        { label: text, post: { action: address, fields: { state: text, client_id: text } } },
      ],
      outbox_href: address,
    }),
    outbox: outboxPage({
      ...locale,
      mails: [{ to: text, subject: text, text, kept_at: new Date(0) }],
    }),
    devAtFirst: devPage({ ...locale, steps: [], clients: [], users: [], actions: [] }),
  };
}
