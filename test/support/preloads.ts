/** The modules that Node loads before each test file, as its arguments. */
export const preloads: readonly string[] = ["light_tracking.ts", "end_at_once.ts"].flatMap((name) => [
  "--import",
  new URL(name, import.meta.url).href,
]);
