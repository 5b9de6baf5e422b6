/**
 * The flags that Node was started with, by the command line and `NODE_OPTIONS`, one each: as it reads them,
 * with hyphens for the underscores of a name and without quotes.
 */
export function nodeFlags({ execArgv, env }: Pick<NodeJS.Process, "execArgv" | "env">): readonly string[] {
  const quoted = env.NODE_OPTIONS?.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g) ?? [];
  const options = quoted.map((option) => option.replaceAll(/\\(.)|"/g, "$1"));
  return [...execArgv, ...options].map((flag) =>
    flag.replace(/^--[^=\s]*/, (name) => name.replaceAll("_", "-")),
  );
}
