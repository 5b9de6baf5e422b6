/**
 * The settings of the account lookup, which queries a legacy system for users who have not migrated yet
 * (MG-9).
 */
import { moment, oneOf, wholeNumber } from "./parsers.ts";
import type { Setting } from "./setting.ts";
import { Unfit } from "./unfit.ts";
import { docsUrl } from "./web_addresses.ts";

/** A symmetric key of Standard Webhooks has 24 to 64 bytes. */
function webhookSecret(text: string): string {
  const key = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text)?.[1];
  const { length } = Buffer.from(key ?? "", "base64");
  if (length >= 24 && length <= 64) return text;
  throw new Unfit("expected whsec_ and 24 to 64 bytes in base64, such as from openssl rand -base64 32");
}

function sourceName(text: string): string {
  if (/^[a-z0-9][a-z0-9._-]{0,63}$/.test(text)) return text;
  throw new Unfit("expected a name of lowercase letters, digits, dots, hyphens and underscores");
}

export const lookupSettings = {
  account_lookup_url: {
    name: "POSTERN_ACCOUNT_LOOKUP_URL",
    meaning:
      "https URL of a hook in front of the system that you migrate from. If an email address has no account, the server asks the hook about it",
    parse: docsUrl,
  },
  account_lookup_secret: {
    name: "POSTERN_ACCOUNT_LOOKUP_SECRET",
    secret: true,
    meaning:
      "the key that signs requests to the hook (Standard Webhooks): whsec_ and 24 to 64 bytes in base64",
    parse: webhookSecret,
  },
  account_lookup_until: {
    name: "POSTERN_ACCOUNT_LOOKUP_UNTIL",
    meaning: "time, such as 2027-01-31T00:00:00Z, from which the server no longer asks the hook",
    parse: moment,
  },
  account_lookup_send_password: {
    name: "POSTERN_ACCOUNT_LOOKUP_SEND_PASSWORD",
    default: "off",
    meaning:
      "on sends the hook the password that the user typed; with off, the server asks the hook only when a user requests a password reset",
    parse: oneOf(["on", "off"]),
  },
  account_lookup_time: {
    name: "POSTERN_ACCOUNT_LOOKUP_TIME",
    default: "800",
    meaning:
      "milliseconds, 300 to 5000, that every failed sign-in takes if the hook receives passwords. Set it above the response time of the hook, so the duration does not reveal which accounts exist",
    parse: wholeNumber(300, 5000),
  },
  account_lookup_source: {
    name: "POSTERN_ACCOUNT_LOOKUP_SOURCE",
    default: "account_lookup",
    meaning: "the name of the system that you migrate from, as in postern import --source",
    parse: sourceName,
  },
} satisfies Record<string, Setting<unknown>>;
