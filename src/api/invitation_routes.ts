import type { FastifyInstance, FastifyRequest } from "fastify";
import { requirePermission } from "../admin/access/access.ts";
import type { AdminContext } from "../admin/access/actor.ts";
import { openInvitations, sendInvitationAgain } from "../admin/invitations/invitation_acts.ts";
import { withdrawInvitation } from "../admin/invitations/invitations.ts";
import { requestMembership } from "../admin/invitations/request_membership.ts";
import type { StoredAnswer } from "../admin/manage/idempotency.ts";
import { resourceOf } from "../admin/resources/resources.ts";
import { detail } from "../errors/details.ts";
import { fieldError } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import { getAndHead } from "../http/get_and_head.ts";
import { apiBase } from "../http/route_methods.ts";
import { scopeOf } from "../records/definition/permissions.ts";
import type { PublicView } from "../records/definition/view.ts";
import type { ApiContext } from "./api_context.ts";
import { jsonBodyOf, jsonTypes } from "./json.ts";
import { declarations, idOf, jsonType, refuseMembers, sendOnce } from "./route_parts.ts";

const path = `${apiBase}/organizations/:id/invitations`;

export function invitationRoutes(app: FastifyInstance, context: ApiContext): void {
  const { readable, writable } = declarations("memberships");
  // Email addresses of invitees are shown only to callers who may also invite.
  const scope = `${readable.config.scope} ${scopeOf("memberships:write")}`;
  const listed = { ...readable, config: { ...readable.config, scope } };
  const organizationIn = (request: FastifyRequest) => idOf(request, resourceOf("organizations"));

  getAndHead(app, path, listed, async (request) => {
    const caller = await context.callerOf(request);
    return {
      data: await openInvitations(caller, organizationIn(request)),
      next_cursor: null,
      previous_cursor: null,
    };
  });

  app.post(path, writable, async (request, reply) => {
    const caller = await context.callerOf(request);
    const body = jsonBodyOf(request, jsonTypes);
    if (body === undefined) throw new Problem("invalid_json", detail("not_json_object"));
    const id = organizationIn(request);
    if (Object.hasOwn(body.value, "organization_id")) {
      throw new Problem("invalid_record", detail("wrong_operations"), [
        fieldError("/organization_id", "not_taken"),
      ]);
    }
    const work = async () =>
      answerWith(201, await requestMembership(caller, { ...body.value, organization_id: id }));
    return sendOnce(request, reply, caller, body.text, work, () => stillInvites(caller, id));
  });

  const acts: Readonly<
    Record<string, (caller: AdminContext, id: string, invitation: string) => Promise<StoredAnswer>>
  > = {
    revoke: async (caller, id, invitation) => {
      await withdrawInvitation(caller, id, invitation);
      return { status: 204, headers: {}, body: "" };
    },
    "send-again": async (caller, id, invitation) =>
      answerWith(200, await sendInvitationAgain(caller, id, invitation)),
  };
  for (const [name, act] of Object.entries(acts)) {
    const acting = `${path}/:invitation_id/${name}`;
    app.post(acting, writable, async (request, reply) => {
      const caller = await context.callerOf(request);
      const body = jsonBodyOf(request, jsonTypes);
      refuseMembers(body?.value ?? {});
      const id = organizationIn(request);
      const { invitation_id } = request.params as { invitation_id: string };
      const work = () => act(caller, id, invitation_id);
      return sendOnce(request, reply, caller, body?.text ?? "", work, () => stillInvites(caller, id));
    });
  }
}

function answerWith(status: number, invitation: PublicView): StoredAnswer {
  return { status, headers: { "content-type": jsonType }, body: JSON.stringify(invitation) };
}

async function stillInvites(caller: AdminContext, organization_id: string): Promise<undefined> {
  await requirePermission(caller, "memberships:write", "organizations", organization_id);
  return undefined;
}
