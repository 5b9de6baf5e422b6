/**
 * Documents that providers publish, fetched at first use and kept: login pages never wait for them
 * (EP-17).
 */
import { keepNewest } from "../records/keep_newest.ts";

/** Milliseconds. */
const times = {
  /** A document is believed for this long without a look. */
  fresh: 3_600_000,
  /** One whose address fails is still believed for this long. */
  stale: 24 * 3_600_000,
  /** Between two looks for what a document lacks, or after one that failed. */
  pause: 60_000,
  /** Between two tries while there is none: people wait for it. */
  pause_without: 10_000,
} as const;

interface Entry<D> {
  kept: { readonly document: D; readonly fetched_at: number } | undefined;
  tried_at: number;
  failure: unknown;
  underWay: Promise<void> | undefined;
}

export interface KeptDocuments<D> {
  /**
   * The document at this address. One that is old, or does not suffice, is fetched again; what was had
   * last is the answer where that fails. Throws what the fetch threw where there is none. `owner` is whose
   * provider it is fetched for.
   */
  get(url: string, owner: string | undefined, suffices?: (document: D) => boolean): Promise<D>;
}

/** At most `most` documents; each address has one fetch under way at a time. */
export function keptDocuments<D>({
  load,
  now,
  most = 200,
}: {
  readonly load: (url: string, owner: string | undefined) => Promise<D>;
  readonly now: () => Date;
  readonly most?: number;
}): KeptDocuments<D> {
  const entries = new Map<string, Entry<D>>();

  async function fetchInto(entry: Entry<D>, url: string, owner: string | undefined): Promise<void> {
    entry.tried_at = now().getTime();
    try {
      entry.kept = { document: await load(url, owner), fetched_at: now().getTime() };
      entry.failure = undefined;
    } catch (error) {
      entry.failure = error;
    }
  }

  return {
    async get(url, owner, suffices = () => true) {
      const none: Entry<D> = {
        kept: undefined,
        tried_at: Number.NEGATIVE_INFINITY,
        failure: undefined,
        underWay: undefined,
      };
      const entry = entries.get(url) ?? none;
      keepNewest(entries, url, entry, most);
      // Where the clock has gone back, what was kept is old.
      const since = (moment: number) => {
        const passed = now().getTime() - moment;
        return passed < 0 ? times.fresh : passed;
      };
      const { kept } = entry;
      if (kept && since(kept.fetched_at) < times.fresh && suffices(kept.document)) return kept.document;
      const pause = kept === undefined ? times.pause_without : times.pause;
      if (entry.underWay === undefined && since(entry.tried_at) >= pause) {
        entry.underWay = fetchInto(entry, url, owner).finally(() => {
          entry.underWay = undefined;
        });
      }
      await entry.underWay;
      if (entry.kept && since(entry.kept.fetched_at) < times.stale) return entry.kept.document;
      throw entry.failure ?? new Error(`nothing was fetched from ${URL.parse(url)?.host}`);
    },
  };
}
