import type { Outbound } from "../outbound/outbound.ts";
import { UpstreamFault } from "./upstream_fault.ts";

/** Requests to one host under way at once; further ones wait for their turn. */
const mostToOneHost = 8;

/**
 * The way out, of which no host gets more than its share: people at other providers do not wait for one
 * that hangs. Its `send` throws `UpstreamFault` where no turn comes within the request's time, and else
 * what the way out throws.
 */
export function sharedFairly({ send }: Outbound): Outbound {
  const queues = new Map<string, { underWay: number; readonly waiting: (() => void)[] }>();
  return {
    async send(request) {
      const host = URL.parse(request.url)?.host ?? "";
      const queue = queues.get(host) ?? { underWay: 0, waiting: [] };
      queues.set(host, queue);
      if (queue.underWay < mostToOneHost) queue.underWay += 1;
      else await turn(queue.waiting, host, request.timeout);
      try {
        return await send(request);
      } finally {
        const next = queue.waiting.shift();
        // Who waits takes over the place of the one that ends.
        if (next !== undefined) next();
        else {
          queue.underWay -= 1;
          if (queue.underWay === 0) queues.delete(host);
        }
      }
    },
  };
}

function turn(waiting: (() => void)[], host: string, milliseconds: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = () => {
    clearTimeout(timer);
    resolve();
  };
  const timer = setTimeout(() => {
    waiting.splice(waiting.indexOf(take), 1);
    reject(new UpstreamFault("busy", { received: `${host}: busy` }));
  }, milliseconds);
  waiting.push(take);
  return promise;
}
