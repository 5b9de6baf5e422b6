/** Requests by administrators: one page from many records. */
import { client, type RunningServer, seldom_client } from "../contender.ts";
import type { Step } from "../load_plan.ts";
import type { Scenario } from "../scenario.ts";

/** The server's default limit. */
const page = 50;
/** Number of consecutive pages that are read. */
const pagesInARow = 10;

type Row = Readonly<Record<string, unknown>>;

/**
 * Search terms for users. Each term matches one user in sixteen; the last one contains a second word,
 * which all users share.
 */
const searches = ["gra", "hop", "ada exam"] as const;

export const listUsers: Scenario = {
  id: "list-users",
  name: "list of users",
  remark:
    "one response is two pages of 50: one of ten consecutive pages of active users, and users found by name",
  prepare: async ({ server, connections }) => {
    const { management_key } = server;
    if (management_key === undefined) return undefined;
    const active = `/api/v1/users?active=true&limit=${page}`;
    const [first, ...further] = await pagesFrom(server, active, ({ active }) => active === true);
    const found = searches.map((text) => `/api/v1/users?q=${encodeURIComponent(text)}&limit=${page}`);
    for (const [index, target] of found.entries())
      await readPage(server, target, fits(searches[index] ?? ""));
    return {
      work: {
        connections,
        steps: [
          pageStep(management_key, [first, ...further]),
          pageStep(management_key, [found[0] ?? "", ...found.slice(1)]),
        ],
      },
      async check(answers) {
        for (const answer of answers) {
          const rows = rowsOf(answer);
          if (!searches.some((text) => rows.every(fits(text))))
            throw new Error("a search found users that do not match");
        }
      },
    };
  },
};

export const listTokens: Scenario = {
  id: "list-tokens",
  name: "list of tokens",
  remark:
    "one response is two pages of 50 unrevoked tokens: of the app with most tokens, and of an app with a hundred",
  prepare: async ({ server, connections }) => {
    const { management_key } = server;
    if (management_key === undefined) return undefined;
    const [often, seldom] = [await appId(server, client), await appId(server, seldom_client)];
    const of = (app_id: string) => `/api/v1/tokens?app_id=${app_id}&revoked=false&limit=${page}`;
    const isIts = (app_id: string) => (row: Row) => row.app_id === app_id && row.revoked === false;
    const [first, ...further] = await pagesFrom(server, of(often), isIts(often));
    await readPage(server, of(seldom), isIts(seldom));
    return {
      work: {
        connections,
        steps: [pageStep(management_key, [first, ...further]), pageStep(management_key, [of(seldom)])],
      },
      async check(answers) {
        for (const answer of answers) {
          if (!rowsOf(answer).every(isIts(seldom))) throw new Error("a list of tokens contains other tokens");
        }
      },
    };
  },
};

export const consoleListUsers: Scenario = {
  id: "console-list-users",
  name: "console list of users",
  remark:
    "one response is two console pages of 25: one of ten consecutive pages of active users, and users found by name",
  prepare: async ({ server, connections }) => {
    if (server.management_key === undefined) return undefined;
    const [cookie = ""] = await server.signIn(1);
    const [first, ...further] = await consolePagesFrom(server, cookie, "/console/users?active=true");
    const found = searches.map((text) => `/console/users?q=${encodeURIComponent(text)}`);
    for (const target of found) await readConsolePage(server, cookie, target);
    return {
      work: {
        connections,
        steps: [
          consoleStep(cookie, [first, ...further]),
          consoleStep(cookie, [found[0] ?? "", ...found.slice(1)]),
        ],
      },
      async check(answers) {
        for (const answer of answers) {
          const names = [...answer.matchAll(/role="rowheader"[^>]*><a [^>]*><bdi[^>]*>([^<]+)</g)];
          const isFound = (text: string) =>
            names.every(([, name = ""]) => name.toLowerCase().includes(text.split(" ")[0] ?? ""));
          if (names.length !== consolePage || !searches.some(isFound))
            throw new Error("a search found users that do not match");
        }
      },
    };
  },
};

/** Rows per page in the console. */
const consolePage = 25;

function consoleStep(cookie: string, targets: readonly [string, ...string[]]): Step {
  return {
    method: "GET",
    target: "{variant}",
    headers: { Accept: "text/html", Cookie: cookie },
    variants: { values: targets, used: "in_turn" },
    expected: { status: 200, parts: ['role="rowheader"', 'rel="next"'] },
  };
}

/** Returns the addresses of consecutive console pages. Throws if one of them is not full. */
async function consolePagesFrom(
  server: RunningServer,
  cookie: string,
  target: string,
): Promise<[string, ...string[]]> {
  const targets: [string, ...string[]] = [target];
  while (targets.length < pagesInARow) {
    targets.push(await readConsolePage(server, cookie, targets.at(-1) ?? target));
  }
  return targets;
}

/** Reads a console page and returns the address of the next one. Throws if it is not full. */
async function readConsolePage({ url }: RunningServer, cookie: string, target: string): Promise<string> {
  const response = await fetch(new URL(target, url), { headers: { cookie }, redirect: "manual" });
  const body = await response.text();
  const rows = body.match(/role="rowheader"/g)?.length ?? 0;
  const next = /href="([^"]+)" rel="next"/.exec(body)?.[1]?.replaceAll("&amp;", "&");
  if (response.status !== 200 || rows !== consolePage || next === undefined)
    throw new Error(`${target} answered ${response.status} with ${rows} rows`);
  return next;
}

function pageStep(key: string, targets: readonly [string, ...string[]]): Step {
  return {
    method: "GET",
    target: "{variant}",
    headers: { Accept: "application/json", Authorization: `Bearer ${key}` },
    variants: { values: targets, used: "in_turn" },
    // A page with a cursor is full. The amount of data is therefore the same in each database.
    expected: { status: 200, parts: ['"data":[{', '"next_cursor":"'] },
  };
}

/** Returns whether each word of the text begins a word of the user's name or email. */
function fits(text: string): (row: Row) => boolean {
  return ({ name, email }) => {
    const words = `${name} ${email}`.toLowerCase().split(/[^\p{L}\p{N}]+/u);
    return text.split(" ").every((requested) => words.some((word) => word.startsWith(requested)));
  };
}

/**
 * Returns the addresses of consecutive pages. Throws if one of them is not full or contains a row that
 * does not match.
 */
async function pagesFrom(
  server: RunningServer,
  target: string,
  isRight: (row: Row) => boolean,
): Promise<[string, ...string[]]> {
  const targets: [string, ...string[]] = [target];
  for (;;) {
    const cursor = await readPage(server, targets.at(-1) ?? target, isRight);
    if (targets.length === pagesInARow) return targets;
    targets.push(`${target}&cursor=${encodeURIComponent(cursor)}`);
  }
}

/**
 * Reads a page and returns the address of the next one. Throws if it is not full or contains a row that
 * does not match.
 */
async function readPage(
  server: RunningServer,
  target: string,
  isRight: (row: Row) => boolean,
): Promise<string> {
  const answer = await read(server, target);
  const rows = rowsOf(answer);
  if (!rows.every(isRight)) throw new Error(`${target} lists records that were not requested`);
  const { next_cursor } = JSON.parse(answer) as { next_cursor: string | null };
  if (next_cursor === null) throw new Error(`${target} is the last page: the database has too few records`);
  return next_cursor;
}

/** Returns the rows of a page. Throws if the page is not full. */
function rowsOf(answer: string): readonly Row[] {
  const { data } = JSON.parse(answer) as { data: readonly Row[] };
  if (data.length !== page) throw new Error(`a page has ${data.length} rows, not ${page}`);
  return data;
}

async function appId(server: RunningServer, { client_id }: { client_id: string }): Promise<string> {
  const answer = await read(server, `/api/v1/apps?client_id=${client_id}`);
  const { data } = JSON.parse(answer) as { data: readonly { id: string; client_id: string }[] };
  const [app] = data;
  if (app?.client_id !== client_id) throw new Error(`there is no app ${client_id}`);
  return app.id;
}

async function read({ url, management_key }: RunningServer, target: string): Promise<string> {
  const response = await fetch(new URL(target, url), {
    headers: { authorization: `Bearer ${management_key}` },
  });
  const body = await response.text();
  if (response.status !== 200)
    throw new Error(`${target} answered ${response.status}: ${body.slice(0, 300)}`);
  return body;
}
