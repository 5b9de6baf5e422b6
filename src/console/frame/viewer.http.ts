import type { FastifyInstance } from "fastify";
import { permissionsAnywhere } from "../../admin/access/access.ts";
import { type AdminContext, permissionsOfActor } from "../../admin/access/actor.ts";
import { isSensitive } from "../../admin/access/sensitive.ts";
import { Problem } from "../../errors.ts";
import { sendPage } from "../../http/page.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import {
  type GetOptions,
  type PageAnswer,
  type PageContext,
  type PostOptions,
  personPages,
} from "../../people/core/pages/person_pages.http.ts";
import type { User } from "../../records/definition/definition.ts";
import { type ResourceType, resourceTypes } from "../../records/definition/permissions.ts";
import { codeOf } from "../../web/words/language.ts";
import { managementLocale } from "../../web/words/management_locale.ts";
import type { ManagementLocale } from "../../web/words/page_locale.ts";
import { chosenOrganization } from "./chosen_organization.http.ts";
import type { ConsoleLocale, ConsoleUser } from "./console_frame.view.ts";
import { missingPage } from "./missing.page.ts";
import { keptChoice } from "./view_choices.http.ts";

export interface ConsoleSender extends Omit<PageContext, "locale"> {
  language(): string;
  shown(): Promise<ConsolePerson>;
}

export interface ConsolePerson extends ConsoleSender {
  readonly locale: ManagementLocale;
  readonly page: ConsoleLocale;
  readonly within: string | undefined;
}

async function viewerOf(
  admin: AdminContext,
  { name, email }: User,
): Promise<Omit<ConsoleUser, "api_names" | "organizations">> {
  const actorPermissions = await permissionsOfActor(admin);
  const held = permissionsAnywhere(actorPermissions);
  return {
    name,
    email,
    is_platform_admin: actorPermissions.platform,
    resourceTypes: new Set(resourceTypes.filter((resourceType) => held.has(`${resourceType}:read`))),
  };
}

/**
 * Returns the functions that register console pages (see `personPages`). Use `submit` for forms that usually
 * redirect: what pages display is loaded only if needed.
 */
export function consolePages(app: FastifyInstance, context: HttpContext) {
  const pages = personPages<ConsoleSender>(app, context, async (person, request) => {
    const { admin, csrf_token, signedIn, params, id } = person;
    const language = () => codeOf(managementLocale(person.locale).language);
    const sender = { admin, csrf_token, signedIn, params, id, language };
    const shown = async (): Promise<ConsolePerson> => {
      const organization = await chosenOrganization(admin, keptChoice(request, "organization"));
      const viewer = {
        ...(await viewerOf(admin, signedIn.user)),
        version: context.version,
        api_names: keptChoice(request, "api_names") === "on",
        organizations: organization && { ...organization, csrf_token },
      };
      const locale = managementLocale(person.locale);
      const within = organization?.within;
      const seen: ConsolePerson = {
        ...sender,
        locale,
        page: { ...locale, viewer },
        within,
        shown: async () => seen,
      };
      return seen;
    };
    return { ...sender, shown };
  });
  return {
    get(path: string, answer: PageAnswer<ConsolePerson>, options?: GetOptions): void {
      const orMissing: PageAnswer<ConsoleSender> = async (sender, request, reply) => {
        const person = await sender.shown();
        try {
          return await answer(person, request, reply);
        } catch (error) {
          if (!(error instanceof Problem) || error.status !== 404) throw error;
          return sendPage(reply, missingPage(person.page), { status: 404 });
        }
      };
      pages.get(path, orMissing, options);
    },
    post(path: string, answer: PageAnswer<ConsolePerson>, options?: PostOptions): void {
      pages.post(
        path,
        async (sender, request, reply) => answer(await sender.shown(), request, reply),
        options,
      );
    },
    submit: pages.post,
  };
}

/** Registers the page for unknown URLs below `/console/`. */
export function missingRoutes(app: FastifyInstance, context: HttpContext): void {
  consolePages(app, context).get("/console/*", async ({ page }, _request, reply) =>
    sendPage(reply, missingPage(page), { status: 404 }),
  );
}

/** Enough for a record's own fields and the attributes that the server and an organization define for it. */
const most_fields = 500;

/**
 * Returns the options of a form that writes records of this type. Sensitive types require a recent sign-in
 * (SU-6).
 */
export function sudoFor(resourceType: ResourceType): PostOptions {
  return { most_fields, ...(isSensitive(resourceType) && { sudo: true }) };
}
