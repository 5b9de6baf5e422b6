/**
 * Resolves with the result of the work, or rejects with the signal's reason if it is aborted first. Removes
 * its listener from the signal; a race with a promise that lives as long as the process would leak memory.
 */
export async function untilAborted<R>(work: Promise<R>, signal: AbortSignal): Promise<R> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
