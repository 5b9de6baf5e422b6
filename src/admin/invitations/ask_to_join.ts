import { type FieldFault, Problem } from "../../errors.ts";
import { checkNew } from "../../records/check.ts";
import { roles } from "../../records/names.ts";
import { nilUuid } from "../../records/nil_uuid.ts";
import type { PublicView } from "../../records/view.ts";
import type { AdminContext } from "../access/actor.ts";
import { type Input, invalidRecord } from "../faults.ts";
import { forbidden } from "../guards/rules.ts";
import { recordView } from "../record_view.ts";
import {
  type InvitationFault,
  type InvitationOutcome,
  inviteMember,
  mostOpenInvitations,
} from "./invitations.ts";

/** Stands where the user of a membership would: nobody knows yet who that will be. */
const nobody = nilUuid;

/**
 * Asks whoever has the e-mail in `asked` to become a member, and answers the invitation: the same for every
 * address, but for those of members whom the actor can see anyway. The link goes by mail alone. Throws 403
 * `forbidden`, 404 `not_found`, 409 `conflict`, 409 `mail_off`, 422 `invalid_record`, 429 `throttled`.
 */
export async function askToJoin(context: AdminContext, asked: Input): Promise<PublicView> {
  if (asked.user_id !== undefined) {
    const message = "only a platform administrator adds people by id: give an email, and they are asked";
    throw forbidden("nobody becomes a member without saying yes", [{ path: "/user_id", message }]);
  }
  const { email, organization_id, role } = soundInvitation(asked);
  if (context.onInvitation === undefined) {
    throw new Problem(
      409,
      "mail_off",
      `people are asked by mail, and this server sends none: make a link at /console/organizations/${organization_id}/invite`,
    );
  }
  const outcome = await inviteMember(context, organization_id, { email, role });
  if (outcome.type === "refused") throw refusalOf(outcome);
  return recordView("invitations", outcome.invitation);
}

/** Throws 422 `invalid_record` for what could never be an invitation, whoever asks. */
function soundInvitation(asked: Input): { email: string; organization_id: string; role: string } {
  const { email, ...given } = asked;
  const { faults, record } = checkNew("memberships", { ...given, user_id: nobody }, { id: nobody });
  const all: FieldFault[] = faults.filter(({ path }) => !["/created_at", "/updated_at"].includes(path));
  if (typeof email !== "string") all.push({ path: "/email", message: "is required, as text" });
  if (given.permissions != null) {
    all.push({ path: "/permissions", message: "can be given once they are a member" });
  }
  if (all.length > 0 || typeof email !== "string") throw invalidRecord("memberships", all);
  return { email, organization_id: record.organization_id, role: record.role };
}

const invalid: Readonly<Partial<Record<InvitationFault, FieldFault>>> = {
  email: { path: "/email", message: "must be an e-mail address" },
  role: { path: "/role", message: `must be one of ${roles.join(", ")}` },
  inactive: { path: "/organization_id", message: "is switched off" },
};

function refusalOf({ fault, retry_after }: Extract<InvitationOutcome, { type: "refused" }>): Problem {
  const wrong = invalid[fault];
  if (wrong !== undefined) return invalidRecord("memberships", [wrong]);
  switch (fault) {
    case "member":
      return new Problem(409, "conflict", "they are a member already", [
        { path: "/email", message: "is that of a member" },
      ]);
    case "role_above":
      return forbidden("this is not yours to give", [
        { path: "/role", message: "is above your own, or grants what you do not hold" },
      ]);
    case "invited_above":
      return forbidden("somebody else invited them to a role above your own");
    case "too_many_open":
      return new Problem(409, "conflict", `${mostOpenInvitations} invitations are open: withdraw one first`);
    default:
      return new Problem(429, "throttled", "too many invitations: come back later", [], {
        ...(retry_after !== undefined && { retry_after }),
      });
  }
}
