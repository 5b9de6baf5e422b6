import type { StatisticKind } from "../../records/names/statistics.ts";
import type { Audit, Reports, Rows } from "../../storage/ports.ts";

const hour = 3_600_000;
const days = 30;

const habits: Readonly<Record<string, Partial<Record<StatisticKind, number>>>> = {
  "demo-web": { tokens_code: 90, tokens_refresh: 140 },
  "demo-spa": { tokens_code: 55 },
  "demo-machine": { tokens_machine: 36 },
};

const ofServer: Partial<Record<StatisticKind, number>> = {
  sign_ins: 120,
  sign_in_failures: 6,
  refusals: 4,
  introspections: 800,
};

function busyness(at: Date): number {
  const ofDay = Math.max(0.06, Math.sin(((at.getUTCHours() - 5) / 18) * Math.PI));
  const ofWeek = [0, 6].includes(at.getUTCDay()) ? 0.4 : 1;
  const wave = 0.85 + 0.15 * Math.sin(at.getTime() / hour / 1.7);
  return ofDay * ofWeek * wave;
}

/** Writes invented hourly counts for the last month, unless the database already has counts for that time. */
export async function addDemoHistory(store: Audit & Reports & Rows, now: Date): Promise<void> {
  const from = new Date(now.getTime() - days * 24 * hour);
  const known = await store.countsByHour(null, ["sign_ins", "tokens_machine"], from, now);
  if (known.length > 0) return;
  const apps = await Promise.all(
    Object.keys(habits).map((client_id) => store.find("oauth_apps", { client_id })),
  );
  for (let at = from; at.getTime() <= now.getTime() - hour; at = new Date(at.getTime() + hour)) {
    const busy = busyness(at);
    const count = (counts: Partial<Record<StatisticKind, number>>, subjects: readonly (string | null)[]) => {
      for (const [kind, most] of Object.entries(counts)) {
        const by = Math.round(most * busy);
        if (by > 0) store.increment(kind as StatisticKind, subjects, at, by);
      }
    };
    for (const app of apps) {
      if (app !== undefined)
        count(habits[app.client_id] ?? {}, [
          null,
          app.id,
          ...(app.organization_id ? [app.organization_id] : []),
        ]);
    }
    count(ofServer, [null]);
  }
  await store.flushCounts();
}
