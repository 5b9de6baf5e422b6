import { sessionBounds } from "../records/formats/session_limits.ts";
import { extraSignIn, selfServices, signUpPolicies } from "../records/names/names.ts";
import { mailDomains } from "./mail_addresses.ts";
import { moment, namesFrom, oneOf, wholeNumber } from "./parsers.ts";
import type { Setting } from "./setting.ts";
import { addressRanges } from "./web_addresses.ts";

export const signInSettings = {
  extra_sign_in: {
    name: "POSTERN_EXTRA_SIGN_IN",
    meaning:
      "comma-separated authenticators that users may add to the password: passkey (passkeys and security keys), totp (authenticator apps)",
    parse: namesFrom(extraSignIn, "extra authenticator"),
  },
  sign_up: {
    name: "POSTERN_SIGN_UP",
    default: "closed",
    meaning:
      "who may register an account: closed (no user), invited (users with an invitation), domains (email addresses in POSTERN_SIGN_UP_DOMAINS) or open (all users). All except closed need POSTERN_SMTP_URL",
    parse: oneOf(signUpPolicies),
  },
  sign_up_domains: {
    name: "POSTERN_SIGN_UP_DOMAINS",
    meaning: "comma-separated domains of the email addresses that may register if POSTERN_SIGN_UP is domains",
    parse: mailDomains,
  },
  self_service: {
    name: "POSTERN_SELF_SERVICE",
    meaning:
      "comma-separated actions that users may take themselves: email (change their email address), export (download their data), deletion (delete their account)",
    parse: namesFrom(selfServices, "self-service"),
  },
  password_length: {
    name: "POSTERN_PASSWORD_LENGTH",
    default: "8",
    meaning:
      "minimum characters of a new password, 8 to 64; NIST SP 800-63B-4 requires 15 without a second factor",
    parse: wholeNumber(8, 64),
  },
  session_max_age: {
    name: "POSTERN_SESSION_MAX_AGE",
    default: "604800",
    meaning: `seconds from a sign-in to the end of its session, ${sessionBounds.min} to ${sessionBounds.max}; an organization can shorten it`,
    parse: wholeNumber(sessionBounds.min, sessionBounds.max),
  },
  session_idle: {
    name: "POSTERN_SESSION_IDLE",
    default: "43200",
    meaning: "seconds without use after which a session ends, 300 to 31536000",
    parse: wholeNumber(sessionBounds.min, sessionBounds.max),
  },
  notify_on_expiry: {
    name: "POSTERN_NOTIFY_ON_EXPIRY",
    default: "off",
    meaning:
      "on also sends apps a sign-out notice when a session expires. Needs logout_notices in POSTERN_EXTRA_FEATURES",
    parse: oneOf(["on", "off"]),
  },
  session_remember_days: {
    name: "POSTERN_SESSION_REMEMBER_DAYS",
    default: "0",
    meaning:
      "days, 365 at most, that a session lasts if its user ticks “Keep me signed in”, even without use; 0 removes this checkbox. Platform administrators cannot use it",
    parse: wholeNumber(0, 365),
  },
  remember_device_days: {
    name: "POSTERN_REMEMBER_DEVICE_DAYS",
    default: "0",
    meaning:
      "days, 365 at most, for which users can let Postern remember a browser, so sign-ins there need no second factor; 0 switches this off",
    parse: wholeNumber(0, 365),
  },
  recovery_delay_hours: {
    name: "POSTERN_RECOVERY_DELAY_HOURS",
    default: "72",
    meaning:
      "hours, 720 at most, that users must wait to replace lost second factors or remove lost passkeys themselves; 0 switches this recovery off. Needs POSTERN_SMTP_URL. Platform administrators cannot use it",
    parse: wholeNumber(0, 720),
  },
  foreign_passwords_until: {
    name: "POSTERN_FOREIGN_PASSWORDS_UNTIL",
    meaning:
      "time, such as 2027-01-31T00:00:00Z, from which users can no longer sign in with an imported password that they have never used here. If they enter it correctly, they get an email with a link to set a new one",
    parse: moment,
  },
  address_sign_ins: {
    name: "POSTERN_ADDRESS_SIGN_INS",
    default: "50",
    meaning:
      "failed sign-ins, 10 to 100000, that one IPv4 address or IPv6 /64 may cause in 15 minutes. After that, users at this address must wait, except in browsers in which they signed in before. Each account that signs in from the address raises the limit",
    parse: wholeNumber(10, 100_000),
  },
  address_mails: {
    name: "POSTERN_ADDRESS_MAILS",
    default: "20",
    meaning:
      "emails of one kind, such as registrations, 5 to 100000, that one IPv4 address or IPv6 /64 may request in 15 minutes. Each account that signs in from the address raises the limit",
    parse: wholeNumber(5, 100_000),
  },
  shared_networks: {
    name: "POSTERN_SHARED_NETWORKS",
    meaning:
      "comma-separated IP addresses and CIDR ranges that many people share, such as a school's. The limits per IP address do not apply to them",
    parse: addressRanges,
  },
} satisfies Record<string, Setting<unknown>>;
