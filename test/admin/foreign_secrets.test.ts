import assert from "node:assert/strict";
import { createHash, pbkdf2Sync } from "node:crypto";
import { test } from "node:test";
import { hashSync } from "bcryptjs";
import { applyManifest } from "../../src/admin/manifest/apply_manifest.ts";
import { createAppSecret } from "../../src/admin/records/app_secrets.ts";
import { createApp } from "../../src/admin/records/apps.ts";
import { isArgon2id } from "../../src/crypto/passwords.ts";
import { authenticateClient } from "../../src/oauth/clients/client_authentication.ts";
import { testServer } from "../support/authorization_server.ts";
import { anOrganization, aUser } from "../support/builders.ts";
import { describeInForm } from "../support/databases.ts";
import { endpointRequest } from "../support/flows.ts";
import { problem, testContext } from "./context.ts";

const secret = "a secret that was chosen elsewhere";
const pbkdf2 = () => {
  const salt = Buffer.alloc(16, 7);
  const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
  const hash = pbkdf2Sync(secret, salt, 25_000, 64, "sha512");
  return `$pbkdf2-sha512$i=25000,l=64$${base64(salt)}$${base64(hash)}`;
};

describeInForm("client secrets hashed by another program", (database) => {
  async function setUp() {
    const it = await testServer(await database.open());
    const admin = { ...testContext(it.store), now: it.clock.now, passwords: it.server.passwords };
    const owner = await aUser(it.store, { email: "owner@example.com", is_platform_admin: true });
    const app = (hash: string) => ({
      client_id: "shop",
      name: "Shop",
      owner_id: owner.id,
      redirect_uris: ["https://shop.example/cb"],
      secrets: [{ hash }],
    });
    const present = (client_secret: string) =>
      authenticateClient(endpointRequest({ client_id: "shop", client_secret }), it.server);
    const stored = () => it.store.list("oauth_app_secrets");
    return { ...it, admin, owner, app, present, stored };
  }

  test("MG-7: an imported client keeps its client_id and a secret of which only the hash is known", async () => {
    for (const hash of [pbkdf2(), hashSync(secret, 4), await (await setUp()).server.passwords.hash(secret)]) {
      const { admin, app, present, stored } = await setUp();
      await createApp(admin, app(hash));
      const [row, ...more] = await stored();
      assert.deepEqual([row?.secret_hash, row?.secret_prefix, more], [hash, "", []]);
      assert.equal((await present(secret)).app.client_id, "shop");
      assert.equal((await present(secret)).app.client_id, "shop", "also from memory");
      await assert.rejects(present(`${secret}!`), { code: "invalid_client" });
    }
  });

  test("MG-7: a weak imported hash of a secret is wrapped in Argon2id", async () => {
    const { admin, app, present, stored } = await setUp();
    await createApp(admin, app(`{SHA}${createHash("sha1").update(secret).digest("base64")}`));
    const [row] = await stored();
    assert.match(String(row?.secret_hash), /^\$argon2id\$.*\$inner=/);
    assert.equal((await present(secret)).app.client_id, "shop");
    await assert.rejects(present("another"), { code: "invalid_client" });
  });

  test("MG-7: a manifest with hashes of secrets changes nothing when it is applied again", async () => {
    const { admin, stored, store, owner } = await setUp();
    const weak = `{SHA}${createHash("sha1").update(secret).digest("base64")}`;
    const manifest = {
      users: [
        { email: "ada@example.com", name: "Ada", password: { hash: hashSync("her password", 4) } },
        { email: "bea@example.com", name: "Bea", password: { hash: weak } },
      ],
      apps: [
        {
          client_id: "shop",
          name: "Shop",
          owner: owner.email,
          redirect_uris: ["https://shop.example/cb"],
          secrets: [{ hash: pbkdf2() }, { hash: weak }],
        },
      ],
    };
    const first = await applyManifest(manifest, admin);
    assert.equal(first.created.length, 3);
    const rows = [await stored(), await store.list("foreign_passwords")];
    assert.deepEqual([rows[0]?.length, rows[1]?.length], [2, 2]);
    const again = await applyManifest(manifest, admin);
    assert.deepEqual([again.created, again.updated], [[], []]);
    assert.deepEqual([await stored(), await store.list("foreign_passwords")], rows);
    // A user who has signed in since then keeps the hash that this server created.
    const own = await admin.passwords.hash("her password");
    const ada = { email: "ada@example.com" };
    await store.update("users", ada, { password_hash: own });
    assert.deepEqual((await applyManifest(manifest, admin)).updated, []);
    assert.ok(isArgon2id(String((await store.find("users", ada))?.password_hash)));
    const other = { ...manifest.users[1], password: { hash: hashSync("another", 4) } };
    assert.deepEqual((await applyManifest({ users: [other] }, admin)).updated, ["user bea@example.com"]);
  });

  test("MG-7: a secret is refused if it has both hash and value, an unverifiable hash, or a hash from an unauthorized caller", async () => {
    const { admin, app, store, owner } = await setUp();
    const create = (input: object) => createApp(admin, { ...app(""), secrets: [input] });
    await assert.rejects(
      create({ hash: pbkdf2(), value: secret }),
      problem("invalid_record", ["/secrets/0/value"]),
    );
    await assert.rejects(create({ hash: "$2b$15$x" }), problem("invalid_record", ["/secrets/0/hash"]));
    await assert.rejects(create({}), problem("invalid_record", ["/secrets/0/value"]));
    const organization = await anOrganization(store);
    const developer = await aUser(store);
    await store.insert("memberships", {
      ...{
        id: store.newId(admin.now()),
        user_id: developer.id,
        organization_id: organization.id,
        role: "owner",
      },
      ...{ created_at: admin.now(), updated_at: admin.now() },
    });
    const by = { ...admin, actor: { kind: "user", user: developer } as const };
    const input = { ...app(pbkdf2()), owner_id: developer.id, organization_id: organization.id };
    await assert.rejects(createApp(by, input), problem("forbidden", ["/secrets/0/hash"]));
    assert.equal(await store.count("oauth_apps", { owner_id: owner.id }), 0);
  });

  test("MG-7: only a platform administrator adds a secret to an app by its hash", async () => {
    const { admin, app, store, present, owner } = await setUp();
    const { app: made } = await createApp(admin, app(hashSync("the first of its secrets", 4)));
    const add = (input: object, by = admin) => createAppSecret(by, { app_id: made.id, ...input });
    const weak = `{SHA}${createHash("sha1").update(`${secret} 2`).digest("base64")}`;
    for (const [hash, text] of [
      [pbkdf2(), secret],
      [weak, `${secret} 2`],
    ] as const) {
      const { row, secret: shown } = await add({ hash });
      assert.deepEqual([row.secret_prefix, shown], ["", undefined]);
      assert.equal((await present(text)).app.client_id, "shop");
      await assert.rejects(add({ hash }), problem("conflict"));
    }
    await assert.rejects(add({ hash: pbkdf2(), value: secret }), problem("invalid_record", ["/value"]));
    await assert.rejects(add({ hash: "$2b$15$x" }), problem("invalid_record", ["/hash"]));
    const developer = await aUser(store);
    await store.update("oauth_apps", { id: made.id }, { owner_id: developer.id });
    const by = { ...admin, actor: { kind: "user", user: developer } as const };
    await assert.rejects(add({ hash: pbkdf2() }, by), problem("forbidden", ["/hash"]));
    assert.equal((await add({}, by)).row.revoked, false);
    assert.equal(await store.count("oauth_apps", { owner_id: owner.id }), 0);
  });
});
