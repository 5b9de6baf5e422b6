import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import { ApiProblem, ConnectionError } from "../../client/problems.ts";
import { isWebhookSecret, newWebhookSecret, webhookHeaders } from "../../crypto/standard_webhooks.ts";
import { createOutbound, type Outbound, OutboundError } from "../../outbound/outbound.ts";
import { type Options, type Terminal, visible, WrongUsage } from "../core/terminal.ts";
import { secretOption, typedSecret } from "../core/typed_text.ts";
import { optionOfPath, withServer } from "../server/with_server.ts";

/** Seconds that one request waits for new events. */
const wait = "20";
/** In milliseconds. */
const retryPause = 500;
/** In milliseconds. */
const forwardTime = 10_000;

interface ListenOptions extends Options {
  readonly forward: string;
  readonly after: string;
  readonly types?: readonly string[];
  readonly count?: string;
  readonly secret?: string;
}

interface Event {
  readonly id: string;
  readonly type: string;
}

const isPassing = (error: unknown): boolean =>
  error instanceof ConnectionError ||
  (error instanceof ApiProblem && (error.status >= 500 || error.status === 429));

/** Hosts with these addresses may receive webhooks over http; all other hosts require https. */
const local = ["127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"];

async function forward(
  url: string,
  event: Event,
  secret: string,
  { outbound, now }: { readonly outbound: Outbound; readonly now: Date },
): Promise<string> {
  const text = JSON.stringify(event);
  try {
    const { status } = await outbound.send({
      ...{ method: "POST", url, accept: "*/*", body: { type: "application/json", text } },
      headers: webhookHeaders({ id: event.id, at: now, body: text }, secret),
      ...{ max_bytes: 4096, cut: true, timeout: forwardTime },
    });
    return String(status);
  } catch (error) {
    if (error instanceof OutboundError) return error.kind;
    throw error;
  }
}

function receiverOf(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url.href;
  throw new WrongUsage("--forward: expected a URL such as http://localhost:3000/hooks");
}

async function givenSecret({ secret }: ListenOptions, terminal: Terminal): Promise<string | undefined> {
  const given =
    secret === undefined ? terminal.env.POSTERN_WEBHOOK_SECRET : await typedSecret(secret, terminal);
  if (!given || isWebhookSecret(given)) return given || undefined;
  throw new WrongUsage("--secret: expected whsec_ followed by the Base64 of 24 to 64 bytes");
}

/** `postern webhook listen`: forwards a server's events to a program under development. */
export function webhookCommand(program: Command, terminal: Terminal): void {
  program
    .command("webhook")
    .description("receive webhooks during development: listen")
    .command("listen")
    .description("forward events to a URL as webhooks, signed with --secret or a new secret")
    .requiredOption("--forward <url>", "where to send them, such as http://localhost:3000/hooks")
    .option("--after <position>", "begin after this position or cursor; 0 is the oldest", "latest")
    .option("--types <type...>", "only these types")
    .option("--count <events>", "stop after this many events")
    .option(
      "--secret <secret>",
      `the secret that signs (default: POSTERN_WEBHOOK_SECRET, or a new one); ${secretOption}`,
    )
    .action(async (_: unknown, command: Command) => {
      const options: ListenOptions = command.optsWithGlobals();
      const url = receiverOf(options.forward);
      const most = options.count === undefined ? Number.POSITIVE_INFINITY : Number(options.count);
      if (!(most > 0)) throw new WrongUsage("--count: expected a number of events");
      const { resourceOf } = await import("../../admin/resources/resources.ts");
      const resource = resourceOf("events");
      const given = await givenSecret(options, terminal);
      const secret = given ?? newWebhookSecret();
      const outbound = createOutbound({ allow: local });
      await withServer(
        terminal,
        options,
        async (records) => {
          let [after, sent, isChecked] = [options.after, 0, false];
          while (sent < most) {
            // The secret is printed only after the server accepted the options, so the first request does not
            // wait for events.
            const query = {
              after,
              ...(isChecked && { wait }),
              ...(options.types && { types: options.types.join(",") }),
            };
            let page: { data: readonly Event[]; cursor?: string } | undefined;
            try {
              page = (await records.list(resource, query)) as unknown as typeof page;
            } catch (error) {
              if (!isPassing(error)) throw error;
            }
            if (!isChecked && given === undefined) terminal.out(`secret: ${secret}\n`);
            isChecked = true;
            if (page === undefined) {
              await pause(retryPause);
              continue;
            }
            for (const event of page.data.slice(0, most - sent)) {
              const status = await forward(url, event, secret, { outbound, now: terminal.now() });
              terminal.out(`${visible(event.type)} ${visible(event.id)} ${status}\n`);
              sent += 1;
            }
            after = String(page.cursor ?? after);
          }
        },
        { named: optionOfPath },
      );
    });
}
