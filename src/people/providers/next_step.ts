/** Decides the next step after a user returns from a provider. */
import type { EmailAssurance } from "../../providers/email_assurance.ts";
import type { ProviderPurpose } from "../core/proofs/provider_account.ts";

export interface Situation {
  readonly purpose: ProviderPurpose;
  readonly linked:
    | { readonly user_id: string; readonly active: boolean; readonly within_reach: boolean }
    | undefined;
  readonly signed_in: string | undefined;
  /** Whether the provider may sign in the signed-in user (`isWithinReach`); true without a session. */
  readonly signed_in_within_reach: boolean;
  /** The user signed in after returning, with every required factor. */
  readonly signed_in_since: boolean;
  readonly has_email: boolean;
  readonly verdict: EmailAssurance;
  readonly proved_email: boolean;
  readonly account: KnownAccount | undefined;
  readonly link: string;
  /** The provider's `sign_up` allows an account for this email address. */
  readonly may_sign_up: boolean;
}

export interface KnownAccount {
  readonly id: string;
  readonly active: boolean;
  readonly email_verified: boolean;
  /** The email address is exactly that of this sign-in, rather than an equivalent spelling. */
  readonly same_mailbox: boolean;
  readonly second_factor: boolean;
  readonly administrator: boolean;
  readonly within_reach: boolean;
  readonly bare: boolean;
}

export type Step =
  | "enter"
  | "ask_to_switch"
  | "refuse_inactive"
  | "link_signed_in"
  | "link_account"
  | "ask_second_factor"
  | "already_linked"
  | "linked_elsewhere"
  | "beyond_reach"
  | "other_account"
  | "step_up"
  | "offer_link"
  | "offer_proved"
  | "offer_take_over"
  /** Shows the account to be created (EP-10). */
  | "offer_new_account"
  /** Shows every method to prove an account or the email address (EP-11). */
  | "prove"
  | "no_account";

export function nextStep(situation: Situation): Step {
  switch (situation.purpose) {
    case "link":
      return stepOfLink(situation);
    case "sudo":
      return stepOfSudo(situation);
    case "sign_in":
      return situation.linked === undefined ? stepOfUnknown(situation) : stepOfKnown(situation);
    default:
      return situation.purpose satisfies never;
  }
}

/** Another user who has linked the provider account is not revealed (EP-12). */
function stepOfLink({ linked, signed_in, signed_in_within_reach }: Situation): Step {
  if (linked === undefined) return signed_in_within_reach ? "link_signed_in" : "beyond_reach";
  return linked.user_id === signed_in ? "already_linked" : "linked_elsewhere";
}

function stepOfSudo({ linked, signed_in }: Situation): Step {
  if (linked === undefined || linked.user_id !== signed_in || !linked.active) return "other_account";
  return linked.within_reach ? "step_up" : "beyond_reach";
}

/**
 * The email address that the provider claims plays no role (EP-9). Signed-in users are asked before the
 * browser switches to another account (EP-18).
 */
function stepOfKnown({ linked, signed_in }: Situation): Step {
  if (!linked?.active) return "refuse_inactive";
  if (!linked.within_reach) return "beyond_reach";
  return signed_in !== undefined && signed_in !== linked.user_id ? "ask_to_switch" : "enter";
}

function stepOfUnknown(situation: Situation): Step {
  const { signed_in_since, has_email, verdict, proved_email, account, may_sign_up } = situation;
  if (signed_in_since) return situation.signed_in_within_reach ? "offer_link" : "beyond_reach";
  if (!has_email) return "prove";
  if (proved_email) return stepOfProved(situation);
  if (account !== undefined) return mayLinkAutomatically(situation, account) ? "link_account" : "prove";
  if (verdict === "none") return "prove";
  return may_sign_up ? "offer_new_account" : "no_account";
}

/** The mailbox is one proof of owning an account, and never replaces the account's second factor (EP-11). */
function stepOfProved({ account, may_sign_up }: Situation): Step {
  if (account === undefined) return may_sign_up ? "offer_new_account" : "no_account";
  if (!account.active) return "refuse_inactive";
  if (!account.within_reach) return "beyond_reach";
  if (account.second_factor) return "ask_second_factor";
  if (account.email_verified) return "offer_proved";
  // Another person may have created the account. A takeover ends all access of that person.
  return account.bare && !account.administrator ? "offer_take_over" : "prove";
}

/** Returns whether the provider account is linked without asking the user (EP-11). */
function mayLinkAutomatically({ link, verdict }: Situation, account: KnownAccount): boolean {
  const { active, email_verified, same_mailbox, second_factor, administrator, within_reach } = account;
  if (link !== "automatic" || verdict !== "authoritative" || !same_mailbox || !within_reach) return false;
  return active && email_verified && !second_factor && !administrator;
}
