/** Whoever looks at the console, and what of it there is for them. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { heldAnywhere } from "../../admin/access.ts";
import { type AdminContext, authorityOf } from "../../admin/actor.ts";
import { families } from "../../records/permissions.ts";
import type { ConsoleReader, Viewer } from "../../web/console/console_frame.ts";
import type { HttpContext } from "../context.ts";
import { forPerson, type Person } from "../person.ts";

export interface ConsolePerson extends Person {
  /** What every page of the console takes. */
  readonly page: ConsoleReader;
}

async function viewerOf(admin: AdminContext, name: string): Promise<Viewer> {
  const authority = await authorityOf(admin);
  const held = heldAnywhere(authority);
  return {
    name,
    is_platform_admin: authority.platform,
    families: families.filter((family) => held.has(`${family}:read`)),
  };
}

/** Answers with what `answer` makes for whoever is signed in; see `forPerson`. */
export function forViewer(
  context: HttpContext,
  answer: (person: ConsolePerson, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>,
) {
  return forPerson(context, async (person, request, reply) => {
    const viewer = await viewerOf(person.admin, person.signedIn.user.name);
    return answer({ ...person, page: { ...person.reader, viewer } }, request, reply);
  });
}
