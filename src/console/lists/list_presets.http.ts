/** What a list is often narrowed to, a link each. */
import type { Resource } from "../../admin/resources/resources.ts";
import type { SideLink } from "../../web/side_frame.ts";
import type { PresetName } from "../../web/words/en/lists.ts";
import type { Words } from "../../web/words/words.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { hrefWith } from "../frame/href_with.http.ts";
import { presentations } from "../presentations/presentations.http.ts";
import type { AskedFor } from "./list_filters.http.ts";

const hour = 3_600_000;

/** Milliseconds that a list may reach back by one link. */
const periods = { hour, day: 24 * hour, week: 168 * hour } as const;

/**
 * The links of the presentation's presets and of the last hour, day and week; each leaves filters alone that
 * it says nothing of. None for lists without presets.
 */
export function presetLinks(
  { resourceType }: Resource,
  asked: AskedFor,
  now: Date,
  { lists }: Words,
): readonly SideLink[] {
  const path = resourceTypeHref(resourceType);
  const { presets } = presentations[resourceType];
  if (presets === undefined) return [];
  const named = Object.entries(presets) as [PresetName, Readonly<Record<string, string>>][];
  const ofPresets = new Set(named.flatMap(([, query]) => Object.keys(query)));
  const kept = Object.entries(asked).filter(([name]) => !ofPresets.has(name));
  const times = Object.keys(periods) as (keyof typeof periods)[];
  return [
    ...named.map(([name, query]) => ({
      href: hrefWith(path, { ...Object.fromEntries(kept), ...query }),
      label: lists.presets[name],
      current: [...ofPresets].every((each) => asked[each] === query[each]),
    })),
    ...times.map((name) => ({
      href: hrefWith(path, { ...asked, created_from: minuteOf(now.getTime() - periods[name]) }),
      label: lists.presets[name],
      current: asked.created_from === minuteOf(now.getTime() - periods[name]),
    })),
  ];
}

/** ISO 8601 to the minute, in UTC. */
function minuteOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16)}Z`;
}
