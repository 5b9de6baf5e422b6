/** Keeps the value as the newest of at most `most` entries; the oldest makes room for it. */
export function keepNewest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
  map.delete(key);
  const oldest = map.keys().next();
  if (map.size >= most && !oldest.done) map.delete(oldest.value);
  map.set(key, value);
}
