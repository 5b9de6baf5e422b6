import { presetOf } from "../../providers/presets/all_presets.ts";
import { provesFreshSignIn, type UpstreamPrompt } from "../../providers/presets/preset.ts";
import {
  type RequestOrigin,
  type SignedIn,
  siteOf,
  sourceOf,
} from "../../records/definition/request_origin.ts";
import type { Share } from "../../records/names/leaky_buckets.ts";
import type { IdentityContext } from "../core/context/context.ts";
import { makeProof, newProofToken } from "../core/proofs/proofs.ts";
import type { Provider, ProviderPurpose } from "../core/proofs/provider_account.ts";
import { isShared } from "../core/shared_address.ts";

export interface NewProviderSignIn {
  readonly provider: Provider;
  readonly purpose: ProviderPurpose;
  readonly browser: string;
  readonly signedIn: SignedIn | undefined;
  readonly request: string;
  /** The callback URL, which only this provider uses (EP-4). */
  readonly redirect_uri: string;
  /** From the pending authorization request (EP-15). */
  readonly prompt?: UpstreamPrompt | undefined;
  /** From the pending authorization request, in seconds. */
  readonly max_age?: number | undefined;
  readonly login_hint?: string | undefined;
  readonly failures: number;
  readonly keep?: boolean | undefined;
  readonly origin: RequestOrigin;
}

type BeginOutcome =
  | { readonly type: "redirect"; readonly url: string }
  /** A fresh sign-in is required, but the provider would not prove one (EP-15). */
  | { readonly type: "cannot_freshen" }
  /** `retry_after` in seconds. */
  | { readonly type: "throttled"; readonly retry_after: number };

/**
 * Stores the state that binds the sign-in to this browser, and returns the URL to which the browser is
 * redirected (EP-3). Each attempt has its own `state`, so several tabs work. Throws `UpstreamError` if the
 * provider's metadata is unavailable.
 */
export async function beginProviderSignIn(
  requested: NewProviderSignIn,
  context: IdentityContext,
): Promise<BeginOutcome> {
  const { provider, purpose, browser, signedIn, request, redirect_uri, failures, keep, origin } = requested;
  const { provider_client: client, now } = context;
  if (client === undefined) throw new TypeError("this server has no client for external providers");
  const fresh = freshness(requested);
  if (fresh === "impossible") return { type: "cannot_freshen" };
  if (!isAdmitted("start", origin.client_ip, context)) return { type: "throttled", retry_after: pause };
  const [state, nonce, code_verifier] = [newToken(), newToken(), newToken()];
  const binding = { state, nonce, code_verifier, redirect_uri };
  const url = await client.begin(provider, {
    ...binding,
    ...(fresh.prompt !== undefined && { prompt: fresh.prompt }),
    ...(fresh.max_age !== undefined && { max_age: fresh.max_age }),
    ...(requested.login_hint !== undefined && { login_hint: requested.login_hint }),
  });
  // The later check of `auth_time` allows for clock skew.
  const fresh_since = fresh.max_age === undefined ? undefined : now().getTime() - fresh.max_age * 1000;
  await makeProof(
    "upstream",
    {
      place: state,
      user: purpose === "sign_in" ? undefined : signedIn?.user,
      bonds: { browser, session: signedIn?.session.id ?? "", provider: provider.slug, request },
      data: { purpose, nonce, code_verifier, redirect_uri, fresh_since, failures, ...(keep && { keep }) },
    },
    context,
  );
  const bonds = { provider: provider.slug };
  await makeProof("upstream_request", { place: state, bonds, data: { request } }, context);
  return { type: "redirect", url };

  function newToken(): string {
    return newProofToken(context);
  }
}

/**
 * `max_age` makes the provider return `auth_time`. The result is `impossible` if no response of the provider
 * would prove a fresh sign-in.
 */
function freshness({
  provider,
  purpose,
  prompt,
  max_age,
}: NewProviderSignIn):
  | "impossible"
  | { readonly prompt: UpstreamPrompt | undefined; readonly max_age: number | undefined } {
  const preset = presetOf(provider);
  const wanted = purpose === "sudo" ? "login" : prompt;
  const age = wanted === "login" ? 0 : max_age;
  if (age !== undefined && !provesFreshSignIn(preset)) return "impossible";
  const isHonoured = wanted !== undefined && preset.honours.prompts.includes(wanted);
  return { prompt: isHonoured ? wanted : undefined, max_age: age };
}

/**
 * Limits on started sign-ins and on form responses, because each writes a row and costs its sender nothing.
 * `every` is in milliseconds.
 */
const rates = { site: { size: 40, every: 3000 }, all: { size: 1000, every: 50 } } as const;
/** Seconds to wait after sign-ins exceed `rates`. */
const pause = 10;

/** Returns whether `rates` admit one more started sign-in or form response. */
export function isAdmitted(
  what: "start" | "form",
  client_ip: string | null,
  context: IdentityContext,
): boolean {
  const { memory, throttle, now } = context;
  if (!throttle) return true;
  const shares: Share[] = [
    ...(isShared(client_ip, context)
      ? []
      : [[`${what} site ${siteOf(client_ip) ?? sourceOf(client_ip)}`, rates.site] as const]),
    [`${what} all`, rates.all],
  ];
  return memory.limits.provider_sign_ins(shares, now()) === undefined;
}
