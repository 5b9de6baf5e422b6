/**
 * Simulates users who sign in at apps, change their names and sign out, and a reader of the feed. Both record
 * every response.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { decodeJwt } from "jose";
import { basic, challenge, verifier } from "../../test/support/flows.ts";
import { type FormBrowser, formBrowser, goThrough } from "../../test/support/form_browser.ts";
import type { Random } from "../torture/random.ts";
import { type AppName, appNames } from "./receivers.ts";
import { redirect_uri, type Stage, secret } from "./stage.ts";

/** The state that the server has confirmed in successful responses. */
export interface Answered {
  /** The apps that received a code, by session ID. */
  readonly sessions: Map<string, Set<AppName>>;
  readonly ended: Set<string>;
  readonly names: Set<string>;
}

export const nothingAnswered = (): Answered => ({ sessions: new Map(), ended: new Set(), names: new Set() });

interface LoadOptions {
  readonly stage: Stage;
  readonly random: Random;
  readonly answered: Answered;
}

async function signIn(
  { server }: Stage,
  browser: FormBrowser,
  person: Stage["users"][number],
  client_id: AppName,
): Promise<string> {
  const address = new URL("/oauth/authorize", server.url);
  const asked = { response_type: "code", client_id, redirect_uri, scope: "openid", state: "s" };
  const proof = { code_challenge: challenge, code_challenge_method: "S256" };
  address.search = new URLSearchParams({ ...asked, ...proof }).toString();
  const callback = await goThrough(browser, address, person);
  const answer = await fetch(`${server.url}/oauth/token`, {
    method: "POST",
    headers: { authorization: basic(client_id, secret) },
    body: new URLSearchParams({
      ...{ grant_type: "authorization_code", redirect_uri, code_verifier: verifier },
      code: callback.searchParams.get("code") ?? "",
    }),
  });
  const { id_token = "" } = (await answer.json()) as { readonly id_token?: string };
  return decodeJwt<{ readonly sid: string }>(id_token).sid;
}

/**
 * Runs one visit of a user, who signs in at one or both apps, changes their name, and signs out in one of
 * several ways.
 */
async function visit(person: Stage["users"][number], { stage, random, answered }: LoadOptions) {
  const browser = formBrowser();
  const met = new Set<AppName>();
  let sid = "";
  for (const app of random.next() < 0.5 ? appNames : [random.pick(appNames) ?? "one"]) {
    sid = await signIn(stage, browser, person, app);
    answered.sessions.set(sid, met.add(app));
  }
  const name = randomUUID();
  await stage.ask("PATCH", `users/${person.id}`, { name });
  answered.names.add(name);
  const everywhere = random.next() < 0.5;
  const path = everywhere ? `users/${person.id}/sign-out` : `sessions/${sid}/revoke`;
  await stage.ask("POST", path, {});
  answered.ended.add(sid);
}

/**
 * Runs visits of every user until `over` is signaled, and reports each. A visit that a kill interrupts is
 * abandoned, and that user pauses until the next round.
 */
export async function visits(options: LoadOptions, over: AbortSignal, visited: () => void): Promise<void> {
  const { stage, random } = options;
  await Promise.all(
    stage.users.map(async (person) => {
      await pause(random.between(0, 200));
      try {
        while (!over.aborted) {
          await visit(person, options);
          visited();
        }
      } catch (error) {
        // A kill interrupts requests, and a server that starts responds 503 until the database is
        // available.
        if (!over.aborted && !isCutOff(error)) throw error;
      }
    }),
  );
}

const isCutOff = (error: unknown): boolean =>
  error instanceof Error && (error.message === "fetch failed" || /\b503\b/.test(error.message));

interface FeedAnswer {
  readonly data: readonly { readonly id: string; readonly position: number }[];
  readonly position: number;
}

/** Reads the feed from the beginning during all kills; `stop` reads the rest. */
export function feedReader({ ask }: Stage) {
  const seen: { readonly id: string; readonly position: number }[] = [];
  const ending = new AbortController();
  let after = 0;
  const more = async (wait: number): Promise<number> => {
    const answer = (await ask("GET", `events?after=${after}&limit=50&wait=${wait}`)) as unknown as FeedAnswer;
    seen.push(...answer.data);
    after = answer.position;
    return answer.data.length;
  };
  const reading = (async () => {
    while (!ending.signal.aborted) await more(1).catch(() => pause(50));
  })();
  return {
    seen,
    async stop() {
      ending.abort();
      await reading;
      while ((await more(0)) > 0);
    },
  };
}
