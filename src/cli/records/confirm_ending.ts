import { type Command, Option } from "commander";
import type { Resource } from "../../admin/manage/resource.ts";
import type { Words } from "../../web/words/words.ts";
import {
  NegativeAnswer,
  type Options,
  styled,
  type Terminal,
  visible,
  WrongUsage,
} from "../core/terminal.ts";
import type { Server } from "../server/server.ts";

type EndingVerb = "delete" | "revoke";

export function addYesOption(command: Command): void {
  command.addOption(new Option("-y, --yes", "do not ask for confirmation").helpGroup(confirmationGroup));
}

const confirmationGroup = "Confirmation:";

/**
 * Shows which other records a deletion or revocation ends too, and asks for confirmation. Without an
 * interactive terminal, a deletion throws `WrongUsage` and a revocation proceeds. Throws `NegativeAnswer` if
 * the user declines.
 */
export async function confirmEnding(
  terminal: Terminal,
  options: Options,
  server: Pick<Server, "impact">,
  ending: {
    readonly verb: EndingVerb;
    readonly resource: Resource;
    readonly id: string;
    readonly name: string;
  },
): Promise<void> {
  if (options.yes === true) return;
  const { verb, resource, name } = ending;
  const { ask, err, messages } = terminal;
  if (ask === undefined && verb === "revoke") return;
  const { wordsOf } = await import("../../web/words/words.ts");
  const words = wordsOf("en");
  const ends = await endsWith(server, ending, words);
  const { title, lead, effects, nothing, keyDropped, act } = words.records.consequence;
  const heading = title[verb](`${resource.noun} ${visible(name)}`);
  const none = ends === undefined ? [] : [resource.table === "signing_keys" ? keyDropped : nothing];
  const lines = !ends?.length ? none : [`${effects}:`, ...ends.map((each) => `  ${each}`)];
  err([styled("bold", heading, messages), lead[verb], ...lines, ""].join("\n"));
  if (ask === undefined) {
    throw new WrongUsage(`Nothing was done: without an interactive terminal, ${verb} needs --yes.`);
  }
  const answer = await ask(`${act[verb]}? [y/N] `);
  if (/^y(es)?$/i.test(answer.trim())) return;
  err("Nothing was done.\n");
  throw new NegativeAnswer();
}

/** Undefined if the server does not report which other records would end. */
async function endsWith(
  server: Pick<Server, "impact">,
  { resource, id }: { readonly resource: Resource; readonly id: string },
  words: Words,
): Promise<string[] | undefined> {
  const [{ impactLimit }, { impactSentences }] = await Promise.all([
    import("../../admin/reports/impact.ts"),
    import("../../web/impact_lines.ts"),
  ]);
  const impact = await server.impact(resource, id);
  if (impact === undefined) return undefined;
  const say = resource.signs_out === true ? { people: words.records.signedOut } : {};
  return impactSentences({ impact, limit: impactLimit, say, words, language: "en" });
}
