/** An export of Keycloak, imported by the command line into a server whose users then sign in. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { signIn } from "../../src/people/entry/sign_in.ts";
import { type ApiServer, apiServer } from "../http/api/server.ts";
import { exportFile } from "../moving_in/reading.ts";
import { databases } from "../support/databases.ts";
import { identityOn } from "../support/identity_context.ts";
import { temporaryFolder } from "../support/temp.ts";
import { commandLine } from "./terminal.ts";

const origin = { client_ip: "192.0.2.1", user_agent: "test", request_id: "r-1" };

const passwords = {
  "ada@example.com": "ada: correct horse 1",
  "bob@example.com": "bob: correct horse 2",
  "cyd@example.com": "cyd: correct horse 3",
  "dee@example.com": "dee: correct horse 4",
  "eve@example.com": "eve: correct horse 5",
};

for (const database of databases.slice(0, 1))
  describe("importing a realm of Keycloak", () => {
    let it: ApiServer;
    let args: string[];
    const folder = temporaryFolder();
    const losses = join(folder, "losses.csv");
    before(async () => {
      it = await apiServer(database);
      const key = join(folder, "key");
      writeFileSync(key, it.key);
      await it.app.listen({ port: 0, host: "127.0.0.1" });
      const { port } = it.app.server.address() as AddressInfo;
      const place = ["--server", `http://127.0.0.1:${port}`, "--api-key-file", key];
      const own = ["--owner", it.administrator.email, "--losses", losses];
      args = ["import", exportFile("keycloak_26.json"), "--from", "keycloak", ...place, ...own];
    });
    after(() => it.app.close());

    test("users with each kind of hash sign in, clients have their secrets, and a second run changes nothing", async () => {
      const cli = commandLine();
      const dry = await cli.run([...args, "--dry-run"]);
      assert.equal(dry.code, 0, dry.err);
      assert.match(dry.out, /^People: 7 would be created/);
      assert.equal(await it.store.count("users", { email: "ada@example.com" }), 0);

      const first = await cli.json<{ people: object; created: string[]; secrets: object }>(args);
      assert.deepEqual(first.people, { created: 7, updated: 0, unchanged: 0, refused: 0 });
      assert.ok(first.created.includes("app shop-web") && first.created.includes("organization acme"));
      assert.deepEqual(first.secrets, {});
      const said = readFileSync(losses, "utf8");
      assert.doesNotMatch(said, /no (?:provider|organization) /);

      const [ada] = await it.store.list("users", { email: "ada@example.com" });
      assert.deepEqual(ada?.attributes, {
        ...{ given_name: "Ada", family_name: "Example", preferred_username: "ada" },
      });

      const again = await cli.json<{ people: object; created: string[]; updated: string[] }>(args);
      assert.deepEqual(again.people, { created: 0, updated: 0, unchanged: 7, refused: 0 });
      assert.deepEqual([again.created, again.updated], [[], []]);

      for (const [email, password] of Object.entries(passwords)) {
        const { type } = await signIn({ email, password, origin }, identityOn(it.server));
        assert.equal(type, email === "eve@example.com" ? "second_factor" : "signed_in", email);
        const wrong = await signIn({ email, password: `${password}!`, origin }, identityOn(it.server));
        assert.equal(wrong.type, "refused", email);
      }
      const [dee] = await it.store.list("users", { email: "dee@example.com" });
      const user_id = dee?.id ?? "";
      assert.equal(await it.store.count("oauth_accounts", { user_id, provider: "google" }), 1);
      assert.equal(await it.store.count("memberships", { user_id }), 1);
      const [fay] = await it.store.list("users", { email: "fay@example.com" });
      assert.equal(await it.store.count("passkeys", { user_id: fay?.id ?? "" }), 0);
      const [gus] = await it.store.list("users", { email: "gus@example.com" });
      assert.deepEqual([gus?.active, gus?.email_verified_at], [false, null]);

      const token = await it.app.inject({
        method: "POST",
        url: "/oauth/token",
        headers: { "content-type": "application/x-www-form-urlencoded" },
        payload:
          "grant_type=client_credentials&client_id=shop-worker&client_secret=shop-worker-secret-of-decent-length",
      });
      assert.equal(token.statusCode, 200, token.body);
    });

    test("MG-6: with an organization in the map, its members have the roles and groups of the realm", async () => {
      const cli = commandLine();
      const map = join(folder, "map.yaml");
      writeFileSync(map, "organization: shop\n");
      const with_map = [...args, "--map", map];
      const dry = await cli.run([...with_map, "--dry-run"]);
      assert.equal(dry.code, 0, dry.err);
      assert.doesNotMatch(dry.out, /there is no (?:role|group|organization)/);
      const first = await cli.json<{ people: object; created: string[] }>(with_map);
      assert.ok(first.created.includes("organization shop"), first.created.join());
      const { store } = it;
      const find = async (email: string) => {
        const [user] = await store.list("users", { email });
        const [shop] = await store.list("organizations", { slug: "shop" });
        const pair = { user_id: user?.id ?? "", organization_id: shop?.id ?? "" };
        const membership = await store.find("memberships", pair);
        const names = await Promise.all(
          (membership?.role_ids ?? []).map(async (id) => (await store.find("roles", { id }))?.name),
        );
        return { membership, names, members: await store.list("group_members", { user_id: user?.id ?? "" }) };
      };
      const bob = await find("bob@example.com");
      assert.deepEqual([bob.membership?.role, bob.names], ["member", ["manager", "cashier"]]);
      const [of] = bob.members;
      assert.deepEqual((await store.find("groups", { id: of?.group_id ?? "" }))?.display_name, "/staff");
      assert.deepEqual((await find("ada@example.com")).names, []);
      const again = await cli.json<{ people: object; created: string[]; updated: string[] }>(with_map);
      assert.deepEqual(again.people, { created: 0, updated: 0, unchanged: 7, refused: 0 });
      assert.deepEqual([again.created, again.updated], [[], []]);
    });
  });
