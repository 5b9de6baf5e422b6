/**
 * Refusals with a short id, kept for a while so that the app's administrators can see why
 * (docs/decisions/errors.md).
 */
import { newShortId } from "../../crypto/short_ids.ts";
import type { ConcernedApp, Evidence, EvidenceSource, OAuthError } from "../../errors.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import type { LeakyBuckets, Rate } from "../../records/names/leaky_buckets.ts";
import type { Audit } from "../../storage/ports.ts";
import { truncate, withoutSecrets } from "./without_secrets.ts";

/** What was refused to whom. */
export interface RefusedRequest {
  /** The path of the endpoint, as it is registered. */
  readonly endpoint: string;
  readonly error: Pick<OAuthError, "code" | "description" | "evidence" | "app">;
  /** Who was signed in. */
  readonly user_id?: string | undefined;
  readonly origin: RequestOrigin;
  /** It is counted as something else already. */
  readonly uncounted?: true;
}

interface Parts {
  readonly store: Pick<Audit, "increment" | "queueRefusal">;
  readonly now: () => Date;
  readonly settings: { readonly refusal_retention?: number };
  readonly memory: { readonly limits: { readonly refusals: LeakyBuckets } };
}

/** Days. */
const usualRetention = 7;
const day = 86_400_000;

/**
 * Gives the refusal a short id and has it written within a second, unless too many came: then the id stands
 * for nothing. Costs the refused caller no look-up; evidence that takes one is gathered behind the answer.
 * Never throws.
 */
export function recordRefusal(refused: RefusedRequest, { store, now, settings, memory }: Parts): string {
  const short_id = newShortId();
  const created_at = now();
  const { endpoint, error, user_id, origin, uncounted } = refused;
  const { app } = error;
  if (!uncounted) store.increment("refusals", subjectsOf(app), created_at);
  const shares = [[`app ${app?.id ?? ""}`, ofOneApp] as const, ["all", ofAll] as const];
  if (memory.limits.refusals(shares, created_at) !== undefined) return short_id;
  const retention = (settings.refusal_retention ?? usualRetention) * day;
  gather(error.evidence, (evidence) =>
    store.queueRefusal({
      short_id,
      endpoint,
      error: error.code,
      description: truncate(error.description),
      app_id: app?.id ?? null,
      user_id: user_id ?? null,
      evidence: withoutSecrets(evidence),
      request_id: origin.request_id,
      client_ip: origin.client_ip,
      user_agent: origin.user_agent,
      created_at,
      expires_at: new Date(created_at.getTime() + retention),
    }),
  );
  return short_id;
}

/** Where a refusal is explained: the `error_uri` of RFC 6749 4.1.2.1 and 5.2. */
export function refusalUri(short_id: string, { issuer }: { readonly issuer: string }): string {
  return `${issuer}/console/refusals/${short_id}`;
}

function subjectsOf(app: ConcernedApp | undefined): (string | null)[] {
  if (app === undefined) return [null];
  return app.organization_id === null ? [null, app.id] : [null, app.id, app.organization_id];
}

/**
 * Hands the evidence over, at once where nothing must be waited for. A refusal whose evidence cannot be had
 * is kept without.
 */
function gather(source: EvidenceSource, keep: (evidence: readonly Evidence[]) => void): void {
  const without = () => keep([]);
  try {
    const found = source();
    if (found instanceof Promise) void found.then(keep).catch(without);
    else keep(found);
  } catch {
    without();
  }
}

/**
 * Refusals cost their sender nothing, so they may not fill the memory or the disk of ours: a share for each
 * app, and one for all.
 */
const ofOneApp: Rate = { size: 50, every: 2000 };
const ofAll: Rate = { size: 1000, every: 200 };
