/** A TCP proxy that fails on demand in the ways a network, a load balancer or a pooler does. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type Direction = "to_server" | "to_client";

/**
 * Receives every piece of data and returns the data to pass on instead; undefined drops it. One is created
 * for each connection and direction, so it may keep state.
 */
export type Filter = (data: Buffer) => Buffer | undefined;

export interface TcpProxyOptions {
  /** The target of connections; a URL such as `postgres://…` sets host and port. */
  readonly target: string | { readonly host: string; readonly port: number };
  /** The delay in milliseconds of all data in each direction. */
  readonly delay?: number;
  readonly filter?: (direction: Direction) => Filter | undefined;
  /** The port to listen on; a free one by default. */
  readonly port?: number;
}

export interface TcpProxy {
  readonly port: number;
  /** Returns how many connections are open. */
  connections(): number;
  /** Resets every connection; new ones are accepted as before. */
  cut(): void;
  /** Holds back data on old and new connections until `resume`, without losing any. */
  stall(): void;
  resume(): void;
  /**
   * The existing connections stay open but carry nothing, without FIN or RST; sent data is acknowledged, as
   * by a load balancer whose server has died. New ones work.
   */
  blackhole(): void;
  /** Resets new connections; existing ones stay. */
  refuse(): void;
  accept(): void;
  /** Sets the delay in milliseconds of all data from now on, in each direction. */
  setDelay(milliseconds: number): void;
  /** Sets another target for new connections. */
  setTarget(target: TcpProxyOptions["target"]): void;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
  dead: boolean;
}

interface Address {
  readonly host: string;
  readonly port: number;
}

function addressOf(target: TcpProxyOptions["target"]): Address {
  if (typeof target !== "string") return target;
  const { hostname, port } = new URL(target);
  return { host: hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(port || 5432) };
}

/** Starts a proxy on 127.0.0.1. */
export async function startTcpProxy(options: TcpProxyOptions): Promise<TcpProxy> {
  let target = addressOf(options.target);
  let delay = options.delay ?? 0;
  let stalled = false;
  let refusing = false;
  const pairs = new Set<Pair>();
  const waiting: (() => void)[] = [];

  /** Passes on the data of one side in order, after the delay, and unless data is held back. */
  function carry(from: Socket, to: Socket, pair: Pair, direction: Direction): void {
    const filter = options.filter?.(direction);
    let last: Promise<void> = Promise.resolve();
    const inOrder = (work: () => void) => {
      const due = performance.now() + delay;
      last = last.then(async () => {
        const rest = due - performance.now();
        if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
        while (stalled) await new Promise<void>((resolve) => waiting.push(resolve));
        if (!pair.dead) work();
      });
    };
    from.on("data", (data: Buffer) => {
      inOrder(() => {
        const passed = filter === undefined ? data : filter(data);
        if (passed !== undefined && passed.length > 0 && to.writable) to.write(passed);
      });
    });
    from.on("end", () => inOrder(() => to.end()));
    from.on("close", (failed) => {
      if (failed) inOrder(() => to.resetAndDestroy());
      if (from.destroyed && to.destroyed) pairs.delete(pair);
      // The other side must notice the end, except on a connection that is meant to look alive.
      else inOrder(() => to.end());
    });
    from.on("error", () => {});
  }

  const listener = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.on("error", () => {});
    if (refusing) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ ...target, allowHalfOpen: true, noDelay: true });
    const pair: Pair = { client, server, dead: false };
    pairs.add(pair);
    carry(client, server, pair, "to_server");
    carry(server, client, pair, "to_client");
  });
  listener.listen(options.port ?? 0, "127.0.0.1");
  await once(listener, "listening");
  const { port } = listener.address() as AddressInfo;

  function reset({ client, server }: Pair): void {
    client.resetAndDestroy();
    server.resetAndDestroy();
  }

  function release(): void {
    for (const go of waiting.splice(0)) go();
  }

  return {
    port,
    connections: () => pairs.size,
    cut() {
      for (const pair of pairs) {
        pair.dead = true;
        reset(pair);
      }
      pairs.clear();
    },
    stall() {
      stalled = true;
    },
    resume() {
      stalled = false;
      release();
    },
    blackhole() {
      for (const pair of pairs) {
        pair.dead = true;
        // The server's side ends, or it would keep the locks and the transaction of the dead connection.
        pair.server.destroy();
      }
    },
    refuse() {
      refusing = true;
    },
    accept() {
      refusing = false;
    },
    setDelay(milliseconds) {
      delay = milliseconds;
    },
    setTarget(next) {
      target = addressOf(next);
    },
    async close() {
      stalled = false;
      release();
      listener.close();
      for (const pair of pairs) reset(pair);
      pairs.clear();
      if (listener.listening) await once(listener, "close");
    },
  };
}

/** Returns the same URL with the proxy in place of the database's host and port. */
export function throughProxy(url: string, { port }: Pick<TcpProxy, "port">): string {
  const through = new URL(url);
  through.hostname = "127.0.0.1";
  through.port = String(port);
  return through.href;
}

/**
 * Returns a filter for `to_client` that passes on every message of PostgreSQL except those of this type: `A`
 * is NotificationResponse, which a pooler in transaction mode loses.
 */
export function withoutMessages(type: string, active: () => boolean = () => true): Filter {
  const unwanted = type.charCodeAt(0);
  let rest: Buffer = Buffer.alloc(0);
  return (data) => {
    rest = Buffer.concat([rest, data]);
    const passed: Buffer[] = [];
    while (rest.length >= 5) {
      const length = 1 + rest.readUInt32BE(1);
      if (rest.length < length) break;
      if (rest[0] !== unwanted || !active()) passed.push(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
    return Buffer.concat(passed);
  };
}
