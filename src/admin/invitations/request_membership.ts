import { detail } from "../../errors/details.ts";
import { type FieldError, fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { type PublicView, publicView } from "../../records/definition/view.ts";
import { checkNew } from "../../records/formats/check.ts";
import { nilUuid } from "../../records/names/ids.ts";
import { roles } from "../../records/names/names.ts";
import type { AdminContext } from "../access/actor.ts";
import { type Input, invalidRecord } from "../access/errors.ts";
import { forbidden } from "../guards/rules.ts";
import {
  type InvitationError,
  type InvitationOutcome,
  inviteMember,
  mostOpenInvitations,
} from "./invitations.ts";

/**
 * Sends an invitation to the email address in `requested` and returns it without the link. The response does
 * not reveal whether the address has an account, unless the actor can see that account's membership. Throws
 * 403 `forbidden`, 404 `not_found`, 409 `conflict` or `mail_off`, 422 `invalid_record`, 429 `throttled`.
 */
export async function requestMembership(context: AdminContext, requested: Input): Promise<PublicView> {
  if (requested.user_id !== undefined) {
    throw forbidden(detail("member_by_consent"), [fieldError("/user_id", "platform_adds_by_id")]);
  }
  const { email, organization_id, role } = soundInvitation(requested);
  const { role_ids, app_role_ids } = requested;
  if (context.onInvitation === undefined) {
    throw new Problem("mail_off", detail("mail_off", { organization_id }));
  }
  const outcome = await inviteMember(context, organization_id, { email, role, role_ids, app_role_ids });
  if (outcome.type === "refused") throw refusalOf(outcome);
  return publicView("invitations", outcome.invitation);
}

function soundInvitation(requested: Input): { email: string; organization_id: string; role: string } {
  // These lists may contain names, which `inviteMember` resolves once it has checked the actor's permission.
  const { email, role_ids: _roles, app_role_ids: _app_roles, ...input } = requested;
  const { errors, record } = checkNew("memberships", { ...input, user_id: nilUuid }, { id: nilUuid });
  const all: FieldError[] = errors.filter(({ path }) => !["/created_at", "/updated_at"].includes(path));
  if (typeof email !== "string") all.push(fieldError("/email", "required_text"));
  if (input.permissions != null) all.push(fieldError("/permissions", "not_yet_member"));
  if (all.length > 0 || typeof email !== "string") throw invalidRecord("memberships", all);
  return { email, organization_id: record.organization_id, role: record.role };
}

const invalid: Readonly<Partial<Record<InvitationError, FieldError>>> = {
  email: fieldError("/email", "not_email"),
  role: fieldError("/role", "not_one_of", { values: roles }),
  inactive: fieldError("/organization_id", "switched_off"),
};

function refusalOf({ error, retry_after, fields }: Extract<InvitationOutcome, { type: "refused" }>): Problem {
  if (fields !== undefined) return invalidRecord("memberships", fields);
  const wrong = invalid[error];
  if (wrong !== undefined) return invalidRecord("memberships", [wrong]);
  switch (error) {
    case "member":
      return new Problem("conflict", detail("already_member"), [fieldError("/email", "already_member")]);
    case "role_above":
      return forbidden(detail("not_yours_to_give"), [fieldError("/role", "role_above_or_beyond")]);
    case "invited_above":
      return forbidden(detail("invited_above"));
    case "look_alike":
      return new Problem("conflict", detail("invited_alike"), [fieldError("/email", "taken")]);
    case "too_many_open":
      return new Problem("conflict", detail("too_many_invitations", { invitations: mostOpenInvitations }));
    default:
      return new Problem("throttled", detail("invitations_throttled"), [], {
        ...(retry_after !== undefined && { retry_after }),
      });
  }
}
