import { html, type Printable } from "../../html/html.ts";

export const providerWords = {
  continueWith: (provider: string) => `Continue with ${provider}`,
  lastUsed: "Last used",
  or: "or",
  otherWays: "Other ways to sign in",
  tryAgain: "Try again",
  begin: (provider: string) => `Sign in with ${provider}`,
  back: "Back",
  reference: "For the administrator",
  newAccount: {
    title: "Create your account",
    lead: (provider: Printable) =>
      html`You signed in with ${provider}, and there is no account for you here yet. This account will be created:`,
    email: "Email",
    provider: "You sign in with",
    account: "Account there",
    memberOf: "Member of",
    byLink: (organization: Printable) =>
      html`You have an invitation to ${organization}. To join, open the link in its email when the account exists.`,
    name: "Name",
    nameError: "Enter a name.",
    emailError: "Accounts here cannot have this email address. Sign in another way.",
    submit: "Create the account",
    cancel: "Cancel",
    existing: "I already have an account here",
  },
  prove: {
    title: "Do you already have an account?",
    lead: (provider: Printable) =>
      html`You signed in at ${provider}. That account is not linked to an account here yet.`,
    signIn: "Sign in as usual",
    signInLead: "Then you can link the two accounts.",
    noMail:
      "This server cannot create an account for you, because it sends no email and so cannot confirm your address. If you have no account here, ask an administrator for one.",
    mailLead: "Or confirm your email address:",
    email: "Email",
    send: "Send a code",
    code: "Code from the email",
    codeLead: (email: Printable, time: string) => html`We sent a code to ${email}. It works for ${time}.`,
    useCode: "Continue",
    sendAgain: "Send another code",
  },
  failures: {
    email: "Enter an email address.",
    wrong_code: "Wrong code. Check the email again.",
    code_ended: "This code has expired. Send another code.",
    throttled: "Too many requests. Try again in a few minutes.",
    no_mail: "This server does not send email. Sign in as usual.",
  },
  offerLink: {
    title: "Link these accounts?",
    lead: (provider: Printable, email: Printable) =>
      html`Then you can also sign in as ${email} with your account at ${provider}.`,
    organization: (provider: Printable, organization: Printable) =>
      html`${provider} of ${organization} could then sign you in, and administrators of ${organization} could sign in as you.`,
    account: "Account there",
    submit: "Link",
    skip: "Do not link",
  },
  ask_to_switch: {
    title: "Sign in as another user?",
    lead: (present: Printable, other: Printable) =>
      html`You are signed in as ${present}. This account belongs to ${other}.`,
    submit: (other: Printable) => html`Continue as ${other}`,
    stay: (present: Printable) => html`Stay signed in as ${present}`,
  },
  goOn: {
    title: "Almost there",
    lead: (provider: Printable) => html`You have returned from ${provider}.`,
    submit: "Continue",
  },
  refusals: {
    failed: {
      title: "Sign-in failed",
      message: (provider: string) => `Signing in with ${provider} failed.`,
      hint: "Try again, or sign in another way.",
    },
    unreachable: {
      title: "No response",
      message: (provider: string) => `${provider} is not responding.`,
      hint: "Sign in another way, or try again later.",
    },
    not_fresh: {
      title: "Please sign in again",
      message: (provider: string) => `You had to sign in again, but ${provider} did not ask you to.`,
      hint: "Try again, or sign in another way.",
    },
    cannot_freshen: {
      title: "Sign in another way",
      message: (provider: string) =>
        `The application needs a new sign-in, and ${provider} cannot ask you for one.`,
      hint: "Use your password or a passkey. If you have neither, sign in to your account first and add one there.",
    },
    unsolicited: {
      title: "Start the sign-in here",
      message: (provider: string) =>
        `This response from ${provider} does not match a sign-in in this browser.`,
      hint: "The sign-in took too long, or was started in another browser. Start it here.",
    },
    void: {
      title: "Start the sign-in again",
      message: (provider: string) => `Your account at ${provider} was linked or unlinked in the meantime.`,
      hint: "Start again to confirm.",
    },
    no_account: {
      title: "No account here yet",
      message: (provider: string) => `You cannot create an account here with ${provider} alone.`,
      hint: "Sign in another way if you have an account, or ask an administrator for one.",
    },
    refuse_inactive: {
      title: "You cannot sign in",
      message: (provider: string) =>
        `The account here that is linked to this account at ${provider} is switched off.`,
      hint: "Sign in with another account, or ask an administrator.",
    },
    beyond_reach: {
      title: "Sign in another way",
      message: (provider: string) => `${provider} cannot sign you in to this account.`,
      hint: "The provider belongs to an organization, and signs in only members of that organization who administer nothing else.",
    },
    linked_elsewhere: {
      title: "Not linked",
      message: (provider: string) => `This account at ${provider} is linked to another account here.`,
      hint: "Use a different account at the provider, or sign in to the other account here and unlink this one first.",
    },
    other_account: {
      title: "Not your linked account",
      message: (provider: string) => `This is not the account at ${provider} that is linked to yours.`,
      hint: "Try again with that account.",
    },
    throttled: {
      title: "One moment, please",
      message: (provider: string) => `Too many sign-ins with ${provider} were started.`,
      hint: "Try again in a few seconds.",
    },
  },
  linking: {
    title: "Link another account",
    lead: "You can then sign in with it.",
    link: (provider: string) => `Link ${provider}`,
    lastWay: "This is your only way to sign in",
    lastWayLead: "Set a password, add a passkey or link another account first.",
  },
  mail: {
    subject: (server: string) => `Your code for ${server}`,
    lead: (server: string, provider: string) =>
      `Use this code to confirm your address at ${server} for an account at ${provider}:`,
    minutes: (time: string) => `It works for ${time}. Type it only into the page that requested it.`,
    other: "If this was not you, ignore this email. Nothing happens without the code.",
  },
};

export type ProviderWords = typeof providerWords;
