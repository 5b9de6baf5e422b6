/** Limits the requests that wait for an event: reads of the change feed and polls for security events. */

/**
 * Maximum concurrent waiting requests per process and per caller. Each also occupies one of the slots that
 * its source has in `admission.ts`, so these numbers are lower.
 */
const mostWaiting = 32;
const mostOfCaller = 4;

/** Takes a place for a caller, and returns the function that frees it; undefined if none is free. */
type WaitingPlaces = (caller: string) => (() => void) | undefined;

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
