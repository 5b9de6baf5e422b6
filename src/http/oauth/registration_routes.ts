/** The registration endpoint (RFC 7591, section 3). */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { AuthorizationServer } from "../../oauth/core/server.ts";
import { refuse } from "../../oauth/refusals/refuse.ts";
import { readMembers } from "../../oauth/registration/read_registration.ts";
import {
  offersRegistration,
  registerClient,
  takesRegistrations,
} from "../../oauth/registration/register_client.ts";
import { mostOf } from "../../oauth/registration/registration_limits.ts";
import { registrationScope } from "../../records/definition/permissions.ts";
import type { ShellContext } from "../context.ts";
import { answerPreflight, offerNonce } from "../cors.ts";
import { mediaTypeOf, type RawBody } from "../form.ts";
import { headerText, originOf } from "../request_origin.ts";

const path = "/oauth/register";
const jsonType = "application/json";

export function registrationRoutes(app: FastifyInstance, { server }: ShellContext): void {
  if (!takesRegistrations(server)) return;
  const requireOffer = async () => {
    if (!(await offersRegistration(server))) throw refuse("registration_closed");
  };
  const options = {
    config: { errorFormat: "json" as const, scope: registrationScope, any_origin: true },
    onRequest: [requireOffer, ...offerNonce(server)],
  };
  app.post(path, options, async (request, reply) => {
    const { authorization } = request.headers;
    const requested = { authorization, dpop: headerText(request, "dpop"), origin: originOf(request) };
    const answer = await registerClient(requested, () => readMembers(bytesOf(request)), server);
    return reply.code(201).send(answer);
  });
  // While the database is unavailable, the preflight succeeds: pages can read the error only in the response
  // to the request itself.
  answerPreflight(app, path, ["POST"], server, async () => {
    if (!(await offersRegistration(server).catch(() => true))) throw refuse("registration_closed");
  });
}

/**
 * Returns whether `requested` is the registration endpoint and registration is closed; also true for the
 * endpoint if the database is unavailable.
 */
export async function hidesRegistration(requested: string, server: AuthorizationServer): Promise<boolean> {
  return requested === path && !(await offersRegistration(server).catch(() => false));
}

function bytesOf(request: FastifyRequest): Uint8Array {
  const received = mediaTypeOf(request);
  if (received?.toLowerCase() !== jsonType) throw refuse("body_not_form", { received, expected: jsonType });
  const { bytes } = (request.body ?? { bytes: new Uint8Array() }) as RawBody;
  if (bytes === undefined || bytes.length > mostOf.body)
    throw refuse("body_too_large", { most: mostOf.body });
  return bytes;
}
