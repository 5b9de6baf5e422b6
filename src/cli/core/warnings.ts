import { countedSteps } from "../../web/error_sentence.ts";
import { styled, type Terminal } from "./terminal.ts";

/**
 * Returns a function that prints warnings. A warning about a field of a record names the option of the field.
 */
export function warnOn({ err, messages }: Pick<Terminal, "err" | "messages">): (message: string) => void {
  return (message) => err(`${styled("yellow", "warning:", messages)} ${underOption(message)}\n`);
}

function underOption(message: string): string {
  return message.replace(/^\/([a-z_]+)((?:\/[^:\s/]+)*):/, (_, member: string, deeper: string) => {
    const steps = [`--${member.replaceAll("_", "-")}`, ...countedSteps(deeper.split("/").slice(1))];
    return `${steps.join(" ")}:`;
  });
}
