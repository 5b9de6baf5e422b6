/** The modules that Node loads before each test file, as its arguments. */
export const preloads: readonly string[] = ["--import", new URL("end_at_once.ts", import.meta.url).href];
