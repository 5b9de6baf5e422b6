/** The settings of how people sign in, register and recover. */
import { extraSignIn, selfServices, signUpPolicies } from "../records/names/names.ts";
import { mailDomains } from "./mail_addresses.ts";
import { namesFrom, oneOf, wholeNumber } from "./parsers.ts";
import type { Setting } from "./setting.ts";
import { addressRanges } from "./web_addresses.ts";

export const signInSettings = {
  extra_sign_in: {
    name: "POSTERN_EXTRA_SIGN_IN",
    meaning:
      "comma-separated ways to sign in beside the password that people may enrol; available: passkey (passkeys and security keys), totp (codes of authenticator apps)",
    parse: namesFrom(extraSignIn, "extra way to sign in"),
  },
  sign_up: {
    name: "POSTERN_SIGN_UP",
    default: "closed",
    meaning:
      "who may register an account: closed (nobody), invited (people with an invitation), domains (addresses of POSTERN_SIGN_UP_DOMAINS), open (anybody); needs POSTERN_SMTP_URL",
    parse: oneOf(signUpPolicies),
  },
  sign_up_domains: {
    name: "POSTERN_SIGN_UP_DOMAINS",
    meaning: "comma-separated mail domains whose addresses may register where POSTERN_SIGN_UP is domains",
    parse: mailDomains,
  },
  self_service: {
    name: "POSTERN_SELF_SERVICE",
    meaning:
      "comma-separated: what people may do with their own account: email (change the address), export (a file of everything about them), deletion",
    parse: namesFrom(selfServices, "self-service"),
  },
  remember_device_days: {
    name: "POSTERN_REMEMBER_DEVICE_DAYS",
    default: "0",
    meaning:
      "days, 365 at most, for which people may have a browser remembered that then is not asked for their second factor; 0 is never, 30 is usual",
    parse: wholeNumber(0, 365),
  },
  recovery_delay_hours: {
    name: "POSTERN_RECOVERY_DELAY_HOURS",
    default: "72",
    meaning:
      "hours, 720 at most, after which a person who lost every second factor may set up new ones, or a lost passkey is removed for one with two other factors; with mailbox and password and never a platform administrator; 0 switches it off; needs POSTERN_SMTP_URL",
    parse: wholeNumber(0, 720),
  },
  address_sign_ins: {
    name: "POSTERN_ADDRESS_SIGN_INS",
    default: "50",
    meaning:
      "failed sign-ins within 15 minutes, 10 to 100000, from one IPv4 address or IPv6 /64 before new browsers there wait; each account that signed in there lately with its password adds 5, up to ten times as many",
    parse: wholeNumber(10, 100_000),
  },
  address_mails: {
    name: "POSTERN_ADDRESS_MAILS",
    default: "20",
    meaning:
      "requests for mails of one kind, such as registrations, within 15 minutes, 5 to 100000, from one such address; raised in the same way, up to four times as many",
    parse: wholeNumber(5, 100_000),
  },
  shared_networks: {
    name: "POSTERN_SHARED_NETWORKS",
    meaning:
      "comma-separated addresses and CIDR ranges that many people share, such as a school's: none of the limits by address holds for sign-ins, mails and registrations from there; those of accounts do",
    parse: addressRanges,
  },
} satisfies Record<string, Setting<unknown>>;
