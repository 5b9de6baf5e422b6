import type { FastifyInstance } from "fastify";
import { notFound } from "../admin/access/errors.ts";
import { organizationProfile } from "../admin/resources/organization_profile.ts";
import { sendPage } from "../http/page.ts";
import { localRedirect } from "../http/same_origin.ts";
import type { HttpContext } from "../people/core/http_context.http.ts";
import { allOrganizations, organizationsOf, organizationToWorkIn } from "./frame/chosen_organization.http.ts";
import { organizationPath } from "./frame/organization_switch.view.ts";
import { storeChoice } from "./frame/view_choices.http.ts";
import { consolePages } from "./frame/viewer.http.ts";
import { organizationPage } from "./organization.page.ts";
import { organizationProfilePage } from "./organization_profile.page.ts";

const mostOnPage = 50;

const ofOneList: readonly string[] = ["cursor", "from", "done", "organization_id"];

function pageBehind(return_to: string | undefined, issuer: string): string {
  const { url } = localRedirect(return_to, issuer);
  const { pathname, searchParams } = new URL(url, issuer);
  if (!pathname.startsWith("/console/") || pathname === organizationPath) return "/console";
  for (const name of ofOneList) searchParams.delete(name);
  return searchParams.size === 0 ? pathname : `${pathname}?${searchParams}`;
}

function profileRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  pages.get("/console/organizations/:id/profile", async ({ admin, page, id }, _request, reply) =>
    sendPage(reply, organizationProfilePage({ ...page, ...(await organizationProfile(admin, id)) })),
  );
}

/** `/console/organization`: chooses the organization to work in. */
export function organizationRoutes(app: FastifyInstance, context: HttpContext): void {
  profileRoutes(app, context);
  const pages = consolePages(app, context);
  const { issuer } = context.server;

  pages.get(organizationPath, async ({ admin, page, params, csrf_token }, _request, reply) => {
    const query = (params.get("q") ?? "").trim().slice(0, 200);
    const found = await organizationsOf(admin, mostOnPage, query);
    const chosen = page.viewer.organizations?.chosen;
    const back = pageBehind(params.get("return_to"), issuer);
    return sendPage(
      reply,
      organizationPage({ ...page, found: { ...found, chosen, csrf_token }, query, back }),
    );
  });

  pages.post(organizationPath, async ({ admin, params }, _request, reply) => {
    const id = params.get("organization") ?? "";
    const chosen = await organizationToWorkIn(admin, id);
    if (id !== "" && chosen === undefined) throw notFound("organizations", id);
    storeChoice(reply, "organization", chosen?.id ?? allOrganizations, context.secure);
    return reply.redirect(pageBehind(params.get("return_to"), issuer), 303);
  });
}
