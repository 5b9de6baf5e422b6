import { dateFormat } from "../web/html/formats.ts";
import { dateLocale, type Language } from "../web/words/language.ts";

/** 24 hours by the hour, 7 days by six hours, 30 days by the day. */
export type Period = "day" | "week" | "month";

/** The moments at which steps of a period began, as an axis shows them, in UTC. */
export function momentTexts(moments: readonly Date[], period: Period, language: Language): string[] {
  const format = dateFormat(dateLocale(language), {
    day: "numeric",
    month: "short",
    ...(period !== "month" && { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    timeZone: "UTC",
  });
  return moments.map((moment) => format.format(moment));
}
