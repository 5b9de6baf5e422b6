/** Shell scripts that complete commands and options without running `postern`. */

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

export interface CompletedCommand {
  /** The names of the parent commands and of the command, such as `app list`; empty for `postern` itself. */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly meaning: string }[];
  readonly options: readonly CompletedOption[];
}

interface CompletedOption {
  readonly long: string;
  readonly short?: string | undefined;
  readonly meaning: string;
  readonly takesValue: boolean;
  readonly words: readonly string[];
}

type Tree = readonly CompletedCommand[];

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function arms(tree: Tree, pattern: (path: string) => string, body: (of: CompletedCommand) => string): string {
  return tree
    .flatMap((command) => {
      const done = body(command);
      return done === "" ? [] : [`    ${quoted(pattern(command.path))}) ${done} ;;`];
    })
    .join("\n");
}

/** The completion scripts compare paths in this form: the earlier words, a space and the last word. */
const step = (path: string) => (path.includes(" ") ? path : ` ${path}`);

function bash(tree: Tree): string {
  const values = tree.flatMap(({ path, options }) =>
    options.flatMap(({ long, words }) =>
      words.length === 0
        ? []
        : [
            `    ${quoted(`${path}:${long}`)}) COMPREPLY=($(compgen -W ${quoted(words.join(" "))} -- "$current")); return ;;`,
          ],
    ),
  );
  const following = arms(
    tree,
    (path) => path,
    ({ commands, options }) =>
      `words=${quoted([...commands.map(({ name }) => name), ...options.map(({ long }) => long)].join(" "))}`,
  );
  return `# Completion of postern for bash.
_postern() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
    ${stepsOf(tree)}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at:$previous" in
${values.join("\n")}
  esac
  case "$at" in
${following}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _postern postern
`;
}

function stepsOf(tree: Tree): string {
  return tree.flatMap(({ path }) => (path === "" ? [] : [quoted(step(path))])).join("|");
}

function zsh(tree: Tree): string {
  const described = (name: string, meaning: string) => quoted(`${name.replaceAll(":", "\\:")}:${meaning}`);
  const values = tree.flatMap(({ path, options }) =>
    options.flatMap(({ long, words }) =>
      words.length === 0
        ? []
        : [`    ${quoted(`${path}:${long}`)}) compadd -- ${words.map(quoted).join(" ")}; return ;;`],
    ),
  );
  const following = arms(
    tree,
    (path) => path,
    ({ commands, options }) => {
      const found = [
        ...commands.map(({ name, meaning }) => described(name, meaning)),
        ...options.map(({ long, meaning }) => described(long, meaning)),
      ];
      return `found=(${found.join(" ")})`;
    },
  );
  return `#compdef postern
# Completion of postern for zsh.
_postern() {
  local at='' previous=\${words[CURRENT-1]} i
  local -a found
  for ((i = 2; i < CURRENT; i++)); do
    case "$at \${words[i]}" in
    ${stepsOf(tree)}) at="\${at:+$at }\${words[i]}" ;;
    esac
  done
  case "$at:$previous" in
${values.join("\n")}
  esac
  case "$at" in
${following}
  esac
  _describe -t words postern found || _files
}
if [ "\${funcstack[1]}" = _postern ]; then _postern "$@"; else compdef _postern postern; fi
`;
}

function fish(tree: Tree): string {
  const inFish = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  const steps = tree.flatMap(({ path }) => (path === "" ? [] : [inFish(step(path))])).join(" ");
  const lines = tree.flatMap(({ path, commands, options }) => {
    const at = `complete -c postern -n ${inFish(`__postern_at ${inFish(path)}`)}`;
    return [
      ...commands.map(({ name, meaning }) => `${at} -f -a ${inFish(name)} -d ${inFish(meaning)}`),
      ...options.map(({ long, short, meaning, takesValue, words }) => {
        const flags = `-l ${long.slice(2)}${short === undefined ? "" : ` -s ${short.slice(1)}`}`;
        const known = words.length === 0 ? "" : ` -f -a ${inFish(words.join(" "))}`;
        return `${at} ${flags}${takesValue ? " -r" : ""}${known} -d ${inFish(meaning)}`;
      }),
    ];
  });
  return `# Completion of postern for fish.
function __postern_at
  set -l at ''
  for word in (commandline -opc)[2..]
    if contains -- "$at $word" ${steps}
      set at (string trim -- "$at $word")
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join("\n")}
`;
}

export const completionScripts: Readonly<Record<Shell, (tree: Tree) => string>> = { bash, zsh, fish };
