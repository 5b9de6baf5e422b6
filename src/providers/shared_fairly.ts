import type { Outbound, OutboundAnswer, OutboundRequest } from "../outbound/outbound.ts";
import { UpstreamError } from "./upstream_error.ts";

type SharedRequest = OutboundRequest & { readonly owner?: string | undefined };

export interface SharedOutbound {
  /**
   * Throws `UpstreamError` (`busy`) if the request's turn does not come in time. Also throws the errors of
   * the transport.
   */
  send(request: SharedRequest): Promise<OutboundAnswer>;
}

const most = { host: 8, owner: 12, all: 100 } as const;

interface Waiting {
  readonly places: readonly Place[];
  readonly take: () => void;
}

type Place = readonly [name: string, most: number];

/**
 * Returns the outbound transport with a fair share for each host and organization, so that a hung provider
 * does not delay others.
 */
export function sharedFairly({ send }: Outbound, now: () => Date): SharedOutbound {
  const underWay = new Map<string, number>();
  const waiting = new Set<Waiting>();
  const isFree = ([name, most]: Place) => (underWay.get(name) ?? 0) < most;

  function occupy(places: readonly Place[], change: 1 | -1): void {
    for (const [name] of places) {
      const count = (underWay.get(name) ?? 0) + change;
      if (count === 0) underWay.delete(name);
      else underWay.set(name, count);
    }
  }

  function leave(places: readonly Place[]): void {
    occupy(places, -1);
    for (const next of waiting) {
      if (!next.places.every(isFree)) continue;
      waiting.delete(next);
      occupy(next.places, 1);
      next.take();
    }
  }

  function turn(places: readonly Place[], host: string, milliseconds: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const next: Waiting = {
      places,
      take() {
        clearTimeout(timer);
        resolve();
      },
    };
    const timer = setTimeout(() => {
      waiting.delete(next);
      reject(new UpstreamError("busy", { received: `${host}: busy` }));
    }, milliseconds);
    waiting.add(next);
    return promise;
  }

  return {
    async send({ owner, ...request }) {
      const host = URL.parse(request.url)?.host ?? "";
      const places: readonly Place[] = [
        [`host ${host}`, most.host],
        ...(owner === undefined ? [] : [[`owner ${owner}`, most.owner] as const]),
        ["all", most.all],
      ];
      const end = now().getTime() + request.timeout;
      let timeout = request.timeout;
      if (places.every(isFree)) occupy(places, 1);
      else {
        await turn(places, host, timeout);
        timeout = Math.max(1, Math.min(timeout, end - now().getTime()));
      }
      try {
        return await send({ ...request, timeout });
      } finally {
        leave(places);
      }
    },
  };
}
