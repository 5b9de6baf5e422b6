/** Clients that record each response before they send the next request. */
import { setTimeout as wait } from "node:timers/promises";
import { type ClientName, newCode, proofOf } from "./fixture.ts";
import { type Answer, activeOf, type Requester, textOf } from "./http.ts";
import type { Chain, Ledger, Operation, Token } from "./ledger.ts";
import type { Random } from "./random.ts";

/**
 * In milliseconds. Clients pause after failures, because retries without a pause would take the processor
 * time that the server needs.
 */
const shortest: Pauses = { after_failure: 5, after_success: 0 };
/** Maximum number of tokens that a client keeps to introspect and revoke. */
const remembered = 20;

/** Milliseconds between a response and the client's next request. */
interface Pauses {
  readonly after_failure: number;
  readonly after_success: number;
}

export interface LoadOptions {
  readonly requester: Requester;
  readonly ledger: Ledger;
  readonly clients: number;
  readonly random: Random;
  /** The Cookie header of a signed-in user, whose authorization codes begin the refresh chains. */
  readonly cookie: string;
  /** By default `shortest`. */
  readonly pauses?: Pauses;
  /**
   * Whether a refreshed token must be inactive at once, which requires that the server has no reuse
   * window.
   */
  readonly strict?: boolean;
}

export interface Load {
  /** Resolves when requests in progress have ended; no further ones are sent. */
  pause(): Promise<void>;
  resume(): void;
}

export function startLoad(options: LoadOptions): Load {
  const { clients, pauses = shortest, ...shared } = options;
  let running = false;
  let loops: Promise<void>[] = [];
  const all = Array.from({ length: clients }, () => aClient(shared));

  async function loop(step: () => Promise<boolean>): Promise<void> {
    while (running) {
      const pause = (await step()) ? pauses.after_success : pauses.after_failure;
      if (pause > 0) await wait(pause);
    }
  }

  const load: Load = {
    async pause() {
      running = false;
      await Promise.all(loops);
    },
    resume() {
      running = true;
      loops = all.map(loop);
    },
  };
  load.resume();
  return load;
}

/**
 * Returns a client as a function. Each call sends one or two requests, and resolves with whether they
 * succeeded.
 */
function aClient(options: Omit<LoadOptions, "clients" | "pauses">): () => Promise<boolean> {
  const { requester, ledger, random, cookie, strict = true } = options;
  const own: Token[] = [];
  let chain: Chain | undefined;

  async function send(
    operation: Operation,
    client: ClientName,
    form: Record<string, string>,
  ): Promise<Answer> {
    const path = { introspect: "/oauth/introspect", revoke: "/oauth/revoke" }[operation as string];
    const answer = await requester.ask({ path: path ?? "/oauth/token", form, headers: proofOf(client) });
    ledger.note(operation, answer);
    return answer;
  }

  function written(client: ClientName, answer: Answer): Token | undefined {
    const access_token = textOf(answer, "access_token");
    if (answer.status !== 200 || access_token === undefined) return undefined;
    const token: Token = { access_token, client, state: "live" };
    ledger.tokens.push(token);
    return token;
  }

  async function issue(): Promise<boolean> {
    const answer = await send("issue", "worker", {
      grant_type: "client_credentials",
      scope: "orders:read",
    });
    const token = written("worker", answer);
    if (token !== undefined && own.push(token) > remembered) own.shift();
    return inOrder("issue", answer);
  }

  async function introspect(): Promise<boolean> {
    const token = random.pick(own);
    if (token === undefined) return issue();
    const answer = await send("introspect", token.client, { token: token.access_token });
    if (token.state === "live" && activeOf(answer) === false) ledger.noteOdd("introspect", answer);
    return inOrder("introspect", answer);
  }

  async function revoke(): Promise<boolean> {
    const token = own.shift();
    if (token === undefined) return issue();
    token.state = "asked";
    const answer = await send("revoke", token.client, { token: token.access_token });
    if (answer.status === 200) token.state = "ended";
    return inOrder("revoke", answer);
  }

  async function begin(): Promise<boolean> {
    const form = await newCode(requester, cookie);
    if (form === undefined) return false;
    const answer = await send("code", "web", form);
    const last = written("web", answer);
    const refresh_token = textOf(answer, "refresh_token");
    if (last === undefined || refresh_token === undefined) return inOrder("code", answer);
    chain = { last, refresh_token, spent: undefined, state: "live" };
    ledger.chains.push(chain);
    return true;
  }

  async function refresh(): Promise<boolean> {
    if (chain === undefined) return begin();
    const lost = chain.state === "asked";
    chain.state = "asked";
    chain.last.state = "asked";
    const { refresh_token } = chain;
    const answer = await send("refresh", "web", { grant_type: "refresh_token", refresh_token });
    const last = written("web", answer);
    if (last !== undefined) {
      chain.last.state = strict ? "ended" : "asked";
      Object.assign(chain, {
        ...{ last, spent: refresh_token, refresh_token: textOf(answer, "refresh_token"), state: "live" },
      });
      return true;
    }
    if (lost && answer.status === 400) {
      // The response to the previous refresh was lost. The client does not know the new refresh token, and
      // the old one has been used.
      ledger.signed_out += 1;
      chain = undefined;
      return true;
    }
    return inOrder("refresh", answer);
  }

  async function signOut(): Promise<boolean> {
    if (chain === undefined || chain.state !== "live") return refresh();
    const ending = chain;
    chain = undefined;
    ending.state = "asked";
    ending.last.state = "asked";
    const answer = await send("revoke", "web", { token: ending.refresh_token });
    if (answer.status === 200) {
      ending.state = "ended";
      ending.last.state = "ended";
    }
    return inOrder("revoke", answer);
  }

  /** Reports every 4xx response, because these clients send only valid requests. */
  function inOrder(operation: Operation, answer: Answer): boolean {
    if (answer.status === 200) return true;
    if (typeof answer.status === "number" && answer.status < 500) ledger.noteOdd(operation, answer);
    return false;
  }

  return () => {
    const dice = random.next();
    // Chosen so that two of five issued tokens are revoked.
    if (dice < 0.45) return issue();
    if (dice < 0.63) return revoke();
    if (dice < 0.8) return introspect();
    return dice < 0.97 ? refresh() : signOut();
  };
}
