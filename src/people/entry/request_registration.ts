/**
 * Registering begins with the mailbox (SS-2): a mail brings a link, and a code for the browser that asked.
 * Until it is opened there is no account.
 */

import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import type { SignUpRule } from "../../records/formats/sign_up.ts";
import { isActive } from "../../records/names/liveness.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { findAccount } from "../core/find_account.ts";
import { storeMailedCode } from "../core/proofs/mailed_codes.ts";
import { makeProof, newProofToken } from "../core/proofs/proofs.ts";
import { countMailRequest } from "../core/throttle.ts";
import { mayRegister } from "./sign_up_rules.ts";

export interface SignUpRequest {
  /** As typed, trimmed; an address that an account may have. */
  readonly email: string;
  readonly origin: RequestOrigin;
  /** The form cookie of the browser that asks. */
  readonly browser: string;
  /** The address to continue at, path and query. */
  readonly request: string;
  readonly rules: readonly SignUpRule[];
  /** The browser's marks of earlier sign-ins (`browser_marks.ts`). */
  readonly browser_marks?: string | undefined;
}

/** The mail to the address; to that of the record where there is an account (SS-6). */
export type RegistrationMail =
  /** The code is written as people read it. */
  | { readonly type: "link"; readonly to: string; readonly token: string; readonly code: string }
  /** The address has an account. */
  | { readonly type: "account_exists" | "inactive"; readonly to: string };

/**
 * Counts a request, for known and unknown addresses alike. Returns the seconds until the next one is
 * admitted, undefined if this one is.
 */
export async function admitRegistration(
  { email, origin, browser_marks }: SignUpRequest,
  context: IdentityContext,
): Promise<number | undefined> {
  const { client_ip } = origin;
  return countMailRequest("registration", { account: email, client_ip, browser_marks }, context);
}

/**
 * The mail to the address; undefined if it may not register. The same rows are written for every address, so
 * that later work on the same server gives no hint (SS-3).
 */
export async function makeRegistrationMail(
  { email, origin, browser, request, rules }: SignUpRequest,
  context: IdentityContext,
): Promise<RegistrationMail | undefined> {
  const user = await findAccount(context.store, email);
  const may_register = (await mayRegister(email, rules, context)) && user === undefined;
  const token = newProofToken(context);
  const data = { email, request, asked_in: browser, may_register };
  await makeProof("registration", { place: token, bonds: {}, data }, context);
  const code = await storeMailedCode(
    "registration_code",
    { place: browser, bonds: { browser }, data },
    context,
  );
  context.report({
    type: "registration_request",
    outcome: may_register ? "success" : "failure",
    actor: { kind: "anonymous" },
    ...(user !== undefined && { target: { table: "users", id: user.id } }),
    origin,
    ...(!may_register && { details: { reason: user === undefined ? "not_admitted" : "known_user" } }),
  });
  if (user !== undefined) return { type: isActive(user) ? "account_exists" : "inactive", to: user.email };
  return may_register ? { type: "link", to: email, token, code } : undefined;
}
