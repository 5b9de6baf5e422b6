import { html, type Printable } from "../../html/html.ts";

/** The first page of the console. */
export const dashboardWords = {
  health: {
    title: "Health",
    overall: { fine: "Healthy", caution: "Needs attention", failure: "Not working" },
    database: { label: "Database", fine: "answers", caution: "slow", failure: "no answer" },
    key: { label: "Signing key", age: (age: string) => `${age} old`, failure: "no active key" },
    addresses: { label: "Client addresses" },
    hashing: { label: "Sign-in load", fine: "normal", caution: "high", failure: "too high" },
    mail: {
      label: "Mail",
      fine: "working",
      caution: "queue is growing",
      failure: "last mail failed",
      off: "switched off",
    },
    sweep: { label: "Cleanup", ago: (time: string) => `${time} ago`, pending: "not yet" },
  },
  advice: {
    database: {
      caution: "The database is slow to answer. Look at the load of its machine and at its disk.",
      failure: "The database does not answer. Nobody can sign in and no token is issued until it does.",
    },
    signing_key: {
      caution: "The signing key is old. Rotate it; nobody is signed out.",
      failure: "No key is active now. Create one, or tokens are signed with a key that is about to expire.",
    },
    addresses: {
      caution:
        "Nearly all people come from this one address, which looks like your proxy. Name it in POSTERN_TRUST_PROXY and let it send X-Forwarded-For; until then everybody shares the limits of one address.",
    },
    hashing: {
      caution:
        "Many passwords are waiting to be checked. Look for a flood of sign-ins, or give the server more processors.",
      failure:
        "So many passwords are waiting to be checked that people cannot sign in. Look for a flood of sign-ins.",
    },
    no_mail: {
      caution:
        "People may add passkeys or authenticator apps, and this server sends no mail: in a new browser they have to wait, and they aren't told when one is added. Set POSTERN_SMTP_URL and POSTERN_MAIL_FROM.",
    },
    mail: {
      caution: "Many mails are waiting. Look at the mail server.",
      failure:
        "The last mail could not be sent. Look at the mail server and at the log; POSTERN_SMTP_URL says which it is.",
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
    summary: (total: string, most: string, when: string) =>
      `${total} in all; the most, ${most}, from ${when}`,
    nothing: "None in this time",
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
    none: "No app got a token in this time.",
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
    who: "Who",
    from: "From",
    reason: "Reason",
    nobody: "an unknown address",
    none: "No recent failed sign-ins.",
    all: "All failed sign-ins",
    reasons: {
      unknown_user: "unknown address",
      wrong_password: "wrong password",
      inactive_user: "switched off",
      throttled: "too many attempts",
      changed_meanwhile: "changed meanwhile",
      foreign_password_over: "imported password no longer works",
    },
  },
  first: {
    title: "Three steps to the first sign-in",
    lead: "There is no app yet. As soon as one is used, its figures appear here.",
    make: {
      title: "Create an app",
      text: "An app registers one of your applications: its name, its kind, and its redirect URIs.",
      link: "Create the first app",
    },
    values: {
      title: "Put its values into your application",
      text: (path: Printable) =>
        html`The page of the app has snippets to paste. Every library that reads ${path} finds the rest by itself.`,
    },
    sign_in: {
      title: "Sign in",
      text: "Try it in the Playground of the app, or from your application. The token is counted here within a second.",
    },
  },
};

export type DashboardWords = typeof dashboardWords;
