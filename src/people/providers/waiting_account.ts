import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import { isMailable, mailAddress, trimEmail } from "../../records/names/email.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { findAccount } from "../core/find_account.ts";
import { storeMailedCode, tryMailedCode } from "../core/proofs/mailed_codes.ts";
import {
  changeProof,
  dropProof,
  makeProof,
  newProofToken,
  type OpenProof,
  openProof,
  redeemProof,
} from "../core/proofs/proofs.ts";
import type { Provider, ReturnedAccount } from "../core/proofs/provider_account.ts";
import { countMailRequest } from "../core/throttle.ts";
import type { Joining } from "./provider_people.ts";

/**
 * Stores the provider account with which the user returned, and returns its cookie, which remains valid
 * across a sign-in.
 */
export async function storeAccount(
  provider: ReadProvider,
  account: ReturnedAccount,
  context: IdentityContext,
): Promise<string> {
  const browser = newProofToken(context);
  const bonds = bondsOf(browser, provider);
  await makeProof("provider_account", { place: browser, bonds, data: account }, context);
  return browser;
}

export type WaitingAccount = OpenProof<"provider_account">;

type ReadProvider = Pick<Provider, "slug" | "updated_at">;

/** A change of the provider's record may withdraw the trust in what it reported, so it ends the proof (EP-8). */
const bondsOf = (browser: string, { slug, updated_at }: ReadProvider) => ({
  browser,
  provider: `${slug} ${updated_at.toISOString()}`,
});

/** Returns the provider account that is pending in the browser with this cookie. */
export async function findWaitingAccount(
  provider: ReadProvider,
  cookie: string | undefined,
  context: IdentityContext,
): Promise<WaitingAccount | undefined> {
  if (cookie === undefined) return undefined;
  return openProof("provider_account", cookie, bondsOf(cookie, provider), context);
}

/**
 * Returns a mark for a form, which is refused if another tab has meanwhile returned with a different account
 * or request, or if the account would join the organization in another way than the page announced.
 */
export function accountMark(
  waiting: WaitingAccount,
  joining: Joining | undefined,
  { sealer }: Pick<IdentityContext, "sealer">,
): string {
  return sealer.mac("form", formPurposeOf(waiting, joining));
}

/**
 * Returns whether a form was about this provider account, request and joining. A form without a mark is
 * accepted, because `provePage` renders none.
 */
export function isAboutAccount(
  mark: string | undefined,
  waiting: WaitingAccount,
  joining: Joining | undefined,
  { sealer }: Pick<IdentityContext, "sealer">,
): boolean {
  return mark === undefined || sealer.macIs("form", formPurposeOf(waiting, joining), mark);
}

const formPurposeOf = ({ data: { subject, request } }: WaitingAccount, joining: Joining | undefined) =>
  `form about ${JSON.stringify([subject, request, joining])}`;

export async function dropAccount(cookie: string, context: IdentityContext): Promise<void> {
  await dropProof("provider_account", cookie, context);
  await dropProof("provider_mailbox", cookie, context);
}

interface CodeRequest {
  readonly email: string;
  readonly cookie: string;
  readonly origin: RequestOrigin;
  readonly browser_marks?: string | undefined;
}

type CodeOutcome =
  /** `to` is the stored email address of an existing account, otherwise the typed one (SS-6). */
  | { readonly type: "mail"; readonly to: string; readonly code: string }
  | { readonly type: "refused" }
  /** `retry_after` in seconds. */
  | { readonly type: "throttled"; readonly retry_after: number };

/** Creates a code for the mailbox of the typed email address, whether or not an account has that address. */
export async function makeMailboxCode(
  { email, cookie, origin, browser_marks }: CodeRequest,
  { data }: WaitingAccount,
  { slug }: Pick<Provider, "slug">,
  context: IdentityContext,
): Promise<CodeOutcome> {
  const typed = trimEmail(email);
  if (!isMailable(typed)) return { type: "refused" };
  const { client_ip } = origin;
  // The email counts for the mailbox that receives it, however the domain is spelled.
  const reached = mailAddress(typed);
  const guess = { account: reached, client_ip, browser_marks };
  const retry_after = await countMailRequest("mailbox of a provider", guess, context);
  if (retry_after !== undefined) return { type: "throttled", retry_after };
  const exact = await findAccount(context.store, email);
  const user = exact ?? (reached === typed ? undefined : await findAccount(context.store, reached));
  const to = user?.email ?? typed;
  const bonds = { browser: cookie, provider: slug, subject: data.subject };
  const made = { place: cookie, bonds, data: { email: to } };
  return { type: "mail", to, code: await storeMailedCode("provider_mailbox", made, context) };
}

type CodeCheck =
  | { readonly type: "right"; readonly waiting: WaitingAccount }
  | { readonly type: "wrong" }
  | { readonly type: "ended" };

export async function checkMailboxCode(
  { code: text, cookie }: { readonly code: string; readonly cookie: string },
  waiting: WaitingAccount,
  provider: ReadProvider,
  context: IdentityContext,
): Promise<CodeCheck> {
  const bonds = { browser: cookie, provider: provider.slug, subject: waiting.data.subject };
  const tried = await tryMailedCode("provider_mailbox", { place: cookie, bonds, text }, context);
  if (tried.type === "wrong") return { type: tried.last ? "ended" : "wrong" };
  // Another correct attempt may have used the code in the meantime.
  if (tried.type === "ended" || !(await redeemProof(context.store, tried.proof))) return { type: "ended" };
  const { email } = tried.proof.data;
  await changeProof(waiting, { ...waiting.data, proved_email: email }, context);
  const proved = await findWaitingAccount(provider, cookie, context);
  return proved?.data.proved_email === email ? { type: "right", waiting: proved } : { type: "ended" };
}
