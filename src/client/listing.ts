export interface Page<R> {
  readonly data: readonly R[];
  readonly next_cursor?: string | null;
}

type RecordOf<P> = P extends { readonly data: readonly (infer R)[] } ? R : never;

/** Iterates over all records; no request is sent before the first one is read. */
export interface Listing<P> extends AsyncIterable<RecordOf<P>> {
  /** Returns one page: the first, or the one that the query parameter `cursor` of the call names. */
  page(): Promise<P>;
  /** Iterates over the pages, starting with the one that `page` returns. */
  pages(): AsyncIterable<P>;
  /** Collects at most `most` records in memory. Rejects with `RangeError` if there are more. */
  all(most: number): Promise<RecordOf<P>[]>;
}

/** Returns a listing. Without a cursor, `read` returns the page with which the listing begins. */
export function listing<P extends Page<unknown>>(
  read: (cursor: string | undefined) => Promise<P>,
): Listing<P> {
  async function* pages(): AsyncGenerator<P> {
    let cursor: string | undefined;
    do {
      const page = await read(cursor);
      yield page;
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
  async function* records(): AsyncGenerator<RecordOf<P>> {
    for await (const { data } of pages()) yield* data as RecordOf<P>[];
  }
  return {
    page: () => read(undefined),
    pages: () => ({ [Symbol.asyncIterator]: pages }),
    [Symbol.asyncIterator]: records,
    all: async (most) => {
      const found: RecordOf<P>[] = [];
      for await (const record of records()) {
        if (found.length === most) throw new RangeError(`there are more than ${most} records`);
        found.push(record);
      }
      return found;
    },
  };
}
