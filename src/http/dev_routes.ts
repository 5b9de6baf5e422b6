/** `/dev`: the page of `postern dev` on which a newcomer clicks through the code flow. Only served on demo data. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AuthorizationServer } from "../oauth/server.ts";
import { type DevStep, devPage } from "../web/dev_page.ts";
import { type DevClient, type DevDemo, decodedClaims, nextActions, type Walk } from "./dev_walk.ts";
import { formOf } from "./form.ts";
import { readerOf } from "./language.ts";
import { sendPage } from "./page.ts";

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

interface Answer {
  readonly status: number;
  readonly json: Record<string, unknown>;
}

export function devRoutes(
  app: FastifyInstance,
  server: AuthorizationServer,
  options: DevOptions,
  outbox_href?: string,
): void {
  const walks = new Map<string, Walk>();
  const redirect_uri = `${server.issuer}/dev/callback`;

  function walkOf(request: FastifyRequest, reply: FastifyReply): Walk {
    const known = request.cookies[cookieName] ?? "";
    const found = walks.get(known);
    if (found !== undefined) return found;
    const id = options.random();
    if (walks.size >= mostWalks) walks.delete(walks.keys().next().value ?? "");
    const walk: Walk = { steps: [] };
    walks.set(id, walk);
    reply.setCookie(cookieName, id, { path: "/dev", httpOnly: true, sameSite: "lax" });
    return walk;
  }

  const clientOf = (request: FastifyRequest): DevClient | undefined => {
    const client_id = formOf(request).get("client_id");
    return options.clients.find((client) => client.client_id === client_id);
  };

  /** Sends a form to one of our own endpoints as the application would, and keeps both sides of it as a step. */
  async function send(
    walk: Walk,
    kind: DevStep["kind"],
    path: string,
    form: Record<string, string> | undefined,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const body = form && new URLSearchParams(form).toString();
    const sent = {
      ...headers,
      ...(body !== undefined && { "content-type": "application/x-www-form-urlencoded" }),
    };
    const method = body === undefined ? "GET" : "POST";
    const response = await app.inject({
      method,
      url: path,
      headers: sent,
      ...(body !== undefined && { payload: body }),
    });
    const json = response.json<Record<string, unknown>>();
    const decoded = decodedClaims(json.id_token ?? json.access_token);
    walk.steps.push({
      kind,
      request: { method, url: server.issuer + path, headers: sent, body },
      response: {
        status: response.statusCode,
        headers: { "content-type": String(response.headers["content-type"]) },
        body: response.body,
      },
      decoded,
    });
    return { status: response.statusCode, json };
  }

  const basic = ({ client_id, secret }: DevClient): Record<string, string> =>
    secret === undefined
      ? {}
      : {
          authorization: `Basic ${Buffer.from(`${encodeURIComponent(client_id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
        };

  /** A public client names itself in the form; a confidential one is named by its header. */
  const identification = ({ client_id, secret }: DevClient): Record<string, string> =>
    secret === undefined ? { client_id } : {};

  function keepTokens(walk: Walk, { json }: Answer): void {
    if (typeof json.access_token === "string") walk.access_token = json.access_token;
    if (typeof json.refresh_token === "string") walk.refresh_token = json.refresh_token;
  }

  app.get("/dev", async (request, reply) => {
    const walk = walkOf(request, reply);
    const reader = readerOf(request);
    const page = devPage({
      ...reader,
      steps: walk.steps,
      clients: options.clients,
      users: options.users,
      actions: nextActions(walk, options, reader.words.dev.actions),
      outbox_href,
    });
    return sendPage(reply, page);
  });

  app.post("/dev/start", async (request, reply) => {
    const walk = walkOf(request, reply);
    const client = clientOf(request);
    if (client === undefined) return reply.redirect(newestStep, 303);
    const verifier = options.random();
    const state = options.random();
    const query = new URLSearchParams({
      response_type: "code",
      client_id: client.client_id,
      redirect_uri,
      scope: client.scope,
      state,
      nonce: options.random(),
      code_challenge: options.challengeOf(verifier),
      code_challenge_method: "S256",
    });
    const url = `/oauth/authorize?${query}`;
    const step: DevStep = {
      kind: "start",
      request: { method: "GET", url: server.issuer + url },
    };
    Object.assign(walk, { steps: [step], client, verifier, state });
    forgetTokens(walk);
    return reply.redirect(url, 303);
  });

  app.get("/dev/callback", async (request, reply) => {
    const walk = walkOf(request, reply);
    const answer = new URL(request.url, server.issuer).searchParams;
    walk.steps.push({
      kind: answer.has("code") ? "callback" : "refused",
      request: { method: "GET", url: server.issuer + request.url },
    });
    const code = answer.get("code");
    if (code !== null && answer.get("state") === walk.state) walk.code = code;
    return reply.redirect(newestStep, 303);
  });

  app.post("/dev/token", async (request, reply) => {
    const walk = walkOf(request, reply);
    const { client, code, verifier } = walk;
    if (client !== undefined && code !== undefined && verifier !== undefined) {
      const form = { grant_type: "authorization_code", code, redirect_uri, code_verifier: verifier };
      const answer = await send(
        walk,
        "token",
        "/oauth/token",
        { ...form, ...identification(client) },
        basic(client),
      );
      delete walk.code;
      keepTokens(walk, answer);
    }
    return reply.redirect(newestStep, 303);
  });

  app.post("/dev/machine", async (request, reply) => {
    const walk = walkOf(request, reply);
    const client = clientOf(request);
    if (client !== undefined) {
      Object.assign(walk, { steps: [], client });
      forgetTokens(walk);
      const form = { grant_type: "client_credentials", scope: client.scope };
      keepTokens(walk, await send(walk, "machine", "/oauth/token", form, basic(client)));
    }
    return reply.redirect(newestStep, 303);
  });

  app.post("/dev/userinfo", async (request, reply) => {
    const walk = walkOf(request, reply);
    if (walk.access_token !== undefined) {
      await send(walk, "userinfo", "/oauth/userinfo", undefined, {
        authorization: `Bearer ${walk.access_token}`,
      });
    }
    return reply.redirect(newestStep, 303);
  });

  app.post("/dev/introspect", async (request, reply) => {
    const walk = walkOf(request, reply);
    if (walk.access_token !== undefined && walk.client !== undefined) {
      await send(walk, "introspect", "/oauth/introspect", { token: walk.access_token }, basic(walk.client));
    }
    return reply.redirect(newestStep, 303);
  });

  app.post("/dev/refresh", async (request, reply) => {
    const walk = walkOf(request, reply);
    const { client, refresh_token } = walk;
    if (client !== undefined && refresh_token !== undefined) {
      const form = { grant_type: "refresh_token", refresh_token, ...identification(client) };
      keepTokens(walk, await send(walk, "refresh", "/oauth/token", form, basic(client)));
    }
    return reply.redirect(newestStep, 303);
  });

  app.post("/dev/revoke", async (request, reply) => {
    const walk = walkOf(request, reply);
    const token = walk.refresh_token ?? walk.access_token;
    if (walk.client !== undefined && token !== undefined) {
      const form = { token, ...identification(walk.client) };
      await send(walk, "revoke", "/oauth/revoke", form, basic(walk.client));
    }
    return reply.redirect(newestStep, 303);
  });

  app.post("/dev/reset", async (request, reply) => {
    const walk = walkOf(request, reply);
    walk.steps = [];
    delete walk.client;
    forgetTokens(walk);
    return reply.redirect(newestStep, 303);
  });
}

function forgetTokens(walk: Walk): void {
  delete walk.code;
  delete walk.access_token;
  delete walk.refresh_token;
}
