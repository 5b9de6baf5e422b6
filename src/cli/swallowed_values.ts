/**
 * Detects arguments that an option would take by mistake, such as the record `web` in `app update
 * --redirect-uris A B web`.
 */
import type { Command, Option } from "commander";

function commandOf(program: Command, args: readonly string[]): { command: Command; from: number } {
  let [command, from] = [program, 0];
  for (let at = 0; at < args.length; at++) {
    const text = args[at] ?? "";
    if (text.startsWith("-")) {
      const option = optionOf(program, command, text);
      if (option?.required && !text.includes("=")) at++;
      continue;
    }
    const next = command.commands.find((each) => each.name() === text || each.aliases().includes(text));
    if (next === undefined) break;
    [command, from] = [next, at + 1];
  }
  return { command, from };
}

function optionOf(program: Command, command: Command, text: string): Option | undefined {
  const [flag = ""] = text.split("=");
  return [...command.options, ...program.options].find(({ long, short }) => long === flag || short === flag);
}

/** A key ID is a thumbprint (RFC 7638); one in 64 looks like an option. */
const keyIdLikeOption = /^-[\w-]{42}$/;

/** Rearranges the arguments so that options do not take the name of the record. */
export function givenBack(program: Command, args: readonly string[]): string[] {
  const { command, from } = commandOf(program, args);
  const isKeyId = (text: string) => keyIdLikeOption.test(text) && !optionOf(program, command, text);
  if (!args.includes("--") && args.some(isKeyId))
    return [...args.filter((text) => !isKeyId(text)), "--", ...args.filter(isKeyId)];
  const expected = command.registeredArguments.filter(({ required }) => required).length;
  const result = args.slice(0, from);
  let plain = 0;
  let last: { readonly option: Option; taken: number } | undefined;
  /** The index of the last value of a list option that has several values. */
  let swallowed: number | undefined;
  for (const text of args.slice(from)) {
    if (text === "--") return [...args];
    if (text.startsWith("-") && text.length > 1) {
      const option = text.includes("=") ? undefined : optionOf(program, command, text);
      last = option && { option, taken: 0 };
    } else if (last !== undefined && takes(last, text, plain < expected)) {
      last.taken += 1;
      if (last.option.variadic && last.taken > 1) swallowed = result.length;
    } else {
      // A switch without a value would take this argument.
      if (last?.option.optional && last.taken === 0) result.push(`${result.pop()}=true`);
      last = undefined;
      plain += 1;
    }
    result.push(text);
  }
  if (plain >= expected || swallowed === undefined) return result;
  const [name = ""] = result.splice(swallowed, 1);
  return result.toSpliced(from, 0, name);
}

function takes(
  { option, taken }: { readonly option: Option; readonly taken: number },
  text: string,
  isMissing: boolean,
): boolean {
  if (option.variadic) return true;
  if (option.optional) return taken === 0 && (isSwitchValue(text) || !isMissing);
  return option.required && taken === 0;
}

const isSwitchValue = (text: string) => text === "true" || text === "false";
