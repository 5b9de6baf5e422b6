/** `/console/apps/:id/try`: runs a flow of an app for a user who manages it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { permissionsOfActor } from "../../admin/access/actor.ts";
import { etagOf, inState, representation, updateRecord } from "../../admin/manage/manage.ts";
import { type AppState, appState } from "../../admin/reports/app_state.ts";
import { playgroundMarks, playgroundProof, playgroundSeconds } from "../../admin/reports/playgrounds.ts";
import { apps } from "../../admin/resources/apps.ts";
import {
  beginFlow,
  exchangeCode,
  type FlowContext,
  handleCallback,
  requestClientCredentials,
  revokeTokens,
  tokenActions,
} from "../../http/flow_run.ts";
import { sendPage } from "../../http/page.ts";
import { originOf } from "../../http/request_origin.ts";
import { targetOf } from "../../http/target.ts";
import {
  closePlaygroundCallback,
  openPlaygroundCallback,
  playgroundCallback,
} from "../../oauth/authorize/playground_callback.ts";
import { rulesFor } from "../../oauth/core/rules_for.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import type { PlaygroundWords } from "../../web/words/en/playground.ts";
import { type ConsolePerson, consolePages } from "../frame/viewer.http.ts";
import { appHead } from "./app_checks.http.ts";
import {
  choicesOf,
  closePlayground,
  currentPlayground,
  openPlayground,
  type Playground,
  playgroundActions,
  savePlayground,
  triableOf,
  withoutCredentials,
} from "./playground.http.ts";
import { playgroundPage } from "./playground.page.ts";

const dones: readonly (keyof PlaygroundWords["done"])[] = ["removed", "ended", "gone"];

export function playgroundRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { server } = context;
  const { issuer } = server;
  const triable = (state: AppState) => triableOf(state, rulesFor(state.app, server).authentication_methods);

  async function playgroundOf(person: ConsolePerson) {
    const { admin, signedIn } = person;
    const state = await appState(admin, person.id, "apps:write");
    const place = { session_id: signedIn.session.id, app_id: state.app.id };
    const path = `/console/apps/${state.app.id}/try`;
    return { admin, state, place, path };
  }

  const contextOf = (
    { admin, state: { app: record } }: Awaited<ReturnType<typeof playgroundOf>>,
    playground: Playground,
    request: FastifyRequest,
  ): FlowContext => {
    const { pushed_requests, bound_tokens } = rulesFor(record, server);
    const { proof_key } = playground;
    return {
      app,
      issuer,
      redirect_uri: playgroundCallback(issuer, record.id),
      client: { client_id: record.client_id, secret: playground.secret?.value },
      run: playground.walk,
      pushes: pushed_requests,
      prove: bound_tokens && proof_key !== undefined ? playgroundProof(admin, proof_key) : undefined,
      shown: withoutCredentials,
      origin: originOf(request),
    };
  };

  async function showPage(
    person: ConsolePerson,
    reply: FastifyReply,
    { status = 200, wrong_scopes = false } = {},
  ): Promise<FastifyReply> {
    const { admin, state, place } = await playgroundOf(person);
    const { app: record } = state;
    const playground = await currentPlayground(admin, place);
    const { unable, signs_in, sign_in_scopes, machine_scopes } = triable(state);
    const address = playgroundCallback(issuer, record.id);
    const able = unable.length === 0;
    const page = playgroundPage({
      ...person.page,
      app: appHead(state, server),
      csrf_token: person.csrf_token,
      unable,
      kept_address: signs_in && record.redirect_uris.includes(address) ? address : undefined,
      sign_in: able && signs_in ? { scopes: choicesOf(sign_in_scopes) } : undefined,
      machine: able && machine_scopes.length > 0 ? { scopes: choicesOf(machine_scopes) } : undefined,
      makes_secret: !record.public && playground?.secret === undefined,
      wrong_scopes,
      steps: playground?.walk.steps ?? [],
      actions: playground === undefined ? [] : playgroundActions(playground),
      seconds: playgroundSeconds,
      running: playground !== undefined,
      done: dones.find((word) => word === person.params.get("done")),
    });
    return sendPage(reply, page, { status });
  }

  pages.get("/console/apps/:id/try", (person, _request, reply) => showPage(person, reply));

  pages.post("/console/apps/:id/try/remove-address", async (person, _request, reply) => {
    const { admin, state, path } = await playgroundOf(person);
    const address = playgroundCallback(issuer, state.app.id);
    const redirect_uris = state.app.redirect_uris.filter((uri) => uri !== address);
    // Refuses the update if the app has changed meanwhile, so that no concurrent change is lost.
    const actorPermissions = await permissionsOfActor(admin);
    const seen = await inState(admin, apps, etagOf(representation(apps, state.app, actorPermissions)));
    await updateRecord(admin, apps, state.app.id, { redirect_uris }, seen);
    return reply.redirect(`${path}?done=removed`, 303);
  });

  for (const flow of ["start", "machine"] as const) {
    pages.post(`/console/apps/:id/try/${flow}`, async (person, request, reply) => {
      const tried = await playgroundOf(person);
      const { admin, state, place, path } = tried;
      const { unable, sign_in_scopes, machine_scopes, resource } = triable(state);
      const offered = flow === "start" ? sign_in_scopes : machine_scopes;
      if (unable.length > 0 || offered.length === 0) return reply.redirect(path, 303);
      const chosen = person.params.all("scope").filter((scope) => offered.includes(scope));
      if (chosen.length === 0) return showPage(person, reply, { status: 422, wrong_scopes: true });
      const playground = await openPlayground(admin, place, state);
      const context = contextOf(tried, playground, request);
      await revokeTokens(context);
      const requested = { scope: chosen.join(" "), resource };
      let next = `${path}#last`;
      if (flow === "start") {
        await openPlaygroundCallback(server, state.app.id, new Date(playground.ends_at));
      }
      if (flow === "start") next = (await beginFlow(context, requested, playgroundMarks(admin))) ?? next;
      else await requestClientCredentials(context, requested);
      await savePlayground(admin, place, playground);
      return reply.redirect(next, 303);
    });
  }

  pages.get(
    "/console/apps/:id/try/callback",
    async (person, request, reply) => {
      const tried = await playgroundOf(person);
      const { admin, place, path } = tried;
      const playground = await currentPlayground(admin, place);
      if (playground === undefined) return reply.redirect(`${path}?done=gone`, 302);
      const context = contextOf(tried, playground, request);
      handleCallback(context, targetOf(request).url);
      await exchangeCode(context);
      await savePlayground(admin, place, playground);
      return reply.redirect(`${path}#last`, 302);
    },
    // A HEAD request must not redeem the code, so the route does not accept it.
    { onHead: false },
  );

  for (const [name, act] of Object.entries(tokenActions)) {
    pages.post(`/console/apps/:id/try/${name}`, async (person, request, reply) => {
      const tried = await playgroundOf(person);
      const { admin, place, path } = tried;
      const playground = await currentPlayground(admin, place);
      if (playground === undefined) return reply.redirect(`${path}?done=gone`, 303);
      await act(contextOf(tried, playground, request));
      await savePlayground(admin, place, playground);
      return reply.redirect(`${path}#last`, 303);
    });
  }

  pages.post("/console/apps/:id/try/end", async (person, request, reply) => {
    const tried = await playgroundOf(person);
    const { admin, state, place, path } = tried;
    const playground = await currentPlayground(admin, place);
    if (playground === undefined) return reply.redirect(`${path}?done=gone`, 303);
    await revokeTokens(contextOf(tried, playground, request));
    await closePlayground(admin, place, playground);
    await closePlaygroundCallback(server, state.app.id);
    return reply.redirect(`${path}?done=ended`, 303);
  });
}
