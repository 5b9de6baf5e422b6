import { isObject } from "../../records/names/json_shapes.ts";
import { listTable, pairs } from "./table.ts";
import { type Screen, shown, styled } from "./terminal.ts";

export function recordText(answer: object, screen: Screen): string {
  const members = Object.entries(answer);
  const isList = (value: unknown): value is Record<string, unknown>[] =>
    Array.isArray(value) && value.length > 0 && value.every(isObject);
  const own = members.flatMap(([name, value]) => (isList(value) ? [] : [[name, shown(value)] as const]));
  const lists = members.flatMap(([name, value]) => {
    if (!isList(value)) return [];
    const heading = [...new Set(value.flatMap((each) => Object.keys(each)))];
    const rows = value.map((each) => heading.map((column) => shown(each[column])));
    return [`${styled("bold", name, screen)}\n${listTable(heading, rows, screen)}`];
  });
  return [pairs(own, screen), ...lists].join("\n\n");
}
