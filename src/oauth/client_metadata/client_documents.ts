/**
 * Fetches of clients' metadata documents are rate-limited, and concurrent fetches of one document are joined
 * (PR-18, PR-19).
 */

import type { Outbound, OutboundAnswer, OutboundError } from "../../outbound/outbound.ts";
import { keepNewest } from "../../records/names/document_cache.ts";
import { leakyBuckets, type Rate, type Share } from "../../records/names/leaky_buckets.ts";
import { type ClientDocument, readClientDocument } from "./client_document.ts";
import { hostOfIdentifier } from "./client_identifier.ts";
import { type DocumentError, mostDocumentBytes } from "./document_errors.ts";

export interface FetchedDocument {
  readonly document: ClientDocument;
  readonly fetched_at: Date;
  readonly expires_at: Date;
}

/** Failures are never cached as a document (draft-ietf-oauth-client-id-metadata-document 5.2). */
export type DocumentOutcome =
  | ({ readonly type: "document" } & FetchedDocument)
  | { readonly type: "gone" }
  | { readonly type: "unfit"; readonly error: DocumentError }
  /** `retry_after` is in seconds. */
  | { readonly type: "unavailable"; readonly retry_after: number }
  /** `retry_after` is in seconds. */
  | { readonly type: "throttled"; readonly retry_after: number };

type CountedFetch = { readonly source: string; readonly site?: string | undefined } | "stored";

export interface ClientDocuments {
  /**
   * Never throws. A fetch for a stored client counts only against the rate limit of the URL. If `counted` is
   * undefined, no rate limit applies.
   */
  fetch(
    client_id: string,
    offered: readonly string[],
    counted: CountedFetch | undefined,
  ): Promise<DocumentOutcome>;
  remembered(client_id: string): FetchedDocument | undefined;
  forget(client_id: string): void;
}

/** Milliseconds for the fetch of a document (PR-19). */
const timeout = 3000;

/**
 * `address` is the URL of a document, and `host` its host. `source` is the caller's network, and `site` the
 * caller's IPv6 site.
 */
const rates = {
  address: { size: 10, every: 10_000 },
  source: { size: 20, every: 3000 },
  site: { size: 60, every: 1000 },
  host: { size: 60, every: 1000 },
  all: { size: 300, every: 200 },
} as const satisfies Record<string, Rate>;

/**
 * After `failures` failures in a row, a host is not contacted for `first` seconds. Each further failure
 * lengthens the pause, up to `most` seconds.
 */
const backoff = { failures: 3, first: 10, most: 300 } as const;

const hostsRemembered = 1000;

interface Failing {
  readonly times: number;
  readonly until: number;
}

/** Returns a fetcher that remembers the last `most` documents. */
export function clientDocuments({
  outbound,
  now,
  most = 500,
}: {
  readonly outbound: Outbound;
  readonly now: () => Date;
  readonly most?: number;
}): ClientDocuments {
  const underWay = new Map<string, Promise<DocumentOutcome>>();
  const fetched = new Map<string, FetchedDocument>();
  const failing = new Map<string, Failing>();
  const take = leakyBuckets();

  function noteFailure(host: string): void {
    const times = (failing.get(host)?.times ?? 0) + 1;
    const pause = times < backoff.failures ? 0 : backoff.first * 2 ** Math.min(times - backoff.failures, 10);
    const until = now().getTime() + Math.min(pause, backoff.most) * 1000;
    keepNewest(failing, host, { times, until }, hostsRemembered);
  }

  async function request(client_id: string, offered: readonly string[]): Promise<DocumentOutcome> {
    const host = hostOfIdentifier(client_id);
    let answer: OutboundAnswer;
    try {
      answer = await outbound.send({
        method: "GET",
        url: client_id,
        accept: "application/json",
        max_bytes: mostDocumentBytes,
        timeout,
      });
    } catch (error) {
      const { kind } = error as Partial<OutboundError>;
      if (kind === "too_large" || kind === "encoded") return { type: "unfit", error: { code: kind } };
      if (kind === "busy") return { type: "unavailable", retry_after: 1 };
      noteFailure(host);
      return { type: "unavailable", retry_after: backoff.first };
    }
    failing.delete(host);
    const { status, headers } = answer;
    if (status === 404 || status === 410) return { type: "gone" };
    if (status === 429 || status >= 500) return { type: "unavailable", retry_after: backoff.first };
    const document = readClientDocument(answer, client_id, offered);
    if ("error" in document) return { type: "unfit", error: document.error };
    const fetched_at = now();
    const expires_at = new Date(fetched_at.getTime() + cacheLifetime(headers, fetched_at) * 1000);
    return { type: "document", document, fetched_at, expires_at };
  }

  return {
    async fetch(client_id, offered, counted) {
      const joined = underWay.get(client_id);
      if (joined !== undefined) return joined;
      const host = hostOfIdentifier(client_id);
      const at = now();
      const wait = (failing.get(host)?.until ?? 0) - at.getTime();
      // A wait above the longest pause means that the clock was set back after the failure; the host is then
      // contacted.
      if (wait > 0 && wait <= backoff.most * 1000)
        return { type: "unavailable", retry_after: Math.ceil(wait / 1000) };
      if (counted !== undefined) {
        const shares: Share[] = [[`address ${client_id}`, rates.address]];
        if (counted !== "stored") {
          const { source, site } = counted;
          shares.push([`source ${source}`, rates.source], [`host ${host}`, rates.host]);
          if (site !== undefined) shares.push([`site ${site}`, rates.site]);
          shares.push(["all", rates.all]);
        }
        if (take(shares, at) !== undefined) return { type: "throttled", retry_after: 3 };
      }
      const work = request(client_id, offered)
        .then((outcome) => {
          if (outcome.type === "document") keepNewest(fetched, client_id, outcome, most);
          return outcome;
        })
        .finally(() => underWay.delete(client_id));
      underWay.set(client_id, work);
      return work;
    },
    remembered: (client_id) => fetched.get(client_id),
    forget: (client_id) => void fetched.delete(client_id),
  };
}

/**
 * Seconds for which a document is cached (PR-19). `usual` applies to a response whose headers state no
 * lifetime.
 */
const lifetimes = { least: 300, usual: 3600, most: 86_400 } as const;

/** Returns how many seconds the response is fresh after its arrival, within the limits in `lifetimes`. */
export function cacheLifetime(headers: OutboundAnswer["headers"], now: Date): number {
  const said = lifetimeSaid(headers, now);
  return Math.min(lifetimes.most, Math.max(lifetimes.least, said ?? lifetimes.usual));
}

function lifetimeSaid(headers: OutboundAnswer["headers"], now: Date): number | undefined {
  const control = textOf(headers["cache-control"]);
  if (/(?:^|,)\s*(?:no-store|no-cache)\s*(?:,|=|$)/i.test(control)) return 0;
  // This is a shared cache, so `s-maxage` takes precedence over `max-age` (RFC 9111 5.2.2.10).
  const age = /^\d{1,9}$/.test(textOf(headers.age)) ? Number(headers.age) : 0;
  for (const name of ["s-maxage", "max-age"]) {
    const seconds = new RegExp(`(?:^|,)\\s*${name}\\s*=\\s*"?(\\d{1,12})"?\\s*(?:,|$)`, "i").exec(
      control,
    )?.[1];
    if (seconds !== undefined) return Number(seconds) - age;
  }
  if (headers.expires === undefined) return undefined;
  const [expires, date] = [Date.parse(textOf(headers.expires)), Date.parse(textOf(headers.date))];
  if (Number.isNaN(expires)) return 0;
  return Math.floor((expires - (Number.isNaN(date) ? now.getTime() : date)) / 1000);
}

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === "string" ? value : (value ?? []).join(",");
}
