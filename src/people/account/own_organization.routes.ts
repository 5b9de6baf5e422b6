import type { FastifyInstance, FastifyReply } from "fastify";
import { removeRecord } from "../../admin/manage/manage.ts";
import { memberships } from "../../admin/resources/people.ts";
import { Problem } from "../../errors.ts";
import { sendPage } from "../../http/page.ts";
import { shownPicture } from "../../http/pictures.ts";
import { permissionsOfMembership, scopeOf } from "../../records/definition/permissions.ts";
import { permissionDescriptions } from "../../web/scope_descriptions.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import {
  type AccountPerson,
  accountPages,
  backTo,
  ownRecord,
  type Shown,
} from "../core/pages/account_person.http.ts";
import { endingPage } from "./ending.page.ts";
import { type ListedMembership, ownOrganizationsPage } from "./own_organizations.page.ts";
import { type OwnOrganization, ownOrganizations } from "./own_organizations.ts";

const path = "/account/organizations";

function listed(
  { membership, organization }: OwnOrganization,
  locale: PageLocale,
  context: HttpContext,
): ListedMembership {
  const { id, role, created_at: since } = membership;
  const { name, active } = organization;
  const logo_url = shownPicture(organization.logo_url, context) ?? null;
  const permissions = permissionDescriptions([...permissionsOfMembership(membership)].map(scopeOf), locale);
  return { id, name, logo_url, role, since, off: !active, permissions };
}

export function ownOrganizationRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);
  const { identity } = context;

  pages.get(path, async ({ signedIn, page, done }, _, reply) => {
    const found = await ownOrganizations(signedIn.user, identity);
    const answer = ownOrganizationsPage({
      ...page,
      memberships: found.map((each) => listed(each, page, context)),
      done,
    });
    return sendPage(reply, answer);
  });

  async function sendLeave(
    { signedIn, page, csrf_token }: AccountPerson,
    reply: FastifyReply,
    { id, role, organization_id }: Shown<"memberships">,
    last_owner: boolean,
  ): Promise<FastifyReply> {
    const all = await ownOrganizations(signedIn.user, identity);
    const name = all.find(({ organization }) => organization.id === organization_id)?.organization.name ?? "";
    const answer = endingPage({
      ...page,
      ending: { kind: "organization", role, last_owner },
      name,
      action: `${path}/${id}/leave`,
      csrf_token,
      keep_href: path,
    });
    return sendPage(reply, answer, { status: last_owner ? 409 : 200 });
  }

  pages.get(`${path}/:id/leave`, async (person, _request, reply) =>
    sendLeave(person, reply, await ownRecord(person, memberships), false),
  );

  pages.post(`${path}/:id/leave`, async (person, _request, reply) => {
    const membership = await ownRecord(person, memberships);
    try {
      await removeRecord(person.admin, memberships, membership.id);
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "last_owner") throw error;
      return sendLeave(person, reply, membership, true);
    }
    return backTo(reply, path, "organization_left");
  });
}
