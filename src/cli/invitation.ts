import { type Command, Option } from "commander";
import type { AdminContext } from "../admin/access/actor.ts";
import { roles } from "../records/names.ts";
import type { PublicView } from "../records/view.ts";
import { withContext } from "./command_context.ts";
import { idOf } from "./record_names.ts";
import { recordText } from "./record_text.ts";
import { listTable } from "./table.ts";
import { type Options, print, shown, type Terminal } from "./terminal.ts";

const columns = ["id", "email", "role", "expires_at"] as const;

/** A link that was made, which is printed once: the command line sends no mail. */
interface Made {
  link?: string;
}

/**
 * `postern invitation list|create|revoke|send-again`, each with the slug of the organization. The link is
 * printed, because nothing here sends mail.
 */
export function invitationCommand(program: Command, terminal: Terminal): void {
  const group = program.command("invitation").description("invite people into an organization");

  group
    .command("list")
    .description("list the open invitations of an organization")
    .argument("<organization>")
    .action(async (name: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const { openInvitations } = await import("../admin/invitations/invitation_acts.ts");
      await withContext(terminal, options, async (context) => {
        const data = await openInvitations(context, await idOf(context, "organizations", name));
        const rows = data.map((each) => columns.map((column) => shown(each[column])));
        print(terminal, options, { data, next_cursor: null }, listTable(columns, rows, terminal.screen));
      });
    });

  const inviter = new Option("--inviter <email>", "the user who invites, and has to be allowed to");
  group
    .command("create")
    .description("invite a person; the link is printed once")
    .argument("<organization>")
    .argument("<email>")
    .addOption(new Option("--role <role>", "the role they will have").choices(roles).default("member"))
    .addOption(inviter.makeOptionMandatory())
    .action(async (name: string, email: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const { askToJoin } = await import("../admin/invitations/ask_to_join.ts");
      await withContext(terminal, options, async (context) => {
        const { by, made } = await invitingAs(context, String(options.inviter));
        const organization_id = await idOf(context, "organizations", name);
        const asked = { organization_id, email, role: String(options.role) };
        printWithLink(terminal, options, await askToJoin(by, asked), made);
      });
    });

  group
    .command("send-again")
    .description("make a new link for an open invitation; it is printed once, and the old one ends")
    .argument("<organization>")
    .argument("<id>")
    .addOption(inviter)
    .action(async (name: string, id: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const { sendInvitationAgain } = await import("../admin/invitations/invitation_acts.ts");
      await withContext(terminal, options, async (context) => {
        const { by, made } = await invitingAs(context, String(options.inviter));
        const organization_id = await idOf(context, "organizations", name);
        printWithLink(terminal, options, await sendInvitationAgain(by, organization_id, id), made);
      });
    });

  group
    .command("revoke")
    .description("end an open invitation: its link works no more")
    .argument("<organization>")
    .argument("<id>")
    .action(async (name: string, id: string, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const { withdrawInvitation } = await import("../admin/invitations/invitations.ts");
      await withContext(terminal, options, async (context) => {
        await withdrawInvitation(context, await idOf(context, "organizations", name), id);
        print(terminal, options, { revoked: id }, `Invitation revoked: ${id}`);
      });
    });
}

/** The context of the user with this address, who invites; `made` gets the link. Throws 404 `not_found`. */
async function invitingAs(context: AdminContext, email: string): Promise<{ by: AdminContext; made: Made }> {
  const id = await idOf(context, "users", email);
  const user = await context.store.find("users", { id });
  const made: Made = {};
  if (user === undefined) throw new Error(`there is no user ${email}`);
  const by: AdminContext = {
    ...context,
    actor: { kind: "user", user },
    onInvitation: ({ token }) => {
      made.link = `${context.issuer ?? ""}/invitation?token=${token}`;
    },
  };
  return { by, made };
}

function printWithLink(terminal: Terminal, options: Options, invitation: PublicView, { link }: Made): void {
  const whole = { ...invitation, link };
  print(terminal, options, whole, recordText(whole, terminal.screen));
}
