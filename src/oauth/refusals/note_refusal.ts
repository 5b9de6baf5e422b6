/**
 * Stores refusals under a short id for some days, so the app's administrators can see the reason
 * (docs/decisions/errors.md).
 */
import { newShortId } from "../../crypto/short_ids.ts";
import type { ConcernedApp, Evidence, EvidenceSource, OAuthError } from "../../errors.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import type { LeakyBuckets, Rate } from "../../records/names/leaky_buckets.ts";
import type { Audit } from "../../storage/ports.ts";
import { truncate, withoutSecrets } from "./without_secrets.ts";

interface RefusedRequest {
  readonly endpoint: string;
  readonly error: Pick<OAuthError, "code" | "description" | "evidence" | "app">;
  readonly user_id?: string | undefined;
  readonly origin: RequestOrigin;
  readonly uncounted?: true;
}

interface Parts {
  readonly store: Pick<Audit, "increment" | "queueRefusal">;
  readonly now: () => Date;
  readonly settings: { readonly refusal_retention?: number };
  readonly memory: { readonly limits: { readonly refusals: LeakyBuckets } };
}

const usualRetention = 7;
const day = 86_400_000;

/**
 * Returns a short id for the refusal, and queues the refusal for writing unless a rate limit is exceeded.
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

/** Returns the URI that explains a refusal: the `error_uri` of RFC 6749 4.1.2.1 and 5.2. */
export function refusalUri(short_id: string, { issuer }: { readonly issuer: string }): string {
  return `${issuer}/console/refusals/${short_id}`;
}

function subjectsOf(app: ConcernedApp | undefined): (string | null)[] {
  if (app === undefined) return [null];
  return app.organization_id === null ? [null, app.id] : [null, app.id, app.organization_id];
}

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

/** Refusals cost their sender nothing, so rate limits protect the server's memory and disk. */
const ofOneApp: Rate = { size: 50, every: 2000 };
const ofAll: Rate = { size: 1000, every: 200 };
