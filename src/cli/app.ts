import type { Command } from "commander";
import { publicView } from "../records/view.ts";
import { withContext } from "./environment.ts";
import { recordCommand } from "./record_command.ts";
import { print, type Terminal } from "./terminal.ts";

/** `postern app create|list|get|update|delete`, `revoke`, `add-secret` and `revoke-secret`. */
export function appCommand(program: Command, terminal: Terminal): void {
  const group = recordCommand(program, terminal, {
    name: "app",
    noun: "app",
    table: "oauth_apps",
    argument: "client_id",
    references: [
      { name: "owner", column: "owner_id", to: "users" },
      { name: "organization", column: "organization_id", to: "organizations" },
    ],
    columns: ["client_id", "name", "app_type", "public", "first_party", "active", "id"],
    ownOptions: (command, verb) => {
      if (verb === "create") {
        command.option("--secret <secret...>", "a secret that was chosen elsewhere; one is made when absent");
      }
    },
    ownInput: async ({ secret }) => (secret === undefined ? {} : { secrets: secret }),
    async operations() {
      const [apps, secrets] = await Promise.all([
        import("../admin/apps.ts"),
        import("../admin/app_secrets.ts"),
      ]);
      return {
        async create(context, input) {
          const { app, secret } = await apps.createApp(context, input);
          return secret === undefined ? { row: app } : { row: app, once: { client_secret: secret } };
        },
        list: apps.listApps,
        get: apps.getApp,
        async parts(context, app) {
          const rows = await secrets.listAppSecrets(context, app);
          return { secrets: rows.map((row) => publicView("oauth_app_secrets", row)) };
        },
        update: apps.updateApp,
        remove: apps.deleteApp,
      };
    },
  });

  group
    .command("revoke")
    .description("revoke an app for good: every token of it ends")
    .argument("<client_id>")
    .action(async (client_id: string, _, command: Command) => {
      const options = command.optsWithGlobals();
      const { revokeApp } = await import("../admin/apps.ts");
      await withContext(terminal, options, async (context) => {
        const app = await revokeApp(context, client_id);
        print(
          terminal,
          options,
          publicView("oauth_apps", app),
          `revoked at ${app.revoked_at?.toISOString()}`,
        );
      });
    });

  group
    .command("add-secret")
    .description("add a secret beside those the app has; one is made unless given")
    .argument("<client_id>")
    .option("--secret <secret>", "a secret that was chosen elsewhere")
    .option("--expires-at <time>", "when it ends")
    .action(async (client_id: string, own: { secret?: string; expiresAt?: string }, command: Command) => {
      const options = command.optsWithGlobals();
      const [{ getApp }, { addAppSecret, newClientSecret }] = await Promise.all([
        import("../admin/apps.ts"),
        import("../admin/app_secrets.ts"),
      ]);
      await withContext(terminal, options, async (context) => {
        const app = await getApp(context, client_id);
        const value = own.secret ?? newClientSecret(context.now());
        const expiry = own.expiresAt === undefined ? {} : { expires_at: own.expiresAt };
        const { row } = await addAppSecret(context, app, { value, ...expiry });
        const answer = {
          ...publicView("oauth_app_secrets", row),
          ...(own.secret === undefined ? { client_secret: value } : {}),
        };
        if (own.secret === undefined) terminal.err("Keep the client_secret: it is not shown again.\n");
        print(terminal, options, answer, own.secret === undefined ? value : `added ${row.id}`);
      });
    });

  group
    .command("revoke-secret")
    .description("revoke one secret of an app at once")
    .argument("<client_id>")
    .argument("<secret_id>", "its id, as `app get` shows it")
    .action(async (client_id: string, secret_id: string, _, command: Command) => {
      const options = command.optsWithGlobals();
      const [{ getApp }, { revokeAppSecret }] = await Promise.all([
        import("../admin/apps.ts"),
        import("../admin/app_secrets.ts"),
      ]);
      await withContext(terminal, options, async (context) => {
        const row = await revokeAppSecret(context, await getApp(context, client_id), secret_id);
        print(terminal, options, publicView("oauth_app_secrets", row), `revoked ${row.id}`);
      });
    });
}
