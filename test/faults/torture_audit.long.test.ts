/**
 * Tests the checks of the torture themselves, because a run that does not detect losses would always succeed.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, test } from "node:test";
import { audit } from "../../tools/torture/audit.ts";
import { requesterOf } from "../../tools/torture/http.ts";
import { newLedger, type Token, type TokenState } from "../../tools/torture/ledger.ts";
import type { Played } from "../../tools/torture/play.ts";
import { faultsOf, type Result, resultTable, timeIsUp } from "../../tools/torture/table.ts";

const endings: (() => unknown)[] = [];
after(() => {
  for (const end of endings) end();
});

/**
 * Starts a server whose introspection knows only these tokens. The token `slow` becomes inactive after three
 * requests.
 */
async function introspecting(active: readonly string[]) {
  let left = 3;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const token = new URLSearchParams(body).get("token") ?? "";
    response.end(JSON.stringify({ active: token === "slow" ? left-- > 0 : active.includes(token) }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const requester = requesterOf((server.address() as AddressInfo).port);
  endings.push(
    () => server.close(),
    () => requester.close(),
  );
  return requester;
}

const token = (access_token: string, state: TokenState): Token => ({ access_token, client: "worker", state });

test("the stress test detects an acknowledged token that is lost, and ignores tokens with unknown outcome", async () => {
  const requester = await introspecting(["kept"]);
  const tokens = [
    token("kept", "live"),
    token("lost", "live"),
    token("revoked", "ended"),
    token("open", "asked"),
  ];
  assert.deepEqual(await audit(requester, tokens, { maxWait: 200 }), {
    checked: 3,
    lost: 1,
    undone: 0,
    unanswered: 0,
  });
});

test("the stress test waits for late revocations, and counts missing ones", async () => {
  const requester = await introspecting(["undone"]);
  const late = await audit(requester, [token("slow", "ended")], { maxWait: 10_000 });
  assert.deepEqual(late, { checked: 1, lost: 0, undone: 0, unanswered: 0 });
  const undone = { checked: 1, lost: 0, undone: 1, unanswered: 0 };
  assert.deepEqual(await audit(requester, [token("undone", "ended")], { maxWait: 200 }), undone);
  const said = [2, 1, 0];
  const waiting = async () => said.shift();
  assert.deepEqual(await audit(requester, [token("undone", "ended")], { waiting }), undone);
  assert.deepEqual(said, [], "nothing is undone while the server says that it works on it");
});

test("the stress test records the first token that is issued after a failure", async () => {
  const ledger = newLedger();
  const answer = { retry_after: false, location: undefined, body: "", milliseconds: 1 };
  const success = ledger.nextSuccess(10_000);
  ledger.note("introspect", { ...answer, status: 200 });
  ledger.note("issue", { ...answer, status: 503, retry_after: true });
  ledger.note("issue", { ...answer, status: "reset" });
  assert.equal(await Promise.race([success, Promise.resolve("still waiting")]), "still waiting");
  ledger.note("refresh", { ...answer, status: 200 });
  assert.equal(typeof (await success), "number");
  assert.equal(await ledger.nextSuccess(1), undefined);
  assert.deepEqual(Object.fromEntries(ledger.statuses), {
    "introspect 200": 1,
    "issue 503 with Retry-After": 1,
    "issue reset": 1,
    "refresh 200": 1,
  });
});

const well: Played = {
  ...{ rounds: 2, requests: 1000, checked: 100, lost: 0, undone: 0, unanswered: 0, gone: 0, by_hand: 0 },
  ...{ first_success: [10, 2000], longest: 30, signed_out: 1, halves: [], odd: [] },
  statuses: { "issue 200": 900, "issue 503 with Retry-After": 60, "revoke 500": 30, "issue reset": 10 },
};
const result = (played: Partial<Played>, more: Partial<Result> = {}): Result => ({
  ...{
    scenario: "kill",
    title: "a fault",
    setup: { database: "SQLite", workers: 2 },
    rounds_wanted: 2,
    soon: 2000,
  },
  ...{ played: { ...well, ...played }, ending: "0", ...more },
});

test("the stress test reports success only if all checks succeed", () => {
  assert.deepEqual(faultsOf(result({})), []);
  assert.match(
    resultTable([result({})]),
    /\| a fault \| SQLite, 2 workers \| 2 \|.*\| 2,000 \(10–2,000\) \| 30 \| 60 \| 30 \| 10 \| 1 \|\n\nNothing was lost\.$/,
  );
  assert.match(
    resultTable([result({}), result({ lost: 1 })]),
    /^In every row: Rounds 2, .*Undone 0.*\.\n\n\| Fault \| Database \| Lost \|\n.*\n\| a fault \| SQLite, 2 workers \| 0 \|\n/,
  );
  const wrong: [Result, RegExp][] = [
    [result({ lost: 1 }), /1 issued tokens lost/],
    [result({ undone: 1 }), /1 revocations or refreshes undone/],
    [result({ unanswered: 1 }), /tokens whose introspection got no response/],
    [result({ gone: 1 }), /1 processes exited unexpectedly/],
    [result({ by_hand: 1 }), /1 restarts by the test/],
    [result({ first_success: [2001] }), /1 first successes later than 2000 ms/],
    [result({ rounds: 1 }), /1 rounds not played/],
    [result({ halves: ["a half"] }), /a half/],
    [result({ odd: ["odd", "odd"] }), /2 × odd/],
    [result({}, { ending: "1" }), /exited with 1 after SIGTERM/],
    [result({}, { error: "it broke" }), /it broke/],
    [result({}, { skipped: timeIsUp }), /the time was up/],
  ];
  for (const [each, words] of wrong) {
    assert.match(faultsOf(each).join(), words);
    assert.match(resultTable([each]), words);
  }
});
