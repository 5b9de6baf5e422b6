/** The server of this machine, by its database and its settings. */
import { type AdminContext, sealerOf } from "../admin/access/actor.ts";
import { serverMemory } from "../oauth/core/memory.ts";
import type { Environment } from "../server/environment.ts";
import { localRecords } from "./local_records.ts";
import { idOf } from "./record_names.ts";
import type { MadeInvitation, ServerSource } from "./server_source.ts";
import { WrongUsage } from "./terminal.ts";

export async function localServer(
  context: AdminContext,
  { config, store }: Environment,
): Promise<ServerSource> {
  return {
    ...(await localRecords(context)),
    brand: async () => config.brand,
    async statistics(period, organization_id) {
      const [{ statisticsOf }, { statisticsView }] = await Promise.all([
        import("../admin/reports/dashboard.ts"),
        import("../admin/reports/statistics_view.ts"),
      ]);
      return statisticsView(await statisticsOf(context, { period, organization_id }));
    },
    async explain(id) {
      const { explainRefusal } = await import("../admin/reports/refusals.ts");
      return explainRefusal(context, id);
    },
    async introspect(token) {
      const { inspectToken } = await import("../admin/reports/inspect_token.ts");
      return inspectToken(context, token);
    },
    async invitations(organization_id) {
      const { openInvitations } = await import("../admin/invitations/invitation_acts.ts");
      return openInvitations(context, organization_id);
    },
    async invite(organization_id, asked, inviter) {
      const { askToJoin } = await import("../admin/invitations/ask_to_join.ts");
      return invited(context, inviter, (by) => askToJoin(by, { organization_id, ...asked }));
    },
    async inviteAgain(organization_id, id, inviter) {
      const { sendInvitationAgain } = await import("../admin/invitations/invitation_acts.ts");
      return invited(context, inviter, (by) => sendInvitationAgain(by, organization_id, id));
    },
    async withdraw(organization_id, id) {
      const { withdrawInvitation } = await import("../admin/invitations/invitations.ts");
      await withdrawInvitation(context, organization_id, id);
    },
    async sendPasswordReset(user_id) {
      const [{ makeResetLetter, resetLinkMinutes }, { recordEvent }] = await Promise.all([
        import("../people/authenticators/password/password_reset.ts"),
        import("../admin/changes/audit.ts"),
      ]);
      const user = await context.store.find("users", { id: user_id });
      if (user === undefined) throw new Error(`there is no user ${user_id}`);
      const origin = { client_ip: null, user_agent: null, request_id: context.store.newId(context.now()) };
      const identity = {
        ...context,
        ...{ store, sealer: sealerOf(context), memory: serverMemory(), throttle: false, report() {} },
      };
      const letter = await makeResetLetter({ email: user.email, origin }, identity);
      if (letter?.type !== "link")
        throw new Error(
          "no link for a new password: the account is switched off, or has other ways in alone",
        );
      const of_user = { target_table: "users", target_id: user_id, details: {} } as const;
      await recordEvent(context, { type: "password_reset_request", ...of_user });
      const link = `${context.issuer ?? ""}/reset-password?token=${letter.token}`;
      return { user_id, expires_in: resetLinkMinutes * 60, link };
    },
    async exportUserData(user_id) {
      const [{ noteUserExport }, { ownData }] = await Promise.all([
        import("../admin/records/export_user.ts"),
        import("../people/account/export_data.ts"),
      ]);
      const user = await noteUserExport(context, user_id);
      let text = "";
      for await (const part of ownData(user, { ...context, store })) text += part;
      return JSON.parse(text) as object;
    },
    async apply(manifest, options) {
      const { applyManifest } = await import("../admin/manifest/apply_manifest.ts");
      return applyManifest(manifest, context, options);
    },
    async exportManifest() {
      const { exportManifest } = await import("../admin/manifest/export.ts");
      return exportManifest(context);
    },
  };
}

/** Invites as the user with this address. The link is kept, because nothing here sends mail. */
async function invited(
  context: AdminContext,
  inviter: string | undefined,
  work: (by: AdminContext) => Promise<MadeInvitation["invitation"]>,
): Promise<MadeInvitation> {
  if (inviter === undefined) throw new WrongUsage("--inviter is required: the user who invites");
  const user = await context.store.find("users", { id: await idOf(context, "users", inviter) });
  if (user === undefined) throw new Error(`there is no user ${inviter}`);
  let link: string | undefined;
  const invitation = await work({
    ...context,
    actor: { kind: "user", user },
    onInvitation: ({ token }) => {
      link = `${context.issuer ?? ""}/invitation?token=${token}`;
    },
  });
  return { invitation, ...(link !== undefined && { link }) };
}
