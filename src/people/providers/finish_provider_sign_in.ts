import type { EmailAssurance } from "../../providers/email_assurance.ts";
import { presetOf } from "../../providers/presets/all_presets.ts";
import { provesFreshSignIn } from "../../providers/presets/preset.ts";
import type { UpstreamAnswer } from "../../providers/upstream.ts";
import { UpstreamError } from "../../providers/upstream_error.ts";
import type { UpstreamIdentity } from "../../providers/upstream_identity.ts";
import type { RequestOrigin, SignedIn } from "../../records/definition/request_origin.ts";
import { clocksDiffer } from "../../records/names/liveness.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { makeProof, openProof, redeemProof } from "../core/proofs/proofs.ts";
import type { Provider, ProviderPurpose, ReturnedAccount } from "../core/proofs/provider_account.ts";
import { isAdmitted } from "./begin_provider_sign_in.ts";

interface ReturnedAnswer {
  readonly provider: Provider;
  readonly answer: UpstreamAnswer;
  readonly browser: string | undefined;
  readonly signedIn: SignedIn | undefined;
}

export type FinishOutcome =
  | { readonly type: "unsolicited"; readonly request: string | undefined }
  | { readonly type: "cancelled"; readonly request: string; readonly purpose: ProviderPurpose }
  | {
      readonly type: "failed";
      readonly error: UpstreamError;
      readonly request: string;
      readonly purpose: ProviderPurpose;
      readonly failures: number;
    }
  | {
      readonly type: "came_back";
      readonly account: ReturnedAccount;
      readonly purpose: ProviderPurpose;
    };

/**
 * Handles the return of a user from a provider (EP-4). The `state` is consumed before any request to the
 * provider, so that only one of several callbacks continues (EP-3).
 */
export async function finishProviderSignIn(
  { provider, answer, browser, signedIn }: ReturnedAnswer,
  context: IdentityContext,
): Promise<FinishOutcome> {
  const { provider_client: client, store, now } = context;
  if (client === undefined) throw new TypeError("this server has no client for external providers");
  const { slug } = provider;
  const state = answer.state ?? "";
  const begun = await openProof("upstream_request", state, { provider: slug }, context);
  if (begun === undefined) return { type: "unsolicited", request: undefined };
  const { request } = begun.data;
  const bonds = { browser: browser ?? "", session: signedIn?.session.id ?? "", provider: slug, request };
  const journey = await openProof("upstream", state, bonds, context);
  if (journey === undefined || !(await store.transaction((tx) => redeemProof(tx, journey)))) {
    return { type: "unsolicited", request };
  }
  const { purpose, fresh_since, failures, keep, ...binding } = journey.data;
  try {
    const identity = await client.finish(provider, answer, {
      ...binding,
      state,
      slug,
      ...(fresh_since !== undefined && { fresh_since: new Date(fresh_since) }),
    });
    const account = accountOf(identity, provider, request, now());
    return { type: "came_back", purpose, account: { ...account, ...(keep && { keep }) } };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    if (error.kind === "cancelled") return { type: "cancelled", request, purpose };
    return { type: "failed", error, request, purpose, failures: failures + 1 };
  }
}

/** How long after the sign-in at the provider its `amr` claim counts, in milliseconds (EP-14). */
const freshAmr = 300_000;

function accountOf(
  { subject, email, email_assurance, name, amr, auth_time, tokens, ...identity }: UpstreamIdentity,
  provider: Provider,
  request: string,
  now: Date,
): ReturnedAccount {
  const { session_expiry, sid, attributes } = identity;
  const returned_at = now.getTime();
  const at = Math.min(auth_time?.getTime() ?? returned_at, returned_at);
  const isDated = auth_time !== undefined && provesFreshSignIn(presetOf(provider));
  const isFresh = auth_time !== undefined && returned_at - at <= freshAmr;
  return {
    provider_id: provider.id,
    subject,
    email,
    verdict: trustedAssurance(provider, email_assurance),
    name,
    amr: provider.trust_amr && isFresh ? amr : undefined,
    at,
    ...(!isDated && { undated: true }),
    ...(session_expiry !== undefined && {
      session_ends_at: Math.max(session_expiry.getTime(), returned_at + clocksDiffer),
    }),
    ...(sid !== undefined && { upstream_sid: sid }),
    ...(attributes !== undefined && { attributes }),
    returned_at,
    request,
    tokens: provider.keep_tokens
      ? {
          access_token: tokens.access_token,
          refresh_token: tokens.refresh_token,
          expires_at: tokens.expires_at?.getTime(),
        }
      : undefined,
  };
}

/**
 * Stores an authorization response that was posted from the provider's site and therefore without cookies
 * (EP-6). Returns false if it is not stored.
 */
export async function storeFormAnswer(
  provider: Provider,
  answer: UpstreamAnswer,
  { client_ip }: Pick<RequestOrigin, "client_ip">,
  context: IdentityContext,
): Promise<boolean> {
  if (presetOf(provider).response_mode !== "form_post") return false;
  if (!isAdmitted("form", client_ip, context)) return false;
  const bonds = { provider: provider.slug };
  const place = answer.state ?? "";
  const begun = await openProof("upstream_request", place, bonds, context);
  if (begun === undefined) return false;
  await makeProof("upstream_form", { place, bonds, data: { answer: { ...answer } } }, context);
  return true;
}

/** Returns the authorization response stored under this `state`, to one caller only. */
export async function takeFormAnswer(
  { slug }: Pick<Provider, "slug">,
  state: string,
  context: IdentityContext,
): Promise<UpstreamAnswer | undefined> {
  const proof = await openProof("upstream_form", state, { provider: slug }, context);
  if (proof === undefined) return undefined;
  const isFirst = await context.store.transaction((tx) => redeemProof(tx, proof));
  return isFirst ? proof.data.answer : undefined;
}

/** Returns how far account decisions trust a provider's email claim (EP-10). */
export function trustedAssurance(
  { email_trust }: Pick<Provider, "email_trust">,
  assurance: EmailAssurance,
): EmailAssurance {
  return assurance === "verified" && email_trust !== "claim" ? "none" : assurance;
}
