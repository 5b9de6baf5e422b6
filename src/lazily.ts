/**
 * Constants that are computed at first use, because they cost time or memory that most processes never need.
 * A value may depend only on its key or object, because two servers in one process share it.
 */

/** Returns a constant, computed at its first use. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Returns a constant for each key, computed at its first use. The keys must come from a closed list. */
export function perKey<K extends string | number, T>(make: (key: K) => T): (key: K) => T {
  const made = new Map<K, T>();
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    made.set(key, value);
    return value;
  };
}

/** Returns a value derived from an object that never changes, kept for as long as the object lives. */
export function perObject<K extends object, T>(derive: (object: K) => T): (object: K) => T {
  const derived = new WeakMap<K, T>();
  return (object) => {
    const known = derived.get(object);
    if (known !== undefined) return known;
    const value = derive(object);
    derived.set(object, value);
    return value;
  };
}
