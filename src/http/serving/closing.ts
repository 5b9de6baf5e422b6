/** Shutdown of the server: requests in progress are answered, within a time limit (RFC 9112, section 9.6). */
import type { ServerResponse } from "node:http";
import { Server, Socket } from "node:net";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { HttpLog } from "../context.ts";

export interface ClosingTimes {
  /** Milliseconds during which clients may still send a request on an idle connection. */
  readonly quiet: number;
  /** Milliseconds until unanswered requests are aborted. */
  readonly maxWait: number;
}

/**
 * `quiet` is ample for a client that was about to use its connection; `maxWait` is part of the budget in
 * `server/stop_budget.ts`.
 */
export const usualTimes: ClosingTimes = { quiet: 300, maxWait: 10_000 };

/** Milliseconds for accepting connections that are still in the system's queue. */
const takingQueued = 100;

export interface Exchanges {
  begin(socket: Socket, answer: ServerResponse): void;
  /** Call when the response has been handed to the connection. */
  end(socket: Socket, answer: ServerResponse): void;
  areEnding(): boolean;
}

/**
 * Makes `app.close()` stop listening first, and then answer the requests on open connections. It resolves
 * when no connection is left, and cuts off the remaining ones after `maxWait`. `open` are the connections
 * that another app accepted.
 */
export function closeGently(
  app: FastifyInstance,
  log: HttpLog,
  { quiet, maxWait }: ClosingTimes,
  open: Iterable<Socket>,
): Exchanges {
  const connections = new Map<Socket, ServerResponse | undefined>();
  let isEnding = false;
  let quietIsOver = false;
  let hearOfLast = () => {};

  function follow(socket: Socket): void {
    connections.set(socket, undefined);
    socket.once("close", () => {
      connections.delete(socket);
      if (connections.size === 0) hearOfLast();
    });
  }
  for (const socket of open) follow(socket);
  app.server.on("connection", follow);
  const exchanges: Exchanges = {
    begin(socket, answer) {
      // Connections to the second listener of `localhost` cause no `connection` event here, so they are
      // followed from their first request. Injected test requests have no connection.
      if (!connections.has(socket) && socket instanceof Socket) follow(socket);
      if (connections.has(socket)) connections.set(socket, answer);
    },
    end(socket, answer) {
      if (connections.get(socket) !== answer) return;
      connections.set(socket, undefined);
      // The headers of this response were sent before the shutdown began, and promised to keep the connection
      // open. The server therefore closes the connection itself.
      if (quietIsOver) socket.destroySoon();
    },
    areEnding: () => isEnding,
  };
  app.addHook("onRequest", (request, reply, done) => {
    exchanges.begin(request.raw.socket, reply.raw);
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    exchanges.end(request.raw.socket, reply.raw);
    done();
  });

  async function stopListening(): Promise<void> {
    for (const deadline = performance.now() + takingQueued; performance.now() < deadline; ) {
      const before = connections.size;
      // The first `turn` ends the current turn of the event loop. During the second, queued connections are
      // accepted.
      await turn();
      await turn();
      if (connections.size <= before) break;
    }
    // `close` of an HTTP server would abort every connection that is idle at this moment.
    Server.prototype.close.call(app.server);
  }

  async function endConnections(): Promise<void> {
    for (const answer of connections.values()) if (answer !== undefined) answer.shouldKeepAlive = false;
    if (connections.size === 0) return;
    const last = new Promise<void>((resolve) => {
      hearOfLast = resolve;
    });
    const stop = new AbortController();
    const after = (milliseconds: number) =>
      pause(milliseconds, undefined, { signal: stop.signal }).catch(() => {});
    await Promise.race([last, after(quiet)]);
    quietIsOver = true;
    for (const [socket, answer] of connections) if (answer === undefined) socket.destroySoon();
    await Promise.race([last, after(maxWait - quiet)]);
    if (connections.size > 0) {
      log.warn({ connections: connections.size }, "some requests did not finish in time and are cut off");
      for (const socket of connections.keys()) socket.destroy();
    }
    stop.abort();
  }

  app.addHook("preClose", async () => {
    isEnding = true;
    if (!app.server.listening) return;
    await stopListening();
    await endConnections();
    // Stops a timer of the HTTP server, which would keep the closed app in memory.
    app.server.close();
  });
  return exchanges;
}
