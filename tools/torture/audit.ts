/** Checks after a failure whether every acknowledged response still holds. */
import { setTimeout as wait } from "node:timers/promises";
import { proofOf } from "./fixture.ts";
import { activeOf, type Requester, textOf } from "./http.ts";
import type { Chain, Ledger, Token } from "./ledger.ts";
import type { Random } from "./random.ts";

/** Number of concurrent requests. */
const breadth = 12;
/**
 * Milliseconds within which acknowledged revocations must be carried out after the database is available
 * again.
 */
const carryingOut = 30_000;
/** Number of refresh chains that are refreshed once more at the end. */
const chainsTried = 50;

export interface Findings {
  checked: number;
  /** Issued tokens that are not active, although no request has ended them. */
  lost: number;
  /** Active tokens whose revocation or refresh was acknowledged. */
  undone: number;
  /** Tokens whose introspection got no response, although the server was available. */
  unanswered: number;
}

export const nothingFound = (): Findings => ({ checked: 0, lost: 0, undone: 0, unanswered: 0 });

async function each<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = list.values();
  const worker = async () => {
    for (const one of left) await work(one);
  };
  await Promise.all(Array.from({ length: breadth }, worker));
}

/** Returns whether the token is active, after several attempts if there is no response. */
async function isActive(requester: Requester, { access_token, client }: Token): Promise<boolean | undefined> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const form = { token: access_token };
    const active = activeOf(
      await requester.ask({ path: "/oauth/introspect", form, headers: proofOf(client) }),
    );
    if (active !== undefined) return active;
    await wait(200);
  }
  return undefined;
}

export interface AuditOptions {
  /** Returns the number of revocations that the server still has to carry out; undefined if unknown. */
  readonly waiting?: () => Promise<number | undefined>;
  /** Milliseconds within which the server must carry out these revocations. */
  readonly maxWait?: number;
}

/** Checks every token. Ended tokens may be active as long as the server reports pending revocations. */
export async function audit(
  requester: Requester,
  tokens: readonly Token[],
  { waiting = async () => undefined, maxWait = carryingOut }: AuditOptions = {},
): Promise<Findings> {
  const found = nothingFound();
  let alive: Token[] = [];
  await each(tokens, async (token) => {
    if (token.state === "asked") return;
    const active = await isActive(requester, token);
    found.checked += 1;
    if (active === undefined) found.unanswered += 1;
    else if (token.state === "live" && !active) found.lost += 1;
    else if (token.state === "ended" && active) alive.push(token);
  });
  for (const deadline = Date.now() + maxWait; alive.length > 0 && Date.now() < deadline; ) {
    const left = await waiting();
    const still: Token[] = [];
    await each(alive, async (token) => {
      if ((await isActive(requester, token)) !== false) still.push(token);
    });
    alive = still;
    if (left === 0) break;
    await wait(100);
  }
  found.undone += alive.length;
  return found;
}

/**
 * Refreshes some chains once more, and then replays their used refresh tokens. The refresh must succeed; the
 * replay must be refused and end the chain. `replays_end` is false if a reuse window accepts a replay once.
 * Afterwards, the ledger is no longer valid for these chains.
 */
export async function auditChains(
  requester: Requester,
  ledger: Ledger,
  random: Random,
  { replays_end = true } = {},
): Promise<Findings> {
  const found = nothingFound();
  const quiet = ledger.chains.filter(({ state }) => state === "live");
  const tried = quiet.sort(() => random.next() - 0.5).slice(0, chainsTried);
  const headers = proofOf("web");
  const refresh = (refresh_token: string) =>
    requester.ask({ path: "/oauth/token", form: { grant_type: "refresh_token", refresh_token }, headers });
  await each(tried, async (chain: Chain) => {
    chain.state = "asked";
    chain.last.state = "asked";
    found.checked += 1;
    const answer = await refresh(chain.refresh_token);
    const access_token = textOf(answer, "access_token");
    if (access_token === undefined) {
      if (answer.status === 400) found.lost += 1;
      else found.unanswered += 1;
      return;
    }
    const replay = await refresh(chain.refresh_token);
    if (!replays_end) {
      if (textOf(replay, "access_token") !== access_token) found.lost += 1;
      return;
    }
    const ended = { access_token, client: "web", state: "ended" } as const;
    if (replay.status !== 400 || (await isActive(requester, ended)) !== false) found.undone += 1;
  });
  return found;
}

export function sum(one: Findings, other: Findings): Findings {
  return {
    checked: one.checked + other.checked,
    lost: one.lost + other.lost,
    undone: one.undone + other.undone,
    unanswered: one.unanswered + other.unanswered,
  };
}
