/** The user who looks at the console, and the parts of it that they may see. */
import type { FastifyInstance } from "fastify";
import { permissionsAnywhere } from "../../admin/access/access.ts";
import { type AdminContext, authorityOf } from "../../admin/access/actor.ts";
import type { ConsoleReader, ConsoleUser } from "../../web/console/console_frame.ts";
import type { HttpContext } from "../context.ts";
import { type PageContext, personPages } from "../person.ts";
import { presented } from "./presentations.ts";

export interface ConsolePerson extends PageContext {
  /** What every page of the console takes. */
  readonly page: ConsoleReader;
}

async function viewerOf(admin: AdminContext, name: string): Promise<ConsoleUser> {
  const authority = await authorityOf(admin);
  const held = permissionsAnywhere(authority);
  return {
    name,
    is_platform_admin: authority.platform,
    resourceTypes: new Map(
      presented.flatMap(([resourceType, { section }]) =>
        held.has(`${resourceType}:read`) ? [[resourceType, section]] : [],
      ),
    ),
  };
}

/** Routes of the console's pages; see `personPages`. */
export function consolePages(app: FastifyInstance, context: HttpContext) {
  return personPages<ConsolePerson>(app, context, async (person) => {
    const viewer = await viewerOf(person.admin, person.signedIn.user.name);
    return { ...person, page: { ...person.reader, viewer } };
  });
}
