/** Limits the requests that wait for an event: reads of the event feed and polls for security events. */

/**
 * The numbers are lower than those in `admission.ts`, because each waiting request also occupies one of the
 * places there.
 */
const mostWaiting = 32;
const mostOfCaller = 4;

/** Returns the function to call when the request ends; undefined if a maximum is reached. */
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
