/** Bounds the requests that wait for something to happen: events of the feed, and polls of signals. */

/**
 * Requests of one process, and of one caller, that wait at the same time. Each takes one of the places of its
 * source (`admission.ts`), so they are fewer than those.
 */
const mostWaiting = 32;
const mostOfCaller = 4;

/** Takes a place for a caller, and returns the function that frees it; undefined if there is none. */
export type WaitingPlaces = (caller: string) => (() => void) | undefined;

export function waitingPlaces(): WaitingPlaces {
  const taken = new Set<{ readonly caller: string }>();
  return (caller) => {
    const ofCaller = [...taken].filter((place) => place.caller === caller);
    if (taken.size >= mostWaiting || ofCaller.length >= mostOfCaller) return undefined;
    const place = { caller };
    taken.add(place);
    return () => taken.delete(place);
  };
}
