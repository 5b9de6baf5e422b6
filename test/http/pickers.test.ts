/** Fields that name a record: their suggestions, and the meaning of typed text without a script. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { jsonErrorAt } from "../../src/console/forms/json_error_at.http.ts";
import { aPerson, testBrowser } from "../support/app.ts";
import { anApp, anOrganization } from "../support/builders.ts";
import {
  type ConsoleFixture,
  confirmOn,
  consoleFixture,
  fillIn,
  type ViewerName,
} from "../support/console.ts";

interface Answer {
  readonly options: readonly { readonly value: string; readonly name: string }[];
  readonly said: string;
}

describe("fields that name a record, with suggestions", () => {
  let it: ConsoleFixture;
  before(async () => {
    it = await consoleFixture();
    const globex = await anOrganization(it.store, { name: "Globex", slug: "globex" });
    await anApp(it.store, { name: "Orders", client_id: "globex-orders", organization_id: globex.id });
    await aPerson(it, { name: "Mina", email: "other.mina@example.com" });
    for (let index = 0; index < 12; index += 1)
      await aPerson(it, { name: `Crowd ${index}`, email: `crowd${index}@example.com` });
  });
  const suggested = async (viewer: ViewerName, path: string): Promise<Answer> => {
    const answer = await it.browsers[viewer].get(`/console/suggestions/${path}`);
    assert.equal(answer.statusCode, 200);
    assert.match(String(answer.headers["content-type"]), /^application\/json/);
    assert.equal(answer.headers["cache-control"], "no-store");
    return answer.json();
  };
  const values = async (viewer: ViewerName, path: string) =>
    (await suggested(viewer, path)).options.map(({ value }) => value);
  const root = "platform administrator";
  const admin = "organization admin";

  test("suggestions match any part of a name or address, or an id, exact match first, and eight at most", async () => {
    assert.deepEqual((await suggested(root, "users?q=MINA@example.com")).options[0], {
      value: "mina@example.com",
      name: "Mina",
    });
    assert.deepEqual(await values(root, "apps?q=orders"), ["orders", "globex-orders"]);
    assert.deepEqual(await values(root, `organizations?q=${it.acme.id}`), ["acme"]);
    const crowd = await suggested(root, "users?q=crowd");
    assert.equal(crowd.options.length, 8);
    assert.match(crowd.said, /^8 suggestions, and more/);
    assert.deepEqual(await suggested(root, "users?q=nobody-at-all"), { options: [], said: "No match" });
    // Records without a name, and unknown resource types, have no suggestions.
    for (const path of ["tokens?q=a", "constructor?q=a", "nonsense?q=a"])
      assert.deepEqual(await values(root, path), [], path);
    assert.equal((await values(root, `users?q=${"x".repeat(5000)}`)).length, 0);
  });

  test("P-9: a typed email address means exactly that mailbox, and never a look-alike", async () => {
    const [email, other] = ["eve@stra\u00dfe.example", "eve@strasse.example"];
    const look_alike = await aPerson(it, { name: "Look-alike", email: other });
    const keyOf = async (user_id: string) => {
      const name = `for ${user_id} ${crypto.randomUUID()}`;
      const input = { name, user_id, "scopes.users": "postern:users:read" };
      await fillIn(it.browsers[root], "/console/api-keys/new", input);
      return (await it.store.list("api_keys", { name }))[0]?.user_id;
    };
    assert.equal(await keyOf(email), undefined);
    const user = await aPerson(it, { name: "Eve", email, email_key: email });
    assert.equal(await keyOf(email), user.id);
    assert.equal(await keyOf(other), look_alike.id);
    const both = [email, other];
    assert.deepEqual(
      (await values(root, `users?q=${encodeURIComponent(email)}`)).toSorted(),
      both.toSorted(),
    );
  });

  test("H-50: only records that the reader's lists show are suggested and found", async () => {
    assert.deepEqual(await values(admin, "apps?q=orders"), ["orders"]);
    assert.deepEqual(await values(admin, "organizations?q=globex"), []);
    assert.deepEqual(await values(admin, "users?q=crowd"), []);
    for (const type of ["users", "apps", "organizations", "service_accounts", "resources", "providers"]) {
      assert.deepEqual(
        (await values("stranger", `${type}?q=`)).filter((value) => !value.includes("stranger")),
        type === "users" ? [it.people.stranger.email] : [],
        type,
      );
    }
    const signedOut = await testBrowser(it.app).get("/console/suggestions/users?q=mina");
    assert.equal(signedOut.statusCode, 302);
    assert.doesNotMatch(signedOut.body, /mina@/);
    // The name of another organization's app gets the same answer as a missing one.
    const typed = async (app_id: string) =>
      (await fillIn(it.browsers[admin], "/console/app-secrets/new", { app_id })).body;
    const errorIn = (body: string) => /id="field-app_id-error">([^<]*)</.exec(body)?.[1];
    assert.equal(errorIn(await typed("globex-orders")), errorIn(await typed("nowhere-orders")));
    assert.doesNotMatch(await typed("globex"), /globex-orders/);
  });

  test("a typed name is accepted if exactly one record has it, and otherwise the candidates are listed", async () => {
    const made = (changes: Record<string, string>) =>
      fillIn(it.browsers[root], "/console/apps/new?kind=website", {
        name: "Named",
        redirect_uris: "https://named.example/cb",
        ...changes,
      });
    const found = await made({ organization_id: "acME", owner_id: "adela" });
    assert.equal(found.statusCode, 200, found.body);
    const [app] = await it.store.list("oauth_apps", { name: "Named" });
    assert.equal(app?.organization_id, it.acme.id);
    assert.equal(app?.owner_id, it.people[admin].id);

    const faulty = await made({ organization_id: "acm", owner_id: "Mina" });
    assert.equal(faulty.statusCode, 422);
    assert.match(faulty.body, /there is no organization with this slug, name or ID; similar: Acme \(acme\)/);
    assert.match(
      faulty.body,
      /matches more than one user: use the email address, such as (?:other\.)?mina@example\.com, (?:other\.)?mina@example\.com/,
    );
    assert.match(faulty.body, /id="field-organization_id"[^>]* value="acm"/);
  });

  test("H-50: a typed id means the record with that id, even if another record has it as its name", async () => {
    const evil = await anOrganization(it.store, { name: "Evil", slug: it.acme.id });
    await anApp(it.store, { name: "Of Evil", client_id: "of-evil", organization_id: evil.id });
    const listed = await it.browsers[root].get(`/console/apps?organization_id=${it.acme.id}`);
    assert.ok(!listed.body.includes("of-evil") && listed.body.includes("orders"));
  });

  test("filters, lists and confirmations have the same suggestions", async () => {
    const { body: list } = await it.browsers[root].get("/console/tokens");
    for (const [name, type] of [
      ["app_id", "apps"],
      ["user_id", "users"],
      ["service_account_id", "service_accounts"],
    ])
      assert.match(
        list,
        new RegExp(`id="field-${name}"[^>]* data-suggestions="/console/suggestions/${type}"`),
      );
    const several = await it.browsers[root].get("/console/tokens?user_id=Mina");
    assert.equal(several.statusCode, 422);
    assert.match(several.body, /matches more than one user/);

    const edit = `/console/resources/${it.ids.resources}/edit`;
    const lines = await fillIn(it.browsers[root], edit, { app_ids: "nowhere\r\norders\r\nnothing" });
    assert.match(lines.body, /Entry 1: there is no app[\s\S]*Entry 3: there is no app/);
    assert.match(
      lines.body,
      /<textarea id="field-app_ids"[^>]* data-suggestions="\/console\/suggestions\/apps"/,
    );
    assert.equal((await fillIn(it.browsers[root], edit, { app_ids: "Named" })).statusCode, 303);
    const again = await it.browsers[root].get(edit);
    const [named] = await it.store.list("oauth_apps", { name: "Named" });
    assert.match(
      again.body,
      new RegExp(`<textarea id="field-app_ids"[^>]*>\\n${named?.client_id}</textarea>`),
    );
    assert.equal(
      (await fillIn(it.browsers[root], edit)).headers.location,
      `${edit.slice(0, -5)}?done=unchanged`,
    );

    const leaving = await aPerson(it, { name: "Leaving" });
    await anApp(it.store, { owner_id: leaving.id, organization_id: it.acme.id });
    const gone = `/console/users/${leaving.id}/delete`;
    const refused = await confirmOn(it.browsers[root], gone, { successor: "nobody" });
    assert.match(
      refused.body,
      /id="field-successor-error">there is no user with this email address, name or ID/,
    );
    assert.equal((await confirmOn(it.browsers[root], gone, { successor: "Adela" })).statusCode, 303);
  });

  test("only pages with suggestions may send requests to this server by script", async () => {
    const policy = async (path: string) =>
      String((await it.browsers[root].get(path)).headers["content-security-policy"]);
    assert.match(await policy("/console/apps/new?kind=website"), /; connect-src 'self';/);
    assert.match(await policy("/console/tokens"), /; connect-src 'self';/);
    for (const path of ["/console", "/account", "/console/users/new"])
      assert.doesNotMatch(await policy(path), /connect-src/, path);
  });
});

test("an error in JSON is reported with its line and column, at any position", () => {
  for (const [text, line, column] of [
    ["", 1, 1],
    ["{a:1}", 1, 2],
    ['{"a": tru}', 1, 7],
    ['{"a":1,}', 1, 8],
    ['{"a":1\n "b":2}', 2, 2],
    ["[1,2", 1, 5],
    ["[1,]", 1, 4],
    ['{"a":1}x', 1, 8],
    ["[\n 'x']", 2, 2],
    ['{"k":"open', 1, 6],
    ['{"a":{"b":[1,{"c":null}]}} ,', 1, 28],
    [`${"[".repeat(20_000)}x`, 1, 20_001],
  ] as const) {
    assert.throws(() => JSON.parse(text), SyntaxError, text);
    assert.deepEqual(jsonErrorAt(text), { line, column }, text);
  }
});
