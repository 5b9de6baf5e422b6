import type { Session, User } from "../../records/definition/definition.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import { isMailable, isSameMailbox } from "../../records/names/email.ts";
import {
  authenticationClaims,
  hasSecondFactor,
  methodsOf,
  mfaAcr,
  reachesAcr,
  type SignInMethod,
} from "../../records/names/sign_in_methods.ts";
import { isOfOrganization } from "../../records/rules/provider_reach.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { type Entered, type Entrance, enter } from "../core/enter.ts";
import { findAccount } from "../core/find_account.ts";
import type { IsInviterActive } from "../core/is_invited.ts";
import type { OpenProof } from "../core/proofs/proofs.ts";
import type { Provider, ProviderPurpose, ReturnedAccount } from "../core/proofs/provider_account.ts";
import { addMethods, rememberChoice } from "../core/sessions.ts";
import { findLink, linkAccount, makeLinkedUser, updateLink } from "./linked_accounts.ts";
import { type KnownAccount, nextStep, type Situation, type Step } from "./next_step.ts";
import { isWithinReach, type Joining, maySignUp } from "./provider_people.ts";

export interface Returned {
  readonly provider: Provider;
  readonly account: ReturnedAccount;
  readonly purpose: ProviderPurpose;
  readonly entrance: Omit<Entrance, "user" | "methods">;
  readonly signedIn: SignedIn | undefined;
  readonly continue_at: string;
  readonly proof?: OpenProof<"provider_account"> | undefined;
}

type RequestedStep = Exclude<Step, DoneStep>;
type DoneStep = "enter" | "link_signed_in" | "link_account" | "ask_second_factor" | "step_up";

type StepOutcome =
  | { readonly type: "entered"; readonly entered: Entered; readonly linked?: User | undefined }
  | { readonly type: "linked"; readonly user: User }
  | {
      readonly type: "joined";
      readonly user: User;
      readonly opened: { readonly cookie: string; readonly session: Session } | undefined;
    }
  | { readonly type: "proving"; readonly entered: Entered }
  | { readonly type: "stepped_up"; readonly cookie: string; readonly session: Session }
  | { readonly type: "void" }
  | { readonly type: RequestedStep };

export async function stepOf(
  returned: Pick<Returned, "provider" | "account" | "purpose" | "signedIn">,
  context: IdentityContext,
): Promise<{ readonly step: Step; readonly user: User | undefined; readonly found: Found }> {
  const found = await look(returned, context);
  return { step: nextStep(found.situation), user: found.user, found };
}

interface Found {
  readonly situation: Situation;
  readonly user: User | undefined;
}

async function look(
  { provider, account, purpose, signedIn }: Pick<Returned, "provider" | "account" | "purpose" | "signedIn">,
  context: IdentityContext,
): Promise<Found> {
  const { store, now } = context;
  const reaches = (user: User | undefined) =>
    user === undefined ? true : isWithinReach(provider, user, store, now());
  const link = await findLink(provider, account, store);
  const linked = link && (await store.find("users", { id: link.user_id }));
  const email = addressOf(account);
  const known = email === undefined ? undefined : await findAccount(store, email);
  const situation: Situation = {
    purpose,
    linked: link && {
      user_id: link.user_id,
      active: linked?.active === true,
      within_reach: await reaches(linked),
    },
    signed_in: signedIn?.user.id,
    signed_in_within_reach: await reaches(signedIn?.user),
    signed_in_since: signedIn !== undefined && (await hasProvedSince(signedIn, account, context)),
    has_email: email !== undefined,
    verdict: account.verdict,
    proved_email: account.proved_email !== undefined,
    account: known && {
      ...(await knownAccount(known, context)),
      same_mailbox: email !== undefined && isSameMailbox(known.email, email),
      within_reach: await reaches(known),
    },
    link: provider.link,
    may_sign_up: email !== undefined && (await maySignUp(email, provider, store, now())),
  };
  return { situation, user: linked ?? known };
}

/**
 * Returns the email address that counts for this sign-in: the one that the user proved, otherwise the
 * provider's.
 */
export function addressOf({ proved_email, email }: ReturnedAccount): string | undefined {
  if (proved_email !== undefined) return proved_email;
  return email !== undefined && isMailable(email) ? email : undefined;
}

/**
 * Returns whether the user gave every required factor after the return from the provider. A remembered
 * browser does not replace the second factor (MF-13).
 */
async function hasProvedSince(
  { session, user }: SignedIn,
  { returned_at }: ReturnedAccount,
  { store }: IdentityContext,
): Promise<boolean> {
  const since = methodsOf(session).filter(({ at }) => at >= returned_at);
  // Whether another provider really reauthenticated the user is checked when the link is created (SU-6).
  const acr = authenticationClaims(since)?.acr;
  if (reachesAcr(acr, mfaAcr)) return true;
  if (acr !== undefined && !hasSecondFactor(await store.enrolledMethods(user))) return true;
  const kinds = new Set(since.map(({ kind }) => kind));
  // A mailed code may replace the first factor, if a second factor followed.
  kinds.delete("password");
  kinds.delete("provider");
  return kinds.has("mail_code") && kinds.size > 1;
}

async function knownAccount(
  user: User,
  { store }: IdentityContext,
): Promise<Omit<KnownAccount, "same_mailbox" | "within_reach">> {
  const enrolled = await store.enrolledMethods(user);
  const links = await store.count("oauth_accounts", { user_id: user.id });
  const keys = await store.count("api_keys", { user_id: user.id, revoked: false });
  const second_factor = hasSecondFactor(enrolled);
  return {
    id: user.id,
    active: user.active,
    email_verified: user.email_verified_at !== null,
    second_factor,
    administrator: user.is_platform_admin,
    bare: !second_factor && links === 0 && keys === 0,
  };
}

/** Takes the step if it needs no answer from the user; otherwise returns which step it is. */
export async function takeStep(returned: Returned, context: IdentityContext): Promise<StepOutcome> {
  const { provider, account, signedIn, entrance, proof } = returned;
  const { step, user } = await stepOf(returned, context);
  switch (step) {
    case "enter":
      return enterThroughLink(returned, context);
    case "step_up":
      return stepUp(returned, context);
    case "ask_second_factor": {
      if (user === undefined) return { type: "prove" };
      const methods: readonly SignInMethod[] = [
        { kind: "mail_code", credential: null, at: context.now().getTime() },
      ];
      const request = returned.continue_at;
      const { keep } = account;
      const entered = await enter({ ...entrance, request, user, methods, keep }, context);
      return { type: "proving", entered };
    }
    case "link_signed_in": {
      if (signedIn === undefined) return { type: "prove" };
      const input = { provider, account, origin: entrance.origin, asked_in: signedIn, proof };
      const made = await linkAccount(signedIn.user, input, { proved_email: false }, context);
      if (made.type === "linked") return { type: "linked", user: made.user };
      return made.type === "changed" ? afterChange(returned, context) : made;
    }
    case "link_account":
      return user === undefined ? { type: "prove" } : linkAndEnter(user, returned, false, context);
    default:
      return { type: step };
  }
}

export type Answer =
  | { readonly type: "switch" }
  | { readonly type: "link" }
  | {
      readonly type: "create";
      readonly name: string;
      /** As the page announced it (EP-10). */
      readonly joining?: Joining | undefined;
      readonly isInviterActive: IsInviterActive;
    };

export type AnswerOutcome = StepOutcome | { readonly type: "refused"; readonly field: "name" | "email" };

/** Applies the user's answer if the question is still the same; otherwise continues with the current step. */
export async function answerStep(
  answer: Answer,
  returned: Returned,
  context: IdentityContext,
): Promise<AnswerOutcome> {
  const { provider, account, signedIn, entrance, proof } = returned;
  const { step, user } = await stepOf(returned, context);
  const input = { provider, account, origin: entrance.origin, proof };
  if (answer.type === "switch" && step === "ask_to_switch") return enterThroughLink(returned, context);
  if (answer.type === "link" && step === "offer_link" && signedIn !== undefined) {
    const requested = { ...input, asked_in: signedIn };
    const made = await linkAccount(signedIn.user, requested, { proved_email: false }, context);
    if (made.type === "linked_elsewhere") return made;
    if (made.type === "changed") return afterChange(returned, context);
    const added = await addMethods(signedIn, [methodOf(made.link.id, returned)], context);
    const { satisfied_request } = entrance;
    if (added !== undefined && satisfied_request !== undefined) {
      await rememberChoice(added.signedIn, satisfied_request, context);
    }
    const opened = added && { cookie: added.cookie, session: added.signedIn.session };
    return { type: "joined", user: made.user, opened };
  }
  const isProved = step === "offer_proved" || step === "offer_take_over";
  if (answer.type === "link" && isProved && user !== undefined) {
    return linkAndEnter(user, returned, step === "offer_take_over", context);
  }
  const email = addressOf(account);
  if (answer.type === "create" && step === "offer_new_account" && email !== undefined) {
    const { name, joining, isInviterActive } = answer;
    const made = await makeLinkedUser({ ...input, name, email, joining, isInviterActive }, context);
    if (made.type === "refused") return made;
    if (made.type === "linked_elsewhere") return made;
    return made.type === "linked" ? enterThroughLink(returned, context) : takeStep(returned, context);
  }
  return takeStep(returned, context);
}

async function linkAndEnter(
  user: User,
  returned: Returned,
  take_over: boolean,
  context: IdentityContext,
): Promise<StepOutcome> {
  const { provider, account, entrance, proof } = returned;
  const input = { provider, account, origin: entrance.origin, proof };
  const proved_email = account.proved_email !== undefined;
  const made = await linkAccount(user, input, { proved_email, take_over }, context);
  if (made.type === "linked_elsewhere") return made;
  if (made.type === "changed") return afterChange(returned, context);
  return enterThroughLink(returned, context, made.user);
}

async function afterChange(returned: Returned, context: IdentityContext): Promise<StepOutcome> {
  const { provider, account } = returned;
  const link = await findLink(provider, account, context.store);
  return link === undefined ? { type: "void" } : takeStep(returned, context);
}

function methodOf(
  link_id: string,
  { provider, account }: Pick<Returned, "provider" | "account">,
): SignInMethod {
  const { at, undated, amr, session_ends_at, upstream_sid } = account;
  return {
    kind: "provider",
    credential: link_id,
    at,
    ...(isOfOrganization(provider) && { of_organization: true }),
    ...(undated && { undated }),
    ...(amr !== undefined && { amr }),
    ...(session_ends_at !== undefined && { ends_at: session_ends_at }),
    ...(upstream_sid !== undefined && { upstream_sid }),
  };
}

async function enterThroughLink(
  returned: Returned,
  context: IdentityContext,
  linked?: User,
): Promise<StepOutcome> {
  const { provider, account, entrance } = returned;
  const { store } = context;
  const link = await findLink(provider, account, store);
  const user = link && (await store.find("users", { id: link.user_id }));
  if (link === undefined || user === undefined) return { type: "prove" };
  if (!user.active) return { type: "refuse_inactive" };
  await updateLink(link, user, { provider, account, origin: entrance.origin }, context);
  const methods = [methodOf(link.id, returned)];
  const { keep } = account;
  return { type: "entered", entered: await enter({ ...entrance, user, methods, keep }, context), linked };
}

async function stepUp(returned: Returned, context: IdentityContext): Promise<StepOutcome> {
  const { provider, account, signedIn, entrance } = returned;
  const link = await findLink(provider, account, context.store);
  if (link === undefined || signedIn === undefined) return { type: "other_account" };
  await updateLink(link, signedIn.user, { provider, account, origin: entrance.origin }, context);
  const added = await addMethods(signedIn, [methodOf(link.id, returned)], context);
  if (added === undefined) return { type: "other_account" };
  const actor = { kind: "user", id: signedIn.user.id } as const;
  context.report({ type: "step_up", outcome: "success", actor, origin: entrance.origin });
  return { type: "stepped_up", cookie: added.cookie, session: added.signedIn.session };
}
