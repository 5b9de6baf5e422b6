/** A list of records that reads on from page to page. */

export interface Page<R> {
  readonly data: readonly R[];
  readonly next_cursor?: string | null;
}

/** The records of a page. */
type RecordOf<P> = P extends { readonly data: readonly (infer R)[] } ? R : never;

/** Every record with `for await`; nothing is asked for before the first one is. */
export interface Listing<P> extends AsyncIterable<RecordOf<P>> {
  /** One page: the first, or that of the `cursor` that was given. */
  page(): Promise<P>;
  /** The pages, from the first or that of `cursor` on. */
  pages(): AsyncIterable<P>;
  /** The first `most` records, which are held in memory. Throws `RangeError` where there are more. */
  all(most: number): Promise<RecordOf<P>[]>;
}

/** The list that is read by `read`, which takes the cursor of the page. */
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
