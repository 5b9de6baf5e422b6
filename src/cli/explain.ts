import type { Command } from "commander";
import { ApiProblem } from "../client/problems.ts";
import { readShortId } from "../crypto/short_ids.ts";
import type { Refusal } from "../records/definition/definition.ts";
import type { ResourceType } from "../records/definition/permissions.ts";
import type { PublicView } from "../records/definition/view.ts";
import { isUuid } from "../records/formats/check.ts";
import { hasPassed } from "../records/names/liveness.ts";
import { table } from "./core/table.ts";
import { type Options, print, type Terminal, visible } from "./core/terminal.ts";
import type { Server } from "./server/server.ts";
import { withServer } from "./server/with_server.ts";

export function explainCommand(program: Command, terminal: Terminal): void {
  program
    .command("explain")
    .description("explain a refused request: what the server received and what it expected")
    .argument("<id>", "the reference on the error page, or the error_uri")
    .action(async (id: string, _, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withServer(terminal, options, async (server) => {
        const explained = await explainedRefusal(server, referenceIn(id), terminal.now());
        const { refusal, app, user } = explained;
        const whole = { ...refusal, ...(app && { app }), ...(user && { user }) };
        print(terminal, options, whole, options.json ? "" : await inWords(explained));
      });
    });
}

async function explainedRefusal(server: Server, id: string, now: Date) {
  const { resourceOf } = await import("../admin/resources/resources.ts");
  const [refusals, short_id] = [resourceOf("refusals"), readShortId(id)];
  const { data } = short_id === undefined ? { data: [] } : await server.list(refusals, { short_id });
  const found = data[0] ?? (isUuid(id) ? await server.get(refusals, id) : undefined);
  if (found === undefined || hasPassed(new Date(String(found.expires_at)), now))
    throw new Error(`there is no refusal "${id.slice(0, 40)}"`);
  const refusal = found as unknown as ShownRefusal;
  const party = async (of: ResourceType, id: string | null) => {
    if (id === null) return undefined;
    const { name } = await server.get(resourceOf(of), id).catch((error: unknown): PublicView => {
      if (error instanceof ApiProblem && ["not_found", "forbidden"].includes(error.code)) return {};
      throw error;
    });
    return { id, ...(typeof name === "string" && { name }) };
  };
  const [app, user] = [await party("apps", refusal.app_id), await party("users", refusal.user_id)];
  return { refusal, app, user };
}

type ShownRefusal = Omit<Refusal, "created_at" | "expires_at"> &
  Readonly<Record<"created_at" | "expires_at", string>>;

function referenceIn(text: string): string {
  if (!URL.canParse(text)) return text;
  return new URL(text).pathname.split("/").findLast((segment) => segment !== "") ?? text;
}

async function inWords({
  refusal,
  app,
  user,
}: Awaited<ReturnType<typeof explainedRefusal>>): Promise<string> {
  const [{ explainEvidence }, { wordsOf }, { shortIdText }] = await Promise.all([
    import("../web/explained_evidence.ts"),
    import("../web/words/words.ts"),
    import("../web/html/short_id.ts"),
  ]);
  const language = "en";
  const words = wordsOf(language);
  const { title, facts, received: came, expected: wanted, todo, nothingMore } = words.refusal;
  const rows = [
    [words.error.error, refusal.error],
    [facts.description, refusal.description],
    [facts.endpoint, refusal.endpoint],
    [facts.app, app && `${app.name ?? ""} (${app.id})`.trim()],
    [facts.user, user && `${user.name ?? ""} (${user.id})`.trim()],
    [facts.when, refusal.created_at],
    [facts.until, refusal.expires_at],
    [facts.from, refusal.client_ip],
    [facts.agent, refusal.user_agent],
    [facts.request, refusal.request_id],
    [facts.id, refusal.id],
  ].flatMap(([label, value]) => (label && value ? [[label, visible(value)]] : []));
  const pieces = refusal.evidence.map((piece) => {
    const { name, what, received, expected, difference, advice } = explainEvidence(piece, refusal.endpoint, {
      words,
      language,
    });
    const sides = [
      ...(received ?? []).map((value, index) => [index === 0 ? came : "", textOf(value)]),
      ...(expected ?? []).map((value, index) => [index === 0 ? wanted : "", textOf(value)]),
    ];
    return [
      `${what} (${visible(name)})`,
      ...(sides.length > 0 ? [indented(table(sides))] : []),
      ...(difference === undefined ? [] : [indented(visible(difference))]),
      ...(advice === undefined ? [] : [indented(`${todo}: ${advice}`)]),
    ].join("\n");
  });
  const evidence = pieces.length > 0 ? pieces : [nothingMore];
  return [title(shortIdText(refusal.short_id)), table(rows), ...evidence].join("\n\n");
}

type Value = NonNullable<
  ReturnType<typeof import("../web/explained_evidence.ts").explainEvidence>["received"]
>[number];

/** Highlighted parts are enclosed in ⟦ and ⟧, which no URL contains. */
function textOf(value: Value): string {
  if (value.type === "words") return value.text;
  if (value.type === "duration") return `${value.limit ?? ""} ${value.text}`.trim();
  if (value.type === "time") return value.time.toISOString();
  return value.parts.map(({ text, marked }) => (marked ? `⟦${visible(text)}⟧` : visible(text))).join("");
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, "  ");
}
