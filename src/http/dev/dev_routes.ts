/**
 * `/dev`: the page of `postern dev` on which a newcomer clicks through the code flow. Only served on demo
 * data.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AuthorizationServer } from "../../oauth/server.ts";
import { devPage } from "../../web/pages/dev_page.ts";
import {
  beginFlow,
  exchangeCode,
  type FlowContext,
  forgetTokens,
  handleCallback,
  introspectToken,
  refreshTokens,
  requestClientCredentials,
  requestUserinfo,
  revokeTokens,
} from "../flow_run.ts";
import { formOf } from "../form.ts";
import { readerOf } from "../language.ts";
import { sendPage } from "../page.ts";
import { type DevClient, type DevDemo, type DevWalk, nextActions } from "./dev_flow.ts";

/** What the walk needs from elsewhere: randomness and PKCE are not made in this room. */
export interface DevOptions extends DevDemo {
  /** A fresh random text, base64url. */
  readonly random: () => string;
  readonly challengeOf: (verifier: string) => string;
}

const cookieName = "postern_dev";
/** Where every action leads back to. */
const newestStep = "/dev#last";
/** Walks kept at most; the oldest is forgotten first. */
const mostWalks = 100;

export function devRoutes(
  app: FastifyInstance,
  server: AuthorizationServer,
  options: DevOptions,
  outbox_href?: string,
): void {
  const walks = new Map<string, DevWalk>();
  const redirect_uri = `${server.issuer}/dev/callback`;

  function walkOf(request: FastifyRequest, reply: FastifyReply): DevWalk {
    const known = request.cookies[cookieName] ?? "";
    const found = walks.get(known);
    if (found !== undefined) return found;
    const id = options.random();
    if (walks.size >= mostWalks) walks.delete(walks.keys().next().value ?? "");
    const walk: DevWalk = { steps: [] };
    walks.set(id, walk);
    reply.setCookie(cookieName, id, { path: "/dev", httpOnly: true, sameSite: "lax" });
    return walk;
  }

  const clientOf = (request: FastifyRequest): DevClient | undefined => {
    const client_id = formOf(request).get("client_id");
    return options.clients.find((client) => client.client_id === client_id);
  };

  const walkingAs = (client: DevClient, walk: DevWalk): FlowContext => ({
    app,
    issuer: server.issuer,
    redirect_uri,
    client,
    walk,
  });

  app.get("/dev", async (request, reply) => {
    const walk = walkOf(request, reply);
    const reader = readerOf(request);
    const page = devPage({
      ...reader,
      steps: walk.steps,
      clients: options.clients,
      users: options.users,
      actions: nextActions(walk, options, reader.words),
      outbox_href,
    });
    return sendPage(reply, page);
  });

  app.post("/dev/start", async (request, reply) => {
    const walk = walkOf(request, reply);
    const client = clientOf(request);
    if (client === undefined) return reply.redirect(newestStep, 303);
    walk.client = client;
    const verifier = options.random();
    const challenge = options.challengeOf(verifier);
    const marks = { verifier, challenge, state: options.random(), nonce: options.random() };
    return reply.redirect(beginFlow(walkingAs(client, walk), client, marks), 303);
  });

  app.get("/dev/callback", async (request, reply) => {
    const walk = walkOf(request, reply);
    if (walk.client !== undefined) handleCallback(walkingAs(walk.client, walk), request.url);
    return reply.redirect(newestStep, 303);
  });

  app.post("/dev/machine", async (request, reply) => {
    const walk = walkOf(request, reply);
    const client = clientOf(request);
    if (client !== undefined) {
      walk.client = client;
      await requestClientCredentials(walkingAs(client, walk), client);
    }
    return reply.redirect(newestStep, 303);
  });

  const actions = {
    token: exchangeCode,
    userinfo: requestUserinfo,
    introspect: introspectToken,
    refresh: refreshTokens,
    revoke: revokeTokens,
  };
  for (const [name, act] of Object.entries(actions)) {
    app.post(`/dev/${name}`, async (request, reply) => {
      const walk = walkOf(request, reply);
      if (walk.client !== undefined) await act(walkingAs(walk.client, walk));
      return reply.redirect(newestStep, 303);
    });
  }

  app.post("/dev/reset", async (request, reply) => {
    const walk = walkOf(request, reply);
    walk.steps = [];
    delete walk.client;
    forgetTokens(walk);
    return reply.redirect(newestStep, 303);
  });
}
