/**
 * Returns the Node.js flags of this process, from the command line and `NODE_OPTIONS`, spelled with hyphens.
 */
export function nodeFlags({ execArgv, env }: Pick<NodeJS.Process, "execArgv" | "env">): readonly string[] {
  const quoted = env.NODE_OPTIONS?.match(/(?:"(?:\\.|[^"\\])*"|[^\s"])+/g) ?? [];
  const options = quoted.map((option) => option.replaceAll(/\\(.)|"/g, "$1"));
  return [...execArgv, ...options].map((flag) =>
    flag.replace(/^--[^=\s]*/, (name) => name.replaceAll("_", "-")),
  );
}
