interface Entry<T> {
  readonly at: number;
  readonly value: T;
}

export interface Heap<T> {
  add(at: number, value: T): void;
  /** Removes the least; of equal ones, the first that was added. */
  take(): Entry<T> | undefined;
  first(): Entry<T> | undefined;
}

/** A binary heap by a number. */
export function heapOf<T>(): Heap<T> {
  const entries: (Entry<T> & { readonly order: number })[] = [];
  let added = 0;

  function isBefore(one: number, other: number): boolean {
    const [a, b] = [entries[one], entries[other]];
    if (a === undefined || b === undefined) return a !== undefined;
    return a.at === b.at ? a.order < b.order : a.at < b.at;
  }

  function swap(one: number, other: number): void {
    const [a, b] = [entries[one], entries[other]];
    if (a === undefined || b === undefined) return;
    entries[one] = b;
    entries[other] = a;
  }

  return {
    first: () => entries[0],
    add(at, value) {
      entries.push({ at, value, order: added++ });
      for (let index = entries.length - 1; index > 0; ) {
        const parent = (index - 1) >> 1;
        if (!isBefore(index, parent)) return;
        swap(index, parent);
        index = parent;
      }
    },
    take() {
      const [first, last] = [entries[0], entries.pop()];
      if (first === undefined || last === undefined || entries.length === 0) return first;
      entries[0] = last;
      for (let index = 0; ; ) {
        const [left, right] = [2 * index + 1, 2 * index + 2];
        const child = isBefore(right, left) ? right : left;
        if (child >= entries.length || !isBefore(child, index)) return first;
        swap(index, child);
        index = child;
      }
    },
  };
}
