/**
 * A proxy for PostgreSQL that behaves like a distributed database: it aborts transactions at a statement or
 * at COMMIT (40001), drops notifications, and refuses features that such databases lack.
 */
import { type Filter, startTcpProxy, type TcpProxy, throughProxy, withoutMessages } from "./tcp_proxy.ts";

export interface ConflictOptions {
  /** The seed of the sequence of conflicts. */
  readonly seed: number;
  /** The share of transactions that are aborted once. */
  readonly share: number;
}

export interface ConflictingProxy extends Pick<TcpProxy, "port" | "stall" | "resume" | "close"> {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** Returns how many transactions and single statements the proxy aborted. */
  conflicts(): number;
  /** Returns how many conflicts clients saw, including those of the database. */
  reported(): number;
  /** Returns how many transactions began. */
  transactions(): number;
  /** Aborts the next `times` transactions, each at its COMMIT. */
  undoNext(times: number): void;
}

/** Single statements are aborted less often: at `share` divided by this. */
const singleStatements = 8;

/** Matches the text of statements that distributed databases lack. */
const lacking =
  /\bpg_(?:try_)?advisory|\b(?:UN)?LISTEN\b|\bNOTIFY\b|\bpg_notify\b|\bpg_is_in_recovery\b|\bpg_control_|^\s*WITH\b[\s\S]*\b(?:INSERT INTO|UPDATE|DELETE FROM)\b/i;

/** Returns a source of evenly distributed numbers below 1 (mulberry32). */
function sequenceFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function message(type: string, ...parts: readonly (string | Buffer)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(`${part}\0`) : part)),
  );
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const raise = "DO $$ BEGIN RAISE EXCEPTION 'restart transaction' USING ERRCODE = '40001'; END $$";
const none = (count: number) => Buffer.alloc(2 * count);

/** Replaces a query that is sent as text. */
const failingQuery = message("Q", raise);
/** Replaces the Execute of a prepared statement, whose answer has begun: Parse, Bind, Execute. */
const failingExecute = Buffer.concat([
  message("P", "", raise, none(1)),
  message("B", "", "", none(3)),
  message("E", "", Buffer.alloc(4)),
]);

/** The field of an ErrorResponse that contains the code. */
const conflictCode = "C40001\0";

const textAt = (body: Buffer, from: number) => body.toString("utf8", from, body.indexOf(0, from));

export async function conflictingProxy(target: string, options: ConflictOptions): Promise<ConflictingProxy> {
  const next = sequenceFrom(options.seed);
  let conflicts = 0;
  let transactions = 0;
  let forced = 0;
  let reported = 0;

  /** Filters the answers to one client. */
  function answers(): Filter {
    const withoutNotices = withoutMessages("A");
    return (data) => {
      const passed = withoutNotices(data);
      for (let at = 0; passed !== undefined; reported += 1) {
        at = passed.indexOf(conflictCode, at) + 1;
        if (at === 0) break;
      }
      return passed;
    };
  }

  /** Filters the messages of one client. */
  function interference(): Filter {
    let rest: Buffer = Buffer.alloc(0);
    let started = false;
    let inside = false;
    /**
     * The number of the statement in this transaction that fails; the COMMIT if there are fewer statements.
     */
    let failsAt = 0;
    let statements = 0;

    function begin(): void {
      inside = true;
      transactions += 1;
      statements = 0;
      failsAt = next() < options.share ? 1 + Math.floor(next() * 5) : 0;
    }

    function undone(by: Buffer): Buffer {
      conflicts += 1;
      failsAt = 0;
      return by;
    }

    function query(sent: Buffer, text: string): Buffer {
      if (/^BEGIN/i.test(text)) begin();
      if (/^ROLLBACK/i.test(text)) inside = false;
      if (!/^COMMIT/i.test(text)) return sent;
      inside = false;
      if (forced > 0) {
        forced -= 1;
        return undone(failingQuery);
      }
      return failsAt > 0 ? undone(failingQuery) : sent;
    }

    function execution(sent: Buffer): Buffer {
      statements += 1;
      const fails = inside ? statements === failsAt : next() < options.share / singleStatements;
      return fails ? undone(failingExecute) : sent;
    }

    function passed(sent: Buffer): Buffer {
      const type = String.fromCharCode(sent[0] ?? 0);
      if (type === "E") return execution(sent);
      if (type !== "Q" && type !== "P") return sent;
      const at = type === "Q" ? 5 : sent.indexOf(0, 5) + 1;
      const text = textAt(sent, at);
      // Replaces the statement by a text that PostgreSQL cannot parse, so it always fails.
      if (lacking.test(text)) {
        const unknown = `lacking: ${text}`;
        return type === "Q" ? message("Q", unknown) : message("P", textAt(sent, 5), unknown, none(1));
      }
      return type === "Q" ? query(sent, text) : sent;
    }

    return (data) => {
      rest = Buffer.concat([rest, data]);
      const all: Buffer[] = [];
      for (;;) {
        // The first message has no type.
        const at = started ? 1 : 0;
        if (rest.length < at + 4) break;
        const length = at + rest.readUInt32BE(at);
        if (rest.length < length) break;
        const sent = rest.subarray(0, length);
        all.push(started ? passed(sent) : sent);
        started = true;
        rest = rest.subarray(length);
      }
      return Buffer.concat(all);
    };
  }

  const proxy = await startTcpProxy({
    target,
    filter: (direction) => (direction === "to_server" ? interference() : answers()),
  });
  return {
    ...proxy,
    url: throughProxy(target, proxy),
    conflicts: () => conflicts,
    reported: () => reported,
    transactions: () => transactions,
    undoNext(times) {
      forced += times;
    },
  };
}
