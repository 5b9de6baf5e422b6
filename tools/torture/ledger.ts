/**
 * Records each response before the client sends its next request. The server must honor every recorded
 * response.
 */

import type { ClientName } from "./fixture.ts";
import type { Answer } from "./http.ts";

export type Operation = "issue" | "refresh" | "code" | "introspect" | "revoke";

/**
 * The state of a token according to the last response. `asked`: a request that revokes it got no response, so
 * it may be active or not. `ended`: a response confirms that it was revoked or replaced by a refresh.
 */
export type TokenState = "live" | "asked" | "ended";

export interface Token {
  readonly access_token: string;
  readonly client: ClientName;
  state: TokenState;
}

/** The token family of one sign-in. Only the last refresh token can be used. */
export interface Chain {
  last: Token;
  refresh_token: string;
  /** The previous refresh token. */
  spent: string | undefined;
  state: TokenState;
}

export interface Ledger {
  readonly tokens: Token[];
  readonly chains: Chain[];
  /** The number of responses by operation and status, such as `issue 200` and `revoke reset`. */
  readonly statuses: Map<string, number>;
  /** Responses that the caused failure does not explain, as sentences. */
  readonly odd: string[];
  /** Chains that ended because the response to a refresh was lost, if there is no reuse window. */
  signed_out: number;
  requests: number;
  /** The maximum time that a request waited for its response, in milliseconds. */
  longest: number;
  /** Records a response, and resolves the promises of `nextSuccess` and `answers` that it satisfies. */
  note(operation: Operation, answer: Answer): void;
  noteOdd(operation: Operation, answer: Answer): void;
  /** Returns the number of 5xx responses so far. */
  failures(): number;
  /**
   * Resolves with the milliseconds until the next token is issued; undefined after `maxWait`
   * milliseconds.
   */
  nextSuccess(maxWait: number): Promise<number | undefined>;
  /** Resolves after this number of further responses that are not failures. */
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

/** Resolves with the first result of `take` that is not undefined; undefined after `maxWait` milliseconds. */
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
