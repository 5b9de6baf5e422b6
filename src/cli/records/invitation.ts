import { type Command, Option } from "commander";
import type { PublicView } from "../../records/definition/view.ts";
import { roles } from "../../records/names/names.ts";
import { recordText } from "../core/record_text.ts";
import { listTable } from "../core/table.ts";
import { type Options, print, shown, type Terminal } from "../core/terminal.ts";
import type { Server } from "../server/server.ts";
import { withServer } from "../server/with_server.ts";

const columns = ["id", "email", "role", "expires_at"] as const;

/**
 * Adds `postern invitation`. On the server's own machine, the command prints the link of a new invitation,
 * because it sends no email. A remote server sends the link by email.
 */
export function invitationCommand(program: Command, terminal: Terminal): void {
  const group = program.command("invitation").description("invite people to an organization");

  group
    .command("list")
    .description("list the open invitations of an organization")
    .argument("<organization>")
    .action(async (name: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withServer(terminal, options, async (server) => {
        const { data } = await server.call<{ data: readonly PublicView[] }>(
          "GET",
          await invitationsOf(server, name),
          { answer: "page" },
        );
        const rows = data.map((each) => columns.map((column) => shown(each[column])));
        print(terminal, options, { data, next_cursor: null }, listTable(columns, rows, terminal.screen));
      });
    });

  const inviter = new Option(
    "--inviter <email>",
    "the inviting user, who needs the permission to invite; with --remote or --server it is you",
  );
  group
    .command("create")
    .description("invite a person; the link is printed once, or emailed by a remote server")
    .argument("<organization>")
    .argument("<email>")
    .addOption(new Option("--role <role>", "the role of the new member").choices(roles).default("member"))
    .option("--roles <name...>", "additional roles of the new member, by name or ID")
    .option(
      "--app-roles <name...>",
      "app roles of the new member, each by ID, or as the API's identifier, # and the role's name",
    )
    .addOption(inviter)
    .action(async (name: string, email: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withServer(terminal, options, async (server) => {
        const path = await invitationsOf(server, name);
        const { roles: role_ids, appRoles: app_role_ids } = options;
        const body = { email, role: String(options.role), role_ids, app_role_ids };
        const made = await server.inviting(inviterIn(options), (by) =>
          by.call("POST", path, { body, holds: "id", keyed: true }),
        );
        printMade(terminal, options, made);
      });
    });

  group
    .command("send-again")
    .description("create a new link for an open invitation; the old one stops working")
    .argument("<organization>")
    .argument("<id>")
    .addOption(inviter)
    .action(async (name: string, id: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withServer(terminal, options, async (server) => {
        const path = await invitationsOf(server, name);
        const made = await server.inviting(inviterIn(options), (by) =>
          by.call("POST", [...path, id, "send-again"], { holds: "id", keyed: true }),
        );
        printMade(terminal, options, made);
      });
    });

  group
    .command("revoke")
    .description("revoke an open invitation; its link stops working")
    .argument("<organization>")
    .argument("<id>")
    .action(async (name: string, id: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withServer(terminal, options, async (server) => {
        const path = [...(await invitationsOf(server, name)), id, "revoke"];
        await server.call("POST", path, { answer: "nothing", keyed: true });
        print(terminal, options, { revoked: id }, `Invitation revoked: ${id}`);
      });
    });
}

const invitationsOf = async (server: Server, organization: string) => [
  ...["organizations", await server.idOf("organizations", organization), "invitations"],
];

function inviterIn({ inviter }: Options): string | undefined {
  return typeof inviter === "string" ? inviter : undefined;
}

function printMade(
  terminal: Terminal,
  options: Options,
  { invitation, link }: Awaited<ReturnType<Server["inviting"]>>,
): void {
  const whole = { ...invitation, ...(link !== undefined && { link }) };
  print(terminal, options, whole, recordText(whole, terminal.screen));
}
