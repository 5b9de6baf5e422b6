/** `/dev`: the page of `postern dev` on which a new user clicks through the code flow. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { requiresPushes } from "../../oauth/core/rules_for.ts";
import type { AuthorizationServer } from "../../oauth/core/server.ts";
import { keepNewest } from "../../records/names/document_cache.ts";
import { devPage } from "../../web/pages/dev_page.ts";
import { managementLocale } from "../../web/words/management_locale.ts";
import {
  beginFlow,
  exchangeCode,
  type FlowContext,
  forgetTokens,
  handleCallback,
  requestClientCredentials,
  tokenActions,
} from "../flow_run.ts";
import { formOf } from "../form.ts";
import { localeOf } from "../language.ts";
import { sendPage } from "../page.ts";
import { type DevClient, type DevDemo, type DevRun, nextActions } from "./dev_flow.ts";

/** The caller supplies these functions, because this folder may not use randomness or PKCE. */
export interface DevOptions extends DevDemo {
  readonly random: () => string;
  readonly pkceChallenge: (verifier: string) => string;
}

const cookieName = "postern_dev";
const newestStep = "/dev#last";
const mostWalks = 100;

export function devRoutes(
  app: FastifyInstance,
  server: AuthorizationServer,
  options: DevOptions,
  outbox_href?: string,
): void {
  const runs = new Map<string, DevRun>();
  const redirect_uri = `${server.issuer}/dev/callback`;

  function runOf(request: FastifyRequest, reply: FastifyReply): DevRun {
    const known = request.cookies[cookieName] ?? "";
    const found = runs.get(known);
    if (found !== undefined) return found;
    const id = options.random();
    const run: DevRun = { steps: [] };
    keepNewest(runs, id, run, mostWalks);
    reply.setCookie(cookieName, id, { path: "/dev", httpOnly: true, sameSite: "lax" });
    return run;
  }

  const clientOf = (request: FastifyRequest): DevClient | undefined => {
    const client_id = formOf(request).get("client_id");
    return options.clients.find((client) => client.client_id === client_id);
  };

  const flowAs = (client: DevClient, run: DevRun): FlowContext => ({
    app,
    issuer: server.issuer,
    redirect_uri,
    client,
    run,
    pushes: requiresPushes(server),
  });

  app.get("/dev", async (request, reply) => {
    const run = runOf(request, reply);
    const locale = managementLocale(localeOf(request));
    const page = devPage({
      ...locale,
      steps: run.steps,
      clients: options.clients,
      users: options.users,
      actions: nextActions(run, options, locale.words),
      outbox_href,
    });
    return sendPage(reply, page);
  });

  app.post("/dev/start", async (request, reply) => {
    const run = runOf(request, reply);
    const client = clientOf(request);
    if (client === undefined) return reply.redirect(newestStep, 303);
    run.client = client;
    const verifier = options.random();
    const challenge = options.pkceChallenge(verifier);
    const marks = { verifier, challenge, state: options.random(), nonce: options.random() };
    return reply.redirect((await beginFlow(flowAs(client, run), client, marks)) ?? newestStep, 303);
  });

  app.get("/dev/callback", async (request, reply) => {
    const run = runOf(request, reply);
    if (run.client !== undefined) handleCallback(flowAs(run.client, run), request.url);
    return reply.redirect(newestStep, 303);
  });

  app.post("/dev/machine", async (request, reply) => {
    const run = runOf(request, reply);
    const client = clientOf(request);
    if (client !== undefined) {
      run.client = client;
      await requestClientCredentials(flowAs(client, run), client);
    }
    return reply.redirect(newestStep, 303);
  });

  for (const [name, act] of Object.entries({ token: exchangeCode, ...tokenActions })) {
    app.post(`/dev/${name}`, async (request, reply) => {
      const run = runOf(request, reply);
      if (run.client !== undefined) await act(flowAs(run.client, run));
      return reply.redirect(newestStep, 303);
    });
  }

  app.post("/dev/reset", async (request, reply) => {
    const run = runOf(request, reply);
    run.steps = [];
    delete run.client;
    forgetTokens(run);
    return reply.redirect(newestStep, 303);
  });
}
