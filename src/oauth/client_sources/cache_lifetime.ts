/** How long an answer may be kept (RFC 9111 4.2.1, 5.2.2). */
import type { OutboundAnswer } from "../../outbound/outbound.ts";

/** Seconds: no host is asked sooner or later than this, and after `usual` where it says nothing. */
export const lifetimes = { least: 300, usual: 3600, most: 86_400 } as const;

/** Seconds for which the answer is fresh, from the moment that it came; within the bounds of `lifetimes`. */
export function cacheLifetime(headers: OutboundAnswer["headers"], now: Date): number {
  const said = lifetimeSaid(headers, now);
  return Math.min(lifetimes.most, Math.max(lifetimes.least, said ?? lifetimes.usual));
}

function lifetimeSaid(headers: OutboundAnswer["headers"], now: Date): number | undefined {
  const control = textOf(headers["cache-control"]);
  if (/(?:^|,)\s*(?:no-store|no-cache)\s*(?:,|=|$)/i.test(control)) return 0;
  // This cache serves many people, so what is said of shared ones comes first.
  const age = /^\d{1,9}$/.test(textOf(headers.age)) ? Number(headers.age) : 0;
  for (const name of ["s-maxage", "max-age"]) {
    const seconds = new RegExp(`(?:^|,)\\s*${name}\\s*=\\s*"?(\\d{1,12})"?\\s*(?:,|$)`, "i").exec(
      control,
    )?.[1];
    if (seconds !== undefined) return Number(seconds) - age;
  }
  if (headers.expires === undefined) return undefined;
  const [expires, date] = [Date.parse(textOf(headers.expires)), Date.parse(textOf(headers.date))];
  if (Number.isNaN(expires)) return 0;
  return Math.floor((expires - (Number.isNaN(date) ? now.getTime() : date)) / 1000);
}

function textOf(value: string | readonly string[] | undefined): string {
  return typeof value === "string" ? value : (value ?? []).join(",");
}
