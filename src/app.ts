import type { IncomingMessage, Server } from "node:http";
import type { Socket } from "node:net";
import cookie from "@fastify/cookie";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { apiDocumentRoutes, ownDataSchemaRoute } from "./api/document_routes.ts";
import { apiOverHttp } from "./api/over_http.ts";
import { tryRoutes } from "./api/try_routes.ts";
import { consoleRoutes } from "./console/console.routes.ts";
import { OAuthError, UnavailableError } from "./errors.ts";
import { assetsRoutes } from "./http/assets_routes.ts";
import { brandRoutes, serverBrand } from "./http/branding.ts";
import { anyOrigin } from "./http/cors.ts";
import { refuseOthers } from "./http/dev/dev_guard.ts";
import { type DevOptions, devRoutes } from "./http/dev/dev_routes.ts";
import { type OutboxSource, outboxRoutes } from "./http/dev/outbox_routes.ts";
import { answerError, answerUnavailable, answerUnknown, unavailableLog } from "./http/error_answers.ts";
import { bodyLimit, readBodies } from "./http/form.ts";
import { healthRoutes } from "./http/health_routes.ts";
import { languageRoutes } from "./http/language_routes.ts";
import { showToNamedOrigin } from "./http/named_origins.ts";
import { oauthRoutes } from "./http/oauth/oauth_routes.ts";
import { hidesRegistration, registrationRoutes } from "./http/oauth/registration_routes.ts";
import { signalsRoutes } from "./http/oauth/signals_routes.ts";
import { wellKnownRoutes } from "./http/oauth/well_known_routes.ts";
import { pictureSources } from "./http/pictures.ts";
import { rateLimits } from "./http/rate_limits.ts";
import {
  clientAddresses,
  forwardingHeader,
  namesOneHost,
  routeOf,
  trustedProxies,
  warnOfUntrustedProxy,
} from "./http/request_origin.ts";
import { type RouteMethods, routeMethods } from "./http/route_methods.ts";
import { schemaless } from "./http/schemaless.ts";
import { securityHeaders } from "./http/security_headers.ts";
import { type AdmissionLimits, admission, admitRequests } from "./http/serving/admission.ts";
import { type ClosingTimes, closeGently, usualTimes } from "./http/serving/closing.ts";
import { type FastRoute, fastPath, type HandedOver } from "./http/serving/fast_path.ts";
import { createHttpServer } from "./http/serving/http_server.ts";
import { malformed, refuseConnection } from "./http/serving/refused_connection.ts";
import { isOwnPlace, targetOf } from "./http/target.ts";
import { type RequestTracing, traceRequests } from "./http/traced_requests.ts";
import { accountRoutes } from "./people/account/account.routes.ts";
import { undoDeletionRoutes } from "./people/account/endings/undo_deletion.routes.ts";
import { allAuthenticators } from "./people/authenticators/all_authenticators.http.ts";
import { passkeyEndpointsRoutes } from "./people/authenticators/passkeys/passkey_endpoints.routes.ts";
import { passkeyOfferRoutes } from "./people/authenticators/passkeys/passkey_offer.http.ts";
import { passkeyUpgradeRoutes } from "./people/authenticators/passkeys/passkey_upgrade.http.ts";
import { relatedOriginsRoutes } from "./people/authenticators/passkeys/related_origins.routes.ts";
import { passwordRoutes } from "./people/authenticators/password/password.routes.ts";
import type { HttpContext } from "./people/core/http_context.http.ts";
import { authorizeRoutes } from "./people/entry/authorize.routes.ts";
import { endSessionRoutes, homeRoutes } from "./people/entry/home.routes.ts";
import { answerOutOfDate } from "./people/entry/login_answer.http.ts";
import { passkeySignInRoutes } from "./people/entry/passkey_sign_in.routes.ts";
import { secondFactorRoutes } from "./people/entry/second_factor.routes.ts";
import { setupRoutes } from "./people/entry/setup.routes.ts";
import { signInRoutes } from "./people/entry/sign_in.routes.ts";
import { signUpRoutes } from "./people/entry/sign_up.routes.ts";
import { providerRoutes } from "./people/providers/provider.routes.ts";
import { providerContinueRoutes } from "./people/providers/provider_continue.routes.ts";
import { type Language, languages } from "./web/words/language.ts";

declare module "fastify" {
  interface FastifyInstance {
    readonly route_methods: RouteMethods;
  }
}

// Exported for the test kit (`kit/`), which sends the same challenges and session cookies as the server.
export { challengeHeaders } from "./http/challenge.ts";
export { cookieName } from "./http/cookies.ts";
// Exported for `server/stop_budget.ts`, which calculates from these times how long a shutdown may take.
export { usualTimes as closingTimes } from "./http/serving/closing.ts";
export { followRecoveries } from "./people/authenticators/recovery/recovery_notices.http.ts";
// Exported for `server/`, which emails users about automatic deletions, and administrators about webhook
// endpoints that the server disabled.
export { postNotice } from "./people/core/notices/account_notices.http.ts";
export { endpointNotices } from "./people/core/notices/endpoint_notice.http.ts";

export interface AppOptions
  extends Omit<HttpContext, "rate_limits" | "unavailable" | "languages" | "authenticators"> {
  readonly languages?: readonly Language[];
  /** IP addresses and CIDR ranges of proxies whose `X-Forwarded-For` header is trusted (H-4). */
  readonly trust_proxy: readonly string[];
  readonly dev?: DevOptions | undefined;
  readonly outbox?: OutboxSource | undefined;
  readonly closing?: ClosingTimes;
  readonly admission?: AdmissionLimits;
  readonly tracing?: RequestTracing | undefined;
  readonly http_server?: Server | undefined;
  /** The connections that `http_server` already has. */
  readonly connections?: Iterable<Socket> | undefined;
}

/**
 * Creates the whole application. Closing it waits for running requests; the caller then closes the store and
 * the mailer.
 */
export function createApp({
  trust_proxy,
  dev,
  outbox,
  closing = usualTimes,
  admission: limits,
  tracing,
  http_server,
  connections = [],
  ...input
}: AppOptions): FastifyInstance {
  const context = {
    languages,
    ...input,
    authenticators: allAuthenticators,
    rate_limits: rateLimits(input.server.settings.api_rate_limit),
    unavailable: unavailableLog(input.log),
  };
  const { log, metrics, identity, secure } = context;
  const headers = securityHeaders(secure);
  const methods = routeMethods();
  const isTrusted = trustedProxies(trust_proxy);
  const clientAddress = clientAddresses(isTrusted);
  const newRequestId = requestIds(identity.store.newId(identity.now()));
  const app: FastifyInstance = fastify({
    ...schemaless,
    logger: false,
    bodyLimit,
    // The error handlers of `http_server` are removed, because `clientErrorHandler` below replaces them.
    serverFactory: () =>
      http_server?.removeAllListeners("clientError") ??
      createHttpServer().on("request", (request, response) => app.routing(request, response)),
    return503OnClosing: false,
    // With the default timeout of ten seconds, the shutdown would fail. It also applies to close hooks, which
    // wait for running requests for up to ten seconds (`closing.ts`).
    pluginTimeout: 0,
    exposeHeadRoutes: false,
    routerOptions: {
      maxParamLength: 255,
      // `queryOf` reads the query instead, because it distinguishes repeated parameters from single ones.
      querystringParser: () => ({}),
    },
    genReqId: newRequestId,
    clientErrorHandler: (error, socket) => refuseConnection(error, socket, methods.at),
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply.headers(headers.browser), context);
    },
  });

  if (tracing !== undefined) traceRequests(app, tracing);
  // Hooks on every request use callbacks: a promise for each would cost as much as the hook's own work.
  app.addHook("onRequest", (request, reply, done) => {
    if (!namesOneHost(request.raw)) {
      reply.code(400).headers(headers.program).header("connection", "close").send(malformed);
      return;
    }
    const { first_headers = headers[isOwnPlace(request.url) ? "own" : "browser"] } =
      request.routeOptions.config;
    reply.headers(first_headers);
    done();
  });
  warnOfUntrustedProxy(app, isTrusted, context);
  if (dev !== undefined) refuseOthers(app, context.server.issuer);
  app.addHook("onResponse", (request, reply, done) => {
    const route = routeOf(request);
    const { method } = request;
    const seconds = reply.elapsedTime / 1000;
    metrics?.observe(
      "postern_http_request_duration_seconds",
      { route, method, status: String(reply.statusCode) },
      seconds,
    );
    log.debug({ request_id: request.id, method, route, status: reply.statusCode, seconds }, "answered");
    done();
  });

  const exchanges = closeGently(app, log, closing, connections);
  const handed_over = new WeakMap<IncomingMessage, HandedOver>();
  app.addHook("preHandler", ({ raw }, _reply, done) => {
    const { error } = handed_over.get(raw) ?? {};
    if (error === undefined) done();
    else done(error as Error);
  });
  const admit = admission(limits);
  admitRequests(app, admit);

  const shared = anyOrigin(context.server);
  const fast_routes: FastRoute[] = [];
  app.addHook("onRoute", (route) => {
    methods.add(route.url, [route.method].flat());
    const { kept, errorFormat = "page", any_origin } = route.config ?? {};
    const page = isOwnPlace(route.url) ? "own" : "browser";
    const first = headers[kept ? "kept" : errorFormat === "page" ? page : "program"];
    const first_headers = any_origin ? { ...first, ...shared } : first;
    route.config = { ...route.config, first_headers };
    const hasHooks = [route.onRequest ?? []].flat().length > 0;
    const { fast } = route.config;
    if (fast === undefined || hasHooks) return;
    for (const method of [route.method].flat().filter((each) => each !== "HEAD"))
      fast_routes.push({ method, path: route.url, headers: first_headers, answer: fast });
  });
  const unknown = async (request: FastifyRequest, reply: FastifyReply) => {
    const { path } = targetOf(request);
    const hidden = await hidesRegistration(path, context.server);
    if (path.startsWith("/api/v1/")) showToNamedOrigin(request, reply, context.server);
    return answerUnknown(request, reply, hidden ? undefined : methods.at(path), context);
  };
  app.setNotFoundHandler(unknown);
  app.setErrorHandler((error, request, reply) =>
    request.is404 && !(error instanceof OAuthError)
      ? unknown(request, reply)
      : answerError(error, request, reply, context),
  );

  app.decorate("route_methods", methods);
  app.decorate("brand", serverBrand(context.brand ?? {}));
  app.decorate("languages", context.languages);
  app.decorate("docs_url", context.docs_url);
  app.decorate("secure_address", context.secure ? context.server.issuer : undefined);
  app.decorate("picture_sources", pictureSources(context));
  app.decorateRequest("requested_languages", undefined);
  app.decorateRequest("found_signed_in", undefined);
  app.decorateRequest("counted_as", undefined);
  app.decorateRequest("client_ip", {
    getter() {
      return clientAddress(this.raw);
    },
  });
  readBodies(app, 0, (request) => handed_over.get(request)?.body);
  oauthRoutes(app, context);
  registrationRoutes(app, context);
  wellKnownRoutes(app, context);
  signalsRoutes(app, context);
  relatedOriginsRoutes(app, context);
  passkeyEndpointsRoutes(app, context);
  assetsRoutes(app);
  brandRoutes(app, context);
  healthRoutes(app, context);
  const apiDocument = apiDocumentRoutes(app, context);
  // Only pages parse cookies; parsing them for every client would slow each request down.
  app.register(async (pages) => {
    await pages.register(cookie);
    authorizeRoutes(pages, context);
    signInRoutes(pages, context);
    providerRoutes(pages, context, answerOutOfDate);
    providerContinueRoutes(pages, context);
    undoDeletionRoutes(pages, context);
    secondFactorRoutes(pages, context);
    passkeySignInRoutes(pages, context);
    passkeyOfferRoutes(pages, context);
    passkeyUpgradeRoutes(pages, context);
    languageRoutes(pages, context);
    homeRoutes(pages, context);
    endSessionRoutes(pages, context);
    setupRoutes(pages, context);
    passwordRoutes(pages, context);
    signUpRoutes(pages, context);
    accountRoutes(pages, context);
    ownDataSchemaRoute(pages, context);
    consoleRoutes(pages, context);
    pages.register(async (api) => apiOverHttp(api, context));
    tryRoutes(pages, context, apiDocument);
    if (dev !== undefined) devRoutes(pages, context.server, dev, outbox && "/dev/outbox");
    if (outbox !== undefined) outboxRoutes(pages, outbox);
  });
  // Tracing and `postern dev` use hooks of the framework, so with them no request may take the fast path.
  if (tracing !== undefined || dev !== undefined) return app;
  const isUnusual = ({ headers, socket }: IncomingMessage) =>
    forwardingHeader(headers) !== undefined && !isTrusted(socket.remoteAddress);
  const parts = { handed_over, admit, exchanges, clientAddress, isUnusual, newRequestId, log, metrics };
  app.routing = fastPath(fast_routes, { ...parts, otherwise: app.routing });
  return app;
}

interface WaitingOptions extends Pick<HttpContext, "log" | "brand" | "secure"> {
  readonly reason: () => UnavailableError | undefined;
}

/** Creates the application that runs until the database is available. */
export function createWaitingApp({ log, brand, secure, reason }: WaitingOptions): FastifyInstance {
  const headers = securityHeaders(secure);
  const app = fastify({
    ...schemaless,
    logger: false,
    exposeHeadRoutes: false,
    genReqId: requestIds("waiting"),
  });
  app.addHook("onRequest", (request, reply, done) => {
    const { errorFormat = "page" } = request.routeOptions.config;
    reply.headers(headers[errorFormat === "page" ? "browser" : "program"]);
    done();
  });
  app.decorate("route_methods", routeMethods());
  app.decorate("brand", serverBrand(brand ?? {}));
  app.decorate("languages", languages);
  app.decorate("docs_url", undefined);
  app.decorate("secure_address", undefined);
  app.decorate("picture_sources", pictureSources({ brand }));
  app.decorateRequest("requested_languages", undefined);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", (_request, payload, done) => {
    payload.resume();
    done(null);
  });
  const ready = async () => {
    const error = reason();
    return { ready: false, components: error ? { database: error.kind } : { server: "starting" } };
  };
  healthRoutes(app, { ready, log });
  const lines = { unavailable: unavailableLog(log) };
  const starting = new UnavailableError("slow", "startup is still in progress", undefined);
  const unavailable = (request: FastifyRequest, reply: FastifyReply) =>
    answerUnavailable(reason() ?? starting, request, reply, lines);
  app.setNotFoundHandler(unavailable);
  app.setErrorHandler((_error, request, reply) => unavailable(request, reply));
  return app;
}

function requestIds(start: string): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `${start}.${count.toString(36)}`;
  };
}
