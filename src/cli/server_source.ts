/** What commands ask of a server beside its records: the one of this machine, or one elsewhere. */

import type { ApplyOptions, ManifestResult } from "../admin/manifest/apply_manifest.ts";
import type { ExportedManifest } from "../admin/manifest/export.ts";
import type { Period } from "../admin/reports/dashboard.ts";
import type { TokenReport } from "../admin/reports/inspect_token.ts";
import type { ExplainedRefusal } from "../admin/reports/refusals.ts";
import type { StatisticsView } from "../admin/reports/statistics_view.ts";
import type { PublicView } from "../records/definition/view.ts";
import type { RecordSource } from "./record_source.ts";

/** An invitation that was made; the link is there where no mail brings it. */
export interface MadeInvitation {
  readonly invitation: PublicView;
  readonly link?: string;
}

export interface ServerSource extends RecordSource {
  /** What the pages are called and look like where no organization's brand is shown. */
  brand(): Promise<Readonly<Record<string, unknown>>>;
  statistics(period: Period, organization_id: string | undefined): Promise<StatisticsView>;
  /** By its short id or its UUID. Throws not found. */
  explain(id: string): Promise<Omit<ExplainedRefusal, "audited">>;
  introspect(token: string): Promise<TokenReport>;
  invitations(organization_id: string): Promise<readonly PublicView[]>;
  /** Throws `WrongUsage` without an inviter where nobody has signed in, and with one where somebody has. */
  invite(organization_id: string, asked: Invited, inviter: string | undefined): Promise<MadeInvitation>;
  inviteAgain(organization_id: string, id: string, inviter: string | undefined): Promise<MadeInvitation>;
  withdraw(organization_id: string, id: string): Promise<void>;
  /** Sends the link for a new password; answers it where no mail brings it. */
  sendPasswordReset(user_id: string): Promise<SentReset>;
  /** All rows that are the user's own, as JSON. */
  exportUserData(user_id: string): Promise<object>;
  apply(manifest: unknown, options: ApplyOptions): Promise<ManifestResult>;
  exportManifest(): Promise<ExportedManifest>;
}

/** A link for a new password, which works for so many seconds. */
interface SentReset {
  readonly user_id: string;
  readonly expires_in: number;
  readonly link?: string;
}

interface Invited {
  readonly email: string;
  readonly role: string;
}
