/** The responses that clients received, recorded before their next request: the server is held to these. */

import type { ClientName } from "./fixture.ts";
import type { Answer } from "./http.ts";

export type Operation = "issue" | "refresh" | "code" | "introspect" | "revoke";

/**
 * The last response about a token. `asked`: a revoking request got no response, so the token may be active or
 * not. `ended`: revoked, or spent by a refresh, with a response.
 */
export type TokenState = "live" | "asked" | "ended";

export interface Token {
  readonly access_token: string;
  readonly client: ClientName;
  state: TokenState;
}

/** The tokens of one sign-in, of which the last can be refreshed. */
export interface Chain {
  last: Token;
  refresh_token: string;
  /** The refresh token before. */
  spent: string | undefined;
  state: TokenState;
}

export interface Ledger {
  readonly tokens: Token[];
  readonly chains: Chain[];
  /** How often which status was answered, by operation and status: `issue 200`, `revoke reset`. */
  readonly statuses: Map<string, number>;
  /** Responses that no failure excuses, in words. */
  readonly odd: string[];
  /** Chains that ended because the answer to a refresh was lost (no reuse window is set). */
  signed_out: number;
  requests: number;
  /** The longest that a request waited for its answer, milliseconds. */
  longest: number;
  /** Notes an answer; whatever waits for a success hears of it. */
  note(operation: Operation, answer: Answer): void;
  noteOdd(operation: Operation, answer: Answer): void;
  /** How many requests were answered 5xx so far. */
  failures(): number;
  /**
   * Resolves at the first token issued from now on, with the milliseconds until then; undefined after
   * `patience` of them.
   */
  nextSuccess(maxWait: number): Promise<number | undefined>;
  /** Resolves after so many more answers of any kind but failures. */
  answers(count: number, maxWait: number): Promise<void>;
}

const issuing: readonly Operation[] = ["issue", "refresh", "code"];

export function newLedger(): Ledger {
  const statuses = new Map<string, number>();
  const waiting = new Set<(success: boolean, issued: boolean) => void>();

  return {
    tokens: [],
    chains: [],
    statuses,
    odd: [],
    signed_out: 0,
    requests: 0,
    longest: 0,
    note(operation, answer) {
      const kind = `${operation} ${answer.status}${answer.retry_after ? " with Retry-After" : ""}`;
      statuses.set(kind, (statuses.get(kind) ?? 0) + 1);
      this.requests += 1;
      this.longest = Math.max(this.longest, answer.milliseconds);
      const success = answer.status === 200;
      for (const listener of waiting) listener(success, success && issuing.includes(operation));
    },
    failures() {
      return [...statuses].reduce((sum, [kind, count]) => sum + (/ 5\d\d/.test(kind) ? count : 0), 0);
    },
    noteOdd(operation, { status, body }) {
      this.odd.push(
        `${operation} was answered ${status} ${body.replace(/,"error_uri":"[^"]*"/, "").slice(0, 200)}`,
      );
    },
    nextSuccess(maxWait) {
      const began = performance.now();
      return heard<number>(waiting, maxWait, (_success, issued) =>
        issued ? performance.now() - began : undefined,
      );
    },
    async answers(count, maxWait) {
      let left = count;
      await heard(waiting, maxWait, (success) => {
        if (success) left -= 1;
        return left <= 0 ? true : undefined;
      });
    },
  };
}

/** Resolves with what `take` makes of an answer, once it makes something of one. */
function heard<T>(
  waiting: Set<(success: boolean, issued: boolean) => void>,
  maxWait: number,
  take: (success: boolean, issued: boolean) => T | undefined,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    const done = (value: T | undefined) => {
      clearTimeout(timer);
      waiting.delete(listener);
      resolve(value);
    };
    const listener = (success: boolean, issued: boolean) => {
      const value = take(success, issued);
      if (value !== undefined) done(value);
    };
    const timer = setTimeout(done, maxWait, undefined);
    waiting.add(listener);
  });
}
