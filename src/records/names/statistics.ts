import { nilUuid } from "./ids.ts";

export const returnedKinds = [
  "tokens_code",
  "tokens_refresh",
  "tokens_machine",
  "sign_ins",
  "sign_in_failures",
  "refusals",
] as const;

/** The events that are counted per hour, for the whole server and for single apps and organizations. */
export const statisticKinds = [...returnedKinds, "introspections", "swept"] as const;
export type StatisticKind = (typeof statisticKinds)[number];

export const tokenKinds = [
  "tokens_code",
  "tokens_refresh",
  "tokens_machine",
] as const satisfies readonly StatisticKind[];
export type TokenKind = (typeof tokenKinds)[number];

export const wholeServer = nilUuid;
