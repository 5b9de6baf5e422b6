/** Keeps the port bound while one Fastify app replaces another, so that no other process can take it. */
import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { cannotListen } from "../../errors.ts";
import type { RouteMethods } from "../route_methods.ts";
import { createHttpServer } from "./http_server.ts";
import { refuseConnection } from "./refused_connection.ts";

interface ListenerOptions {
  readonly host: string;
  readonly port: number;
  readonly shared?: boolean;
}

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Maximum number of unanswered requests on one connection. Browsers and most libraries send one request at a
 * time.
 */
const mostUnanswered = 8;

/**
 * Closes a connection that sends many requests without waiting for responses (RFC 9112, section 9.3.2),
 * because each response would be buffered until it is read (H-3).
 */
export function boundedOnConnection(answer: Answer): Answer {
  const unanswered = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const waiting = (unanswered.get(socket) ?? 0) + 1;
    // Requests that arrived in the same TCP segment are still delivered after the connection is closed.
    if (socket.destroyed || waiting > mostUnanswered) {
      socket.destroy();
      return;
    }
    unanswered.set(socket, waiting);
    response.once("close", () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    answer(request, response);
  };
}

export interface AnsweringApp extends Pick<FastifyInstance, "routing" | "inject"> {
  /**
   * Declared here, because the type declarations in the published package do not contain this server's
   * additions to Fastify's types.
   */
  readonly route_methods: Pick<RouteMethods, "patterns">;
  ready(): PromiseLike<unknown>;
}

export interface Listener {
  readonly server?: Server;
  /** The open connections of `server`, including those from before the current app existed. */
  readonly connections?: ReadonlySet<Socket>;
  /**
   * If the operating system chooses the port, the call starts listening, and requests wait until an app
   * answers them.
   */
  port(): Promise<number>;
  /**
   * The previous app still answers the requests that it got. Throws an error with a sentence for the operator if the port
   * is unavailable.
   */
  answerWith(app: AnsweringApp): Promise<void>;
  /** Closes the port and its connections, unless they belong to another program. */
  close(): Promise<void>;
}

export interface OwnListener extends Listener {
  readonly server: Server;
  /** Passes requests to this app until `answerWith` is called. Throws as `answerWith` does. */
  answerMeanwhile(app: AnsweringApp): Promise<void>;
}

export function createListener({ host, port, shared = false }: ListenerOptions): OwnListener {
  const server = createHttpServer();
  const connections = new Set<Socket>();
  server.on("connection", (socket) => {
    connections.add(socket);
    socket.once("close", () => connections.delete(socket));
  });
  const waiting: [IncomingMessage, ServerResponse][] = [];
  let answering: Answer = (request, response) => waiting.push([request, response]);
  // All apps share one bound, so a connection that lasts through a hand-over gets no more requests.
  const bounded = boundedOnConnection((request, response) => answering(request, response));
  server.on("request", bounded);
  // An app that is created with this server replaces the handler with its own.
  server.on("clientError", (error, socket) => refuseConnection(error, socket as Socket));

  async function bind(wanted: number): Promise<number> {
    server.listen({ host, port: wanted });
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }

  async function stopListening(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    server.closeAllConnections();
    await closed;
  }

  async function open(): Promise<void> {
    if (server.listening) return;
    try {
      await bind(port);
    } catch (error) {
      const failure = error as NodeJS.ErrnoException;
      // `node:cluster` shares a socket by the requested port. If that was 0, only a request for 0 gets the
      // socket on the port that the system chose.
      if (shared && failure.code === "EADDRINUSE" && (await bind(0)) === port) return;
      await stopListening();
      const settings = { host_setting: "POSTERN_HOST", port_setting: "POSTERN_PORT" };
      throw cannotListen(failure, { host, port, ...settings });
    }
  }

  let opening: Promise<void> | undefined;
  function listen(): Promise<void> {
    opening ??= open().finally(() => {
      opening = undefined;
    });
    return opening;
  }

  async function give(app: AnsweringApp): Promise<void> {
    answering = app.routing;
    server.removeAllListeners("request").on("request", bounded);
    for (const [request, response] of waiting.splice(0)) app.routing(request, response);
    await listen();
  }

  let settled = false;
  return {
    server,
    connections,
    async port() {
      if (port !== 0) return port;
      await listen();
      return (server.address() as AddressInfo).port;
    },
    async answerMeanwhile(app) {
      await app.ready();
      if (!settled) await give(app);
    },
    async answerWith(app) {
      settled = true;
      await app.ready();
      await give(app);
    },
    async close() {
      await opening?.catch(() => {});
      await stopListening();
    },
  };
}
