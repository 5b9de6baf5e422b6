/** Compares the database with the responses and with what arrived. */
import type { Row } from "../../src/records/definition/definition.ts";
import type { Answered } from "./load.ts";
import { type AppName, type Arrival, appNames } from "./receivers.ts";
import type { Stage } from "./stage.ts";

export interface Verdict {
  readonly faults: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

const caused = ["session.started", "session.ended", "user.updated"] as const;
type Caused = (typeof caused)[number];

function compare(what: string, expected: readonly string[], found: readonly string[], faults: string[]) {
  const counted = new Map<string, number>();
  for (const each of expected) counted.set(each, (counted.get(each) ?? 0) + 1);
  for (const each of found) counted.set(each, (counted.get(each) ?? 0) - 1);
  for (const [each, missing] of counted)
    if (missing !== 0)
      faults.push(`${what}: ${each} ${missing > 0 ? "is missing" : "is there once too often"}`);
}

/**
 * The apps that must be notified of a session's end, by session ID. They are known from the responses and,
 * after a kill, from the table `session_apps`.
 */
export type Participation = Map<string, Set<AppName>>;

export async function judge(
  { store, users, since, receivers: { arrivals } }: Stage,
  answered: Answered,
  participation: Participation,
  seen: readonly { readonly id: string; readonly position: number }[],
): Promise<Verdict> {
  const faults: string[] = [];
  const ids = new Set(users.map(({ id }) => id));
  const sessions = (await store.list("sessions", {})).filter(({ user_id }) => ids.has(user_id));
  const audited = (await store.list("audit_events", { type: "user.updated" })).filter(
    ({ target_id }) => target_id !== null && ids.has(target_id),
  );
  const events = await store.list("events", {}, { order_by: "position" });
  const ofUsers = events.filter(({ subject_id }) => ids.has(subject_id));
  const ended = sessions.filter(({ ended_at }) => ended_at !== null);

  // Every acknowledged change must be stored.
  const stored = new Set(sessions.map(({ id }) => id));
  const over = new Set(ended.map(({ id }) => id));
  for (const id of answered.sessions.keys()) if (!stored.has(id)) faults.push(`session ${id} is lost`);
  for (const id of answered.ended) if (!over.has(id)) faults.push(`session ${id} did not end`);
  const renamed = new Set(
    audited.map(({ details }) => (details as { after?: { name?: string } }).after?.name),
  );
  for (const name of answered.names) if (!renamed.has(name)) faults.push(`change ${name} is lost`);

  // Every stored change must have exactly one event, and there must be no other events.
  const told = (type: Caused, key: (event: Row<"events">) => unknown) =>
    ofUsers.filter((event) => event.type === type).map((event) => String(key(event)));
  const session = ({ data }: Row<"events">) => (data as { session_id?: string }).session_id;
  compare(
    "session.started",
    sessions.map(({ id }) => id),
    told("session.started", session),
    faults,
  );
  compare(
    "session.ended",
    ended.map(({ id }) => id),
    told("session.ended", session),
    faults,
  );
  compare(
    "user.updated",
    audited.map(({ target_id }) => String(target_id)),
    told("user.updated", ({ subject_id }) => subject_id),
    faults,
  );
  for (const { type } of ofUsers)
    if (!(caused as readonly string[]).includes(type) && type !== "user.created")
      faults.push(`${type} has no cause`);

  // The feed must have no gap, and its reader must have got each event once.
  const places = events.map(({ position }) => Number(position));
  if (places.some((position, index) => position !== index + 1)) faults.push("the feed has a gap");
  compare(
    "the reader",
    events.map(({ id }) => id),
    seen.map(({ id }) => id),
    faults,
  );
  if (seen.some(({ position }, index) => position !== index + 1)) faults.push("the reader saw another order");

  const endedAt = new Map(ended.map(({ id, ended_at }) => [id, ended_at?.getTime() ?? 0]));
  for (const name of appNames) {
    const expected = ended.filter(({ id }) => participation.get(id)?.has(name));
    judgeNotices(name, expected, arrivals[name], endedAt, faults);
  }
  const positionOf = new Map(events.map(({ id, position }) => [id, Number(position)]));
  judgeEvents(
    "webhook",
    events.filter(({ position }) => Number(position) > since),
    arrivals.webhook,
    positionOf,
    faults,
  );
  judgeEvents(
    "stream",
    ofUsers.filter(({ type }) => type === "session.ended"),
    arrivals.stream,
    positionOf,
    faults,
  );

  return {
    faults,
    counts: {
      ...{ sessions: sessions.length, ended: ended.length, changes: audited.length, events: events.length },
      notices: arrivals.one.length + arrivals.other.length,
      ...{ webhooks: arrivals.webhook.length, signals: arrivals.stream.length },
    },
  };
}

function firstBySubject(arrived: readonly Arrival[]): string[][] {
  const bySubject = Map.groupBy(arrived, ({ subject }) => subject);
  return [...bySubject.values()].map((each) => [
    ...new Set(each.flatMap(({ id }) => (id === undefined ? [] : [id]))),
  ]);
}

function judgeNotices(
  name: string,
  expected: readonly Row<"sessions">[],
  arrived: readonly Arrival[],
  endedAt: ReadonlyMap<string, number>,
  faults: string[],
) {
  const ofAll = new Set(arrived.filter(({ id }) => id === undefined).map(({ subject }) => subject));
  const heard = new Set(arrived.map(({ id }) => id));
  for (const { id, user_id } of expected)
    if (!heard.has(id) && !ofAll.has(user_id)) faults.push(`${name} did not hear of session ${id}`);
  const known = new Set(expected.map(({ id }) => id));
  for (const id of heard)
    if (id !== undefined && !known.has(id)) faults.push(`${name} heard of session ${id} without a cause`);
  for (const first of firstBySubject(arrived)) {
    const moments = first.map((id) => endedAt.get(id) ?? 0);
    if (moments.some((moment, index) => moment < (moments[index - 1] ?? 0)))
      faults.push(`${name} heard of ends in another order: ${first.join(" ")}`);
  }
}

function judgeEvents(
  name: string,
  expected: readonly Row<"events">[],
  arrived: readonly Arrival[],
  positionOf: ReadonlyMap<string, number>,
  faults: string[],
) {
  const heard = [...new Set(arrived.map(({ id = "" }) => id))];
  compare(
    name,
    expected.map(({ id }) => id),
    heard,
    faults,
  );
  for (const first of firstBySubject(arrived)) {
    const positions = first.map((id) => positionOf.get(id) ?? 0);
    if (positions.some((position, index) => position < (positions[index - 1] ?? 0)))
      faults.push(`${name} received events in another order: ${positions.join(" ")}`);
  }
}
