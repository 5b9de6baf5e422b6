/**
 * The feed of events: `GET /api/v1/events` with `after`. A request that finds nothing may wait for the next
 * event (EV-3). Without `after`, the request is an ordinary list.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { actorColumns, permissionsOfActor } from "../admin/access/actor.ts";
import { representation } from "../admin/manage/manage.ts";
import { cursorAt, type FeedRequest, readFeed } from "../admin/reports/read_feed.ts";
import { resourceOf } from "../admin/resources/resources.ts";
import { detail } from "../errors/details.ts";
import { type FieldError, fieldError, reason, unknownParameter } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import { getAndHead } from "../http/get_and_head.ts";
import { apiBase } from "../http/route_methods.ts";
import { waitingPlaces } from "../http/waiting_places.ts";
import { feedEventTypes, longestWait, mostEvents } from "../records/names/feed_events.ts";
import type { ApiContext } from "./api_context.ts";
import { readPage } from "./reading_routes.ts";
import { declarations, filtersOf } from "./route_parts.ts";

const usualEvents = 100;

/** The interval at which the server looks for new events while requests wait, in milliseconds. */
const lookInterval = 150;

/** One database query serves all waiting requests. */
function feedWatch(newest: () => Promise<number>) {
  interface Waiting {
    readonly after: number;
    readonly caller: string;
  }
  const waiting = new Map<() => void, Waiting>();
  const takePlace = waitingPlaces();
  const ending = new AbortController();
  let isLooking = false;

  async function look() {
    isLooking = true;
    while (waiting.size > 0 && !ending.signal.aborted) {
      await pause(lookInterval, undefined, { ref: false });
      // An error is ignored, because the waiting request reads again after its timeout anyway.
      const position = await newest().catch(() => 0);
      for (const [wake, { after }] of waiting) if (position > after) wake();
    }
    isLooking = false;
  }

  return {
    /**
     * Resolves after a new event, after `milliseconds`, or when `signal` aborts or the server stops. Throws
     * 429 `throttled` if too many requests are waiting.
     */
    async wait(of: Waiting, milliseconds: number, signal: AbortSignal): Promise<void> {
      const leave = takePlace(of.caller);
      if (leave === undefined)
        throw new Problem("throttled", detail("too_many_readers"), [], { retry_after: 5 });
      const until = AbortSignal.any([AbortSignal.timeout(milliseconds), ending.signal, signal]);
      await new Promise<void>((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          leave();
          until.removeEventListener("abort", wake);
          resolve();
        };
        waiting.set(wake, of);
        until.addEventListener("abort", wake);
        if (until.aborted) wake();
        if (!isLooking) void look();
      });
    },
    end: () => ending.abort(),
    hasEnded: () => ending.signal.aborted,
  };
}

function feedRequestOf(request: FastifyRequest): FeedRequest & { readonly wait: number } {
  const { after = "", limit, types, wait, ...unknown } = filtersOf(request);
  const errors: FieldError[] = Object.keys(unknown).map((name) => unknownParameter(name));
  const whole = (name: string, text: string | undefined, usual: number, max: number, min = 0): number => {
    if (text === undefined) return usual;
    const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    const isSmall = number < min;
    const outside = isSmall ? reason("too_small", { min }) : reason("too_large", { max });
    const wrong = Number.isNaN(number) ? reason("not_integer") : outside;
    errors.push({ path: `/${name}`, ...wrong });
    return usual;
  };
  const [position, mark] = /^(\d+)\.([0-9a-f]{8})$/.exec(after)?.slice(1) ?? [after];
  const names = types?.split(",");
  const known = feedEventTypes.filter((type) => names?.includes(type));
  if (names !== undefined && known.length < new Set(names).size)
    errors.push(fieldError("/types", "not_one_of", { values: feedEventTypes }));
  const asked = {
    after: after === "latest" ? after : whole("after", position, 0, Number.MAX_SAFE_INTEGER),
    mark,
    limit: whole("limit", limit, usualEvents, mostEvents, 1),
    wait: whole("wait", wait, 0, longestWait),
    ...(names !== undefined && { types: known }),
  } as const;
  if (errors.length > 0) throw new Problem("invalid_filter", detail("wrong_parameter"), errors);
  return asked;
}

export function feedRoutes(app: FastifyInstance, context: ApiContext): void {
  const resource = resourceOf("events");
  const { readable } = declarations("events");
  const watch = feedWatch(async () => (await context.store.feedBounds()).newest);
  app.addHook("preClose", async () => watch.end());

  async function read(request: FastifyRequest, reply: FastifyReply) {
    const caller = await context.callerOf(request);
    const { wait, ...asked } = feedRequestOf(request);
    const until = performance.now() + wait * 1000;
    const gone = new AbortController();
    const name = JSON.stringify(actorColumns(caller.actor));
    reply.raw.once("close", () => gone.abort());
    let part = await readFeed(caller, asked);
    for (;;) {
      const left = until - performance.now();
      if (part.events.length > 0 || left <= 0 || gone.signal.aborted || watch.hasEnded()) break;
      await watch.wait({ after: part.position, caller: name }, Math.ceil(left), gone.signal);
      const next = { ...asked, after: part.position, mark: undefined };
      part = await readFeed(caller, next);
      // The credential may have ended while the request waited, so the caller is authenticated again.
      if (part.events.length > 0) part = await readFeed(await context.callerOf(request), next);
    }
    const reader = await permissionsOfActor(caller);
    return {
      data: part.events.map((event) => representation(resource, event, reader)),
      next_cursor: null,
      previous_cursor: null,
      position: part.position,
      cursor: await cursorAt(caller, part.position),
    };
  }

  getAndHead(app, `${apiBase}/${resource.path}`, readable, async (request, reply) =>
    Object.hasOwn(filtersOf(request), "after")
      ? read(request, reply)
      : readPage(await context.callerOf(request), resource, request),
  );
}
