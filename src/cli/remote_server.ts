/** A server elsewhere, through its management API. */

import type { Resource } from "../admin/manage/resource.ts";
import type { ManifestResult } from "../admin/manifest/apply_manifest.ts";
import type { ExportedManifest } from "../admin/manifest/export.ts";
import { ApiProblem } from "../client/client.ts";
import { readShortId } from "../crypto/short_ids.ts";
import type { Refusal } from "../records/definition/definition.ts";
import type { PublicView } from "../records/definition/view.ts";
import { isUuid } from "../records/formats/check.ts";
import type { RemoteAccess } from "./remote_access.ts";
import { remoteRecords, serverAt } from "./remote_records.ts";
import type { ServerSource } from "./server_source.ts";
import { WrongUsage } from "./terminal.ts";

/** Notices of the server go to `warn`. Throws `WrongUsage` for an address that is none. */
export async function remoteServer(
  access: RemoteAccess,
  warn: (message: string) => void,
): Promise<ServerSource> {
  const { resourceOf } = await import("../admin/resources/resources.ts");
  const client = serverAt(access, warn);
  const records = await remoteRecords(client);

  /** The record that a refusal is about; without its name where it is gone or the caller may not read it. */
  async function party(resource: Resource, id: string | null) {
    if (id === null) return undefined;
    try {
      const { name } = await records.get(resource, id);
      return { id, ...(typeof name === "string" && { name }) };
    } catch (error) {
      if (error instanceof ApiProblem && ["not_found", "forbidden"].includes(error.code)) return { id };
      throw error;
    }
  }

  return {
    ...records,
    brand: async () => (await client.server()).brand,
    async statistics(period, organization_id) {
      const statistics = await (organization_id === undefined
        ? client.statistics({ period })
        : client.organizations.getStatistics(organization_id, { period }));
      if (statistics.counts === undefined)
        throw new Error("the server's answer has no statistics of Postern");
      return statistics;
    },
    async explain(id) {
      const refusals = resourceOf("refusals");
      const short_id = readShortId(id);
      const { data } = short_id === undefined ? { data: [] } : await records.list(refusals, { short_id });
      const found = data[0] ?? (isUuid(id) ? await records.get(refusals, id) : undefined);
      if (found === undefined) throw new Error(`there is no refusal "${id.slice(0, 40)}"`);
      const refusal = dated(found);
      const [app, user] = await Promise.all([
        party(resourceOf("apps"), refusal.app_id),
        party(resourceOf("users"), refusal.user_id),
      ]);
      return { refusal, ...(app && { app }), ...(user && { user }) };
    },
    introspect: (token) => client.introspect({ token }),
    invitations: async (organization_id) =>
      (await client.organizations.listInvitations(organization_id).page()).data,
    async invite(organization_id, { email, role }, inviter) {
      refuseInviter(inviter);
      const asked = { email, role } as Parameters<typeof client.organizations.createInvitation>[1];
      return { invitation: await client.organizations.createInvitation(organization_id, asked) };
    },
    async inviteAgain(organization_id, id, inviter) {
      refuseInviter(inviter);
      return { invitation: await client.organizations.sendInvitationAgain(organization_id, id) };
    },
    withdraw: (organization_id, id) => client.organizations.revokeInvitation(organization_id, id),
    sendPasswordReset: (user_id) => client.users.sendPasswordReset(user_id),
    exportUserData: (user_id) => client.users.exportData(user_id),
    async apply(manifest, { dryRun, prune }) {
      const asked = {
        manifest: manifest as Record<string, unknown>,
        ...(dryRun === true && { dry_run: true }),
        ...(prune === true && { prune: true }),
      };
      const result = await client.apply(asked);
      if (result.created === undefined || result.secrets === undefined)
        throw new Error("the server's answer is no result of Postern");
      return result as unknown as ManifestResult;
    },
    exportManifest: async () => (await client.export()) as unknown as ExportedManifest,
  };
}

/** The server elsewhere knows who asks. */
function refuseInviter(inviter: string | undefined): void {
  if (inviter !== undefined)
    throw new WrongUsage("--inviter is for the machine of the server: elsewhere you invite as yourself");
}

/** The refusal with its moments as dates, as the database has it. */
function dated(view: PublicView): Refusal {
  const { created_at, expires_at } = view;
  return {
    ...view,
    created_at: new Date(String(created_at)),
    expires_at: new Date(String(expires_at)),
  } as unknown as Refusal;
}
