/** How the server stops: running requests are answered, and no answer is cut off (RFC 9112 section 9.6). */
import type { ServerResponse } from "node:http";
import { Server, Socket } from "node:net";
import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { HttpLog } from "../context.ts";

export interface ClosingTimes {
  /**
   * Milliseconds in which a quiet connection may still send a request, which is answered; then it is closed.
   */
  readonly quiet: number;
  /** Milliseconds until unanswered requests are aborted. */
  readonly maxWait: number;
}

/**
 * A client that was about to use its connection does so well within the first; the second is a share of
 * `server/stop_budget.ts`.
 */
export const usualTimes: ClosingTimes = { quiet: 300, maxWait: 10_000 };

/** Maximum milliseconds for accepting connections that are still in the system's queue. */
const takingQueued = 100;

/** The requests in progress, for a stop. */
export interface Exchanges {
  begin(socket: Socket, answer: ServerResponse): void;
  /** The answer was handed to the connection. */
  end(socket: Socket, answer: ServerResponse): void;
  /** Whether the server is stopping. */
  areEnding(): boolean;
}

/**
 * Makes `app.close()` stop listening first, then answer what runs and what still comes on open connections,
 * with `Connection: close`, and close connections that keep quiet. It resolves when no connection is left.
 */
export function closeGently(app: FastifyInstance, log: HttpLog, { quiet, maxWait }: ClosingTimes): Exchanges {
  /** Every open connection, with the answer under way on it. */
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
  app.server.on("connection", follow);
  const exchanges: Exchanges = {
    begin(socket, answer) {
      // The second listener of `localhost` has separate connections; injected test requests have none.
      if (!connections.has(socket) && socket instanceof Socket) follow(socket);
      if (connections.has(socket)) connections.set(socket, answer);
    },
    end(socket, answer) {
      if (connections.get(socket) !== answer) return;
      connections.set(socket, undefined);
      // An answer whose head had been sent before the stop promised to keep the connection.
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
      // The first turn ends the one of the signal; the next handles queued events.
      await turn();
      await turn();
      if (connections.size <= before) break;
    }
    // `close` of an HTTP server would break off every connection that is quiet at this very moment.
    Server.prototype.close.call(app.server);
  }

  app.addHook("preClose", async () => {
    isEnding = true;
    if (!app.server.listening) return;
    await stopListening();
    // Requests from here on are answered so by Fastify.
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
      log.warn({ connections: connections.size }, "what was running did not finish in time");
      for (const socket of connections.keys()) socket.destroy();
    }
    stop.abort();
  });
  return exchanges;
}
