/** How many pushed requests of an app wait to be used: counted seldom, because that reads each. */
import { keepNewest } from "../../records/keep_newest.ts";
import type { AuthorizationServer } from "../server.ts";

/** Requests under one app that are neither used nor expired, in all processes together. */
export const mostLive = 5000;

/** A count is believed for this long, milliseconds. */
const believed = 5000;

/** Of the room that a count found, each process takes this part before it counts again: others push, too. */
const share = 10;

/** Apps whose counts are remembered. */
const most = 1000;

/**
 * Whether one more request may be pushed for the app, and takes it for pushed if so. Where there is no room,
 * that is believed for a second: nobody can make the server count all the time.
 */
export async function takesPush(app_id: string, server: AuthorizationServer): Promise<boolean> {
  const known = server.memory.pushes;
  const now = server.now();
  const last = known.get(app_id);
  const age = last === undefined ? Number.POSITIVE_INFINITY : Math.abs(now.getTime() - last.at);
  if (last !== undefined && last.left > 0 && age < believed) {
    last.left -= 1;
    return true;
  }
  if (last !== undefined && last.left < 0 && age < 1000) return false;
  const room = mostLive - (await server.store.countPushedRequests(app_id, mostLive, now));
  const left = room <= 0 ? -1 : Math.ceil(room / share) - 1;
  keepNewest(known, app_id, { at: now.getTime(), left }, most);
  return room > 0;
}
