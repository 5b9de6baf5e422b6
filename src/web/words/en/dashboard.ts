import { html, type Printable } from "../../html/html.ts";

export const dashboardWords = {
  health: {
    title: "Health",
    overall: { fine: "Healthy", caution: "Needs attention", failure: "Not working" },
    database: { label: "Database", fine: "responds", caution: "slow", failure: "no response" },
    key: { label: "Signing key", age: (age: string) => `${age} old`, failure: "no active key" },
    addresses: { label: "Client addresses" },
    hashing: { label: "Sign-in load", fine: "normal", caution: "high", failure: "too high" },
    mail: {
      label: "Mail",
      fine: "working",
      caution: "queue is growing",
      failure: "last email failed",
      off: "switched off",
    },
    sweep: { label: "Cleanup", ago: (time: string) => `${time} ago`, pending: "not yet" },
  },
  advice: {
    database: {
      caution: "The database is slow to respond. Check the load and the disk of its machine.",
      failure: "The database does not respond. Until it does, users cannot sign in and no token is issued.",
    },
    signing_key: {
      caution: "The signing key is old. Rotate it; users stay signed in.",
      failure:
        "No signing key is active now. Create one; until then, tokens are signed with a key that is about to expire.",
    },
    addresses: {
      caution:
        "Nearly all requests come from this address, which looks like your proxy. Add the address to POSTERN_TRUST_PROXY, and make the proxy send X-Forwarded-For. Until then, all users share the rate limits of one address.",
    },
    hashing: {
      caution: "Many passwords are waiting to be checked. Look for a flood of sign-ins, or add processors.",
      failure:
        "So many passwords are waiting to be checked that users cannot sign in. Look for a flood of sign-ins.",
    },
    no_mail: {
      caution:
        "Users may add passkeys or authenticator apps, but this server does not send email. In a new browser, users have to wait before they can add their first one, and they are not notified when one is added. Set POSTERN_SMTP_URL and POSTERN_MAIL_FROM.",
    },
    mail: {
      caution: "Many emails are waiting. Check the mail server.",
      failure:
        "The last email could not be sent. Check the log and the mail server that POSTERN_SMTP_URL names.",
    },
    sweep: {
      caution: "Expired rows have not been removed for a while. The log says why.",
    },
  },
  today: "Last 24 hours",
  figures: {
    tokens: "Tokens issued",
    sign_ins: "Sign-ins",
    sign_in_failures: "Failed sign-ins",
    refusals: "Failed requests",
  },
  more: (share: string) => `${share} more than the day before`,
  fewer: (share: string) => `${share} fewer than the day before`,
  same: "as many as the day before",
  before: (count: string) => `${count} the day before`,
  unusual: "more than usual",
  period: { label: "Period", day: "24 hours", week: "7 days", month: "30 days" },
  plots: {
    tokens: "Tokens issued",
    sign_ins: "Sign-ins by outcome",
    refusals: "Failed requests",
    moment: { day: "Hour (UTC)", week: "Six hours from (UTC)", month: "Day (UTC)" },
    table: "Show as table",
    summary: (total: string, most: string, when: string) => `${total} in total; peak of ${most} from ${when}`,
    nothing: "None in this period",
  },
  series: {
    tokens_code: "Authorization code",
    tokens_refresh: "Refresh",
    tokens_machine: "Machines",
    sign_ins: "Successful",
    sign_in_failures: "Failed",
    refusals: "Failed",
  },
  apps: {
    title: "Top apps",
    mine: "Your apps",
    app: "App",
    tokens: "Tokens",
    none: "No app got a token in this period.",
    noneOfMine:
      "No app belongs to you yet. Ask an administrator of your organization, or of this server, for one.",
    all: "All apps",
  },
  refusals: {
    title: "Latest failed requests",
    when: "When",
    reference: "Reference",
    app: "App",
    error: "Reason",
    none: "No recent failed requests.",
    all: "All failed requests",
  },
  failures: {
    title: "Latest failed sign-ins",
    when: "When",
    who: "User",
    from: "From",
    reason: "Reason",
    nobody: "an unknown address",
    none: "No recent failed sign-ins.",
    all: "All failed sign-ins",
    reasons: {
      unknown_user: "unknown address",
      wrong_password: "wrong password",
      wrong_passkey: "wrong passkey",
      wrong_totp: "wrong code of an authenticator app",
      wrong_recovery_code: "wrong recovery code",
      wrong_mail_code: "wrong code by email",
      unproved: "not confirmed by the passkey or provider",
      inactive_user: "switched off",
      throttled: "too many attempts",
      changed_meanwhile: "account changed during sign-in",
      foreign_password_over: "imported password no longer works",
    },
  },
  first: {
    title: "Three steps to the first sign-in",
    lead: "There is no app yet. As soon as one is used, its figures appear here.",
    make: {
      title: "Create an app",
      text: "An app is the registration of one of your applications, with its name, kind and redirect URIs.",
      link: "Create the first app",
    },
    values: {
      title: "Put its values into your application",
      text: (path: Printable) =>
        html`The page of the app has snippets to paste. Every library that reads ${path} discovers the rest.`,
    },
    sign_in: {
      title: "Sign in",
      text: "Try it in the Playground of the app, or from your application. The token is counted here within a second.",
    },
  },
};

export type DashboardWords = typeof dashboardWords;
