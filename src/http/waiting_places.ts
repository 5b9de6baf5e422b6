/** Limits the requests that wait for an event: reads of the change feed and polls for security events. */

/**
 * Each waiting request also occupies one of the slots that its source has in `admission.ts`, so these numbers
 * are lower.
 */
const mostWaiting = 32;
const mostOfCaller = 4;

/**
 * Lets one more request of the caller wait, and returns the function to call when it ends. Undefined if a
 * maximum is reached.
 */
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
