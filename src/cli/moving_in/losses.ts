/** The losses of an import: one per line of a CSV file, and their sums by kind. */
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import type { Loss } from "../../moving_in/core/moved.ts";
import { WrongUsage } from "../core/terminal.ts";

/** Distinct kinds of losses; any others in a hostile file count as one kind. */
const mostKinds = 200;
/** Members that a sum names. */
const mostMembers = 5;
/** Characters that are written at once. */
const chunk = 65_536;

export interface Losses {
  add(loss: Loss): void;
  /** By kind, the most frequent first. */
  sums(): readonly { readonly kind: string; readonly count: number }[];
  /** The changes that each client's application needs. */
  ofClients(): ReadonlyMap<string, readonly string[]>;
  close(): void;
  /** Removes the file. */
  discard(): void;
}

/**
 * Creates the file, readable only by its owner. `inWords` formats one of our reasons as a sentence. Throws
 * `WrongUsage` if there is something of this name, also a link.
 */
export function lossesIn(file: string, inWords: (reason: Loss["reason"]) => string): Losses {
  const handle = created(file);
  const kinds = new Map<string, { count: number; readonly members: Set<string> }>();
  const clients = new Map<string, string[]>();
  let waiting = "object,member,reason\r\n";
  const write = () => {
    writeSync(handle, waiting);
    waiting = "";
  };
  return {
    add({ object, member, reason }) {
      const said = inWords(reason);
      waiting += `${[object, member, said].map(cell).join(",")}\r\n`;
      if (waiting.length > chunk) write();
      const [of = ""] = object.split(" ", 1);
      const known = `${of}: ${said}`;
      const key = kinds.has(known) || kinds.size < mostKinds ? known : "others: see the file";
      const kind = kinds.get(key) ?? { count: 0, members: new Set() };
      kinds.set(key, kind);
      kind.count += 1;
      const [name = ""] = member.split(/[ /[]/, 1);
      if (name !== "" && kind.members.size <= mostMembers) kind.members.add(name);
      if (of === "client") clients.set(object, [...(clients.get(object) ?? []), `${member}: ${said}`]);
    },
    sums: () =>
      [...kinds]
        .map(([kind, { count, members }]) => ({ kind: `${kind}${among(members)}`, count }))
        .sort((one, other) => other.count - one.count),
    ofClients: () => clients,
    close() {
      write();
      closeSync(handle);
    },
    discard: () => rmSync(file, { force: true }),
  };
}

function created(file: string): number {
  try {
    return openSync(file, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new WrongUsage(`${file} exists: remove it, or name another file with --losses`);
  }
}

function among(members: ReadonlySet<string>): string {
  const shown = [...members].slice(0, mostMembers);
  if (shown.length === 0) return "";
  return ` (${[...shown, ...(members.size > shown.length ? ["…"] : [])].join(", ")})`;
}

/** RFC 4180; an apostrophe keeps spreadsheets from taking a name for a formula. */
function cell(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
