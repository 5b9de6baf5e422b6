/** The first half of a registration: proving the mailbox (SS-2). */

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
  readonly email: string;
  readonly origin: RequestOrigin;
  readonly browser: string;
  readonly request: string;
  readonly rules: readonly SignUpRule[];
  readonly browser_marks?: string | undefined;
}

/** The stored address of an existing account gets the email, rather than the typed one (SS-6). */
type RegistrationMail =
  | { readonly type: "link"; readonly to: string; readonly token: string; readonly code: string }
  | { readonly type: "account_exists" | "inactive"; readonly to: string };

/**
 * Counts a request, whether or not an account has the email address. Returns the seconds to wait; undefined
 * if it may proceed.
 */
export async function admitRegistration(
  { email, origin, browser_marks }: SignUpRequest,
  context: IdentityContext,
): Promise<number | undefined> {
  const { client_ip } = origin;
  return countMailRequest("registration", { account: email, client_ip, browser_marks }, context);
}

/**
 * Returns the email that follows a registration request; undefined if no account has the typed address and
 * it may not register. The same rows are written for every address, so the server's work does not reveal
 * whether an account exists (SS-3).
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
