import { type Command, Option } from "commander";
import { roles } from "../records/names/names.ts";
import { recordText } from "./record_text.ts";
import type { MadeInvitation } from "./server_source.ts";
import { listTable } from "./table.ts";
import { type Options, print, shown, type Terminal } from "./terminal.ts";
import { withServer } from "./with_server.ts";

const columns = ["id", "email", "role", "expires_at"] as const;

/**
 * `postern invitation list|create|revoke|send-again`, each with the slug of the organization. On the machine
 * of the server the link is printed, because nothing there sends mail; elsewhere the server sends it.
 */
export function invitationCommand(program: Command, terminal: Terminal): void {
  const group = program.command("invitation").description("invite people into an organization");

  group
    .command("list")
    .description("list the open invitations of an organization")
    .argument("<organization>")
    .action(async (name: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withServer(terminal, options, async (server) => {
        const data = await server.invitations(await server.idOf("organizations", name));
        const rows = data.map((each) => columns.map((column) => shown(each[column])));
        print(terminal, options, { data, next_cursor: null }, listTable(columns, rows, terminal.screen));
      });
    });

  const inviter = new Option(
    "--inviter <email>",
    "the user who invites, and has to be allowed to; with --remote or --server it is you",
  );
  group
    .command("create")
    .description("invite a person; the link is printed once, or sent by a server elsewhere")
    .argument("<organization>")
    .argument("<email>")
    .addOption(new Option("--role <role>", "the role they will have").choices(roles).default("member"))
    .addOption(inviter)
    .action(async (name: string, email: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      await withServer(terminal, options, async (server) => {
        const id = await server.idOf("organizations", name);
        const asked = { email, role: String(options.role) };
        printMade(terminal, options, await server.invite(id, asked, inviterIn(options)));
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
        const organization_id = await server.idOf("organizations", name);
        printMade(terminal, options, await server.inviteAgain(organization_id, id, inviterIn(options)));
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
        await server.withdraw(await server.idOf("organizations", name), id);
        print(terminal, options, { revoked: id }, `Invitation revoked: ${id}`);
      });
    });
}

function inviterIn({ inviter }: Options): string | undefined {
  return typeof inviter === "string" ? inviter : undefined;
}

function printMade(terminal: Terminal, options: Options, { invitation, link }: MadeInvitation): void {
  const whole = { ...invitation, ...(link !== undefined && { link }) };
  print(terminal, options, whole, recordText(whole, terminal.screen));
}
