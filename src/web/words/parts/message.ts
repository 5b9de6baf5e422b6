import type { Html } from "../../html/html.ts";

export type Message = string | ((...given: never[]) => string | Html);

/** Returns every message of a catalog by its path, such as `login.title`. */
export function messagesOf(words: object, path = ""): [path: string, message: Message][] {
  return Object.entries(words).flatMap(([name, value]): [string, Message][] => {
    const place = path === "" ? name : `${path}.${name}`;
    return typeof value === "object" && value !== null ? messagesOf(value, place) : [[place, value]];
  });
}

/** Returns the parameter names in the source of a message. Throws `TypeError` if they are not plain names. */
export function placeholdersOf(message: (...given: never[]) => unknown): string[] {
  const [, list] = /^\(([\w\s,]*)\)\s*=>/.exec(String(message)) ?? [];
  const names = list
    ?.split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  if (names?.length !== message.length) throw new TypeError(`a message has no plain parameters: ${message}`);
  return names;
}
