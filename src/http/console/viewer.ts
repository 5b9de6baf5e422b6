/** The user who looks at the console, and the parts of it that they may see. */
import type { FastifyInstance } from "fastify";
import { permissionsAnywhere } from "../../admin/access/access.ts";
import { type AdminContext, permissionsOfActor } from "../../admin/access/actor.ts";
import { isSensitive } from "../../admin/access/sensitive.ts";
import type { ResourceType } from "../../records/permissions.ts";
import type { ConsoleLocale, ConsoleUser } from "../../web/console/console_frame.ts";
import { managementLocale } from "../../web/words/management_locale.ts";
import type { ManagementLocale } from "../../web/words/page_locale.ts";
import type { HttpContext } from "../context.ts";
import { type PageContext, type PostOptions, personPages } from "../page_context.ts";
import { presented } from "./presentations.ts";
import { showsApiNames } from "./view_choices.ts";

export interface ConsolePerson extends PageContext {
  readonly locale: ManagementLocale;
  /** What every page of the console takes. */
  readonly page: ConsoleLocale;
}

async function viewerOf(admin: AdminContext, name: string): Promise<Omit<ConsoleUser, "api_names">> {
  const actorPermissions = await permissionsOfActor(admin);
  const held = permissionsAnywhere(actorPermissions);
  return {
    name,
    is_platform_admin: actorPermissions.platform,
    resourceTypes: new Map(
      presented.flatMap(([resourceType, { section }]) =>
        held.has(`${resourceType}:read`) ? [[resourceType, section]] : [],
      ),
    ),
  };
}

/** Routes of the console's pages; see `personPages`. */
export function consolePages(app: FastifyInstance, context: HttpContext) {
  return personPages<ConsolePerson>(app, context, async (person, request) => {
    const viewer = {
      ...(await viewerOf(person.admin, person.signedIn.user.name)),
      api_names: showsApiNames(request),
    };
    const locale = managementLocale(person.locale);
    return { ...person, locale, page: { ...locale, viewer } };
  });
}

/** Whether a form that writes records of this type waits for a fresh proof of who the person is (SU-6). */
export function sudoFor(resourceType: ResourceType): PostOptions {
  return isSensitive(resourceType) ? { sudo: true } : {};
}
