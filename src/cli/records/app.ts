import { setTimeout as pause } from "node:timers/promises";
import type { Command } from "commander";
import type { PublicView } from "../../records/definition/view.ts";
import { NegativeAnswer, type Options, print, type Terminal } from "../core/terminal.ts";
import { secretOption, typedSecret } from "../core/typed_text.ts";
import type { Server } from "../server/server.ts";
import { withServer } from "../server/with_server.ts";
import { recordCommand } from "./record_command.ts";

interface AddedSecret {
  readonly secret?: string;
  readonly hash?: string;
  readonly expiresAt?: string;
}

/** Milliseconds to wait for the result of a test notice, and between two looks at it. */
const attemptTime = 20_000;
const lookPause = 200;

async function showDelivery(records: Server, id: string, show: (view: PublicView) => void): Promise<void> {
  const { resourceOf } = await import("../../admin/resources/resources.ts");
  const until = performance.now() + attemptTime;
  for (;;) {
    // Only test notices have the app itself as their subject.
    const tests = { target_id: id, subject_key: id, limit: "1" };
    const [delivery] = (await records.list(resourceOf("deliveries"), tests)).data;
    // An attempt is counted when it begins; its result is stored later.
    const hasResult =
      delivery?.state !== "waiting" || delivery.last_status !== null || delivery.last_fault !== null;
    if (delivery !== undefined && hasResult) {
      show(delivery);
      if (delivery.state === "done") return;
      throw new NegativeAnswer();
    }
    if (performance.now() > until)
      throw new Error("no server has sent the notice yet: is one running? See `postern delivery list`");
    await pause(lookPause);
  }
}

export async function appCommand(program: Command, terminal: Terminal): Promise<void> {
  const group = await recordCommand(program, terminal, {
    name: "app",
    resourceType: "apps",
    own: ["secrets"],
    ownOptions: (command, verb) => {
      if (verb === "create") {
        command.option(
          "--secret <secret...>",
          `a secret of your choice (default: generated); ${secretOption}`,
        );
      }
    },
    async ownInput({ secret }, terminal) {
      if (!Array.isArray(secret)) return {};
      const secrets: string[] = [];
      for (const each of secret) secrets.push(await typedSecret(each, terminal));
      return { secrets };
    },
    onceNames: { secret: "client_secret" },
    parts: { secrets: { resourceType: "app_secrets", by: "app_id" } },
    outcomes: { test_logout: showDelivery },
  });
  group.description(`${group.description()}, add-secret, revoke-secret`);
  const secretsResource = async () =>
    (await import("../../admin/resources/resources.ts")).resourceOf("app_secrets");

  group
    .command("add-secret")
    .description("add another secret to an app: short for `app-secret create --app CLIENT_ID`")
    .argument("<client_id>")
    .option("--secret <secret>", `a secret of your choice (default: generated); ${secretOption}`)
    .option("--hash <hash>", `the hash of a secret from another system instead; ${secretOption}`)
    .option("--expires-at <time>", "when it expires")
    .action(async (client_id: string, own: AddedSecret, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const secrets = await secretsResource();
      const value = own.secret === undefined ? undefined : await typedSecret(own.secret, terminal);
      const hash = own.hash === undefined ? undefined : await typedSecret(own.hash, terminal);
      await withServer(terminal, options, async (records) => {
        const { record, once } = await records.create(secrets, {
          app_id: await records.idOf("oauth_apps", client_id),
          ...(value === undefined ? {} : { value }),
          ...(hash === undefined ? {} : { hash }),
          ...(own.expiresAt === undefined ? {} : { expires_at: own.expiresAt }),
        });
        const made = once.secret === undefined ? {} : { client_secret: once.secret };
        if (once.secret !== undefined) terminal.err("Copy the client_secret now: it is not shown again.\n");
        print(terminal, options, { ...record, ...made }, once.secret ?? `added ${record.id}`);
      });
    });

  group
    .command("revoke-secret")
    .description("revoke one secret of an app: short for `app-secret revoke ID`")
    .argument("<client_id>")
    .argument("<secret_id>", "the ID of the secret, as shown by `app get`")
    .action(async (client_id: string, secret_id: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const secrets = await secretsResource();
      const { notFound } = await import("../../admin/access/errors.ts");
      await withServer(terminal, options, async (records) => {
        const app_id = await records.idOf("oauth_apps", client_id);
        const secret = await records.get(secrets, secret_id);
        if (secret.app_id !== app_id) throw notFound("oauth_app_secrets", secret_id);
        const record = await records.revoke(secrets, secret_id);
        print(terminal, options, record, `revoked ${record.id}`);
      });
    });
}
