/**
 * Returns the flags that Node.js was started with, on the command line and in `NODE_OPTIONS`. Names have
 * hyphens instead of underscores, and quotes are removed.
 */
export function nodeFlags({ execArgv, env }: Pick<NodeJS.Process, "execArgv" | "env">): readonly string[] {
  const quoted = env.NODE_OPTIONS?.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g) ?? [];
  const options = quoted.map((option) => option.replaceAll(/\\(.)|"/g, "$1"));
  return [...execArgv, ...options].map((flag) =>
    flag.replace(/^--[^=\s]*/, (name) => name.replaceAll("_", "-")),
  );
}
