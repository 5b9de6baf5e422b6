/** `postern webhook listen` forwards the feed of a server to a program under development. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { newWebhookSecret } from "../../src/crypto/standard_webhooks.ts";
import { createPostern } from "../../src/server/embedded.ts";
import { until } from "../support/until.ts";
import { commandLine } from "./terminal.ts";

test("EV-7: webhook listen forwards signed events, also after a restart of the server or with a given secret", async () => {
  const cli = commandLine({ POSTERN_EXTRA_FEATURES: "events" });
  const root = await cli.json<{ id: string }>(
    "user create --email root@example.com --name Root --is-platform-admin",
  );
  const { key } = await cli.json<{ key: string }>(
    "api-key create --user root@example.com --scopes postern:manage --name cli",
  );
  const settings = { database_url: cli.env.POSTERN_DATABASE_URL ?? "", extra_features: "events" };
  let postern = await createPostern({ ...settings, port: 0 });
  const { url } = postern;
  await cli.json(`login ${url} --as work --api-key-stdin`, `${key}\n`);

  const received: { headers: Record<string, string>; body: string }[] = [];
  const receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.writeHead(received.length === 1 ? 500 : 204).end();
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;

  const remote = { ...cli.env, POSTERN_REMOTE: "work", POSTERN_DATABASE_URL: "" };
  const listening = commandLine(remote).run(
    `webhook listen --forward http://127.0.0.1:${port}/hooks --after 0 --types user.created --count 2`,
  );
  try {
    await until(() => received.length === 1, "the first event arrives");
    await postern.close();
    const second = await cli.json<{ id: string }>("user create --email ada@example.com --name Ada");
    postern = await createPostern({ ...settings, port: Number(new URL(url).port) });
    const { code, out, err } = await listening;
    assert.equal(code, 0, err);
    const secret = /^secret: (whsec_\S+)$/m.exec(out)?.[1] ?? "";
    const events = received.map(({ headers, body }) => new Webhook(secret).verify(body, headers)) as {
      id: string;
      type: string;
      subject_id: string;
    }[];
    assert.deepEqual(
      events.map(({ type, subject_id }) => [type, subject_id]),
      [root.id, second.id].map((id) => ["user.created", id]),
    );
    assert.deepEqual(
      out.split("\n").slice(1),
      events.map(({ type, id }, index) => `${type} ${id} ${index === 0 ? 500 : 204}`).concat(""),
    );

    const own = newWebhookSecret();
    const again = `webhook listen --forward http://127.0.0.1:${port}/hooks --after 0 --count 1`;
    for (const [options, env, input] of [
      [" --secret -", {}, `${own}\n`],
      ["", { POSTERN_WEBHOOK_SECRET: own }],
    ] as const) {
      const { code, out, err } = await commandLine({ ...remote, ...env }).run(`${again}${options}`, input);
      assert.equal(code, 0, err);
      const { headers, body } = received.at(-1) as (typeof received)[number];
      new Webhook(own).verify(body, headers);
      assert.doesNotMatch(out, /secret|whsec/);
    }
  } finally {
    receiver.close();
    await postern.close();
  }
});

test("EV-7: webhook listen refuses an invalid URL and a secret that is too short", async () => {
  const cli = commandLine({ POSTERN_EXTRA_FEATURES: "events" });
  for (const options of ["--forward nothing", "--forward http://localhost:1/ --count none"])
    assert.equal((await cli.run(`webhook listen ${options}`)).code, 2);
  for (const [options, why] of [
    ["--types user.craeted", /--types: must be one of .*user\.created/],
    ["--after 9", /--after: is after the newest position, 0/],
  ] as const) {
    const { code, out, err } = await cli.run(`webhook listen --forward http://localhost:1/ ${options}`);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^an option is not valid$/m);
    assert.match(err, why);
  }
  const wrong = await cli.run("webhook listen --forward http://localhost:1/ --secret whsec_c2hvcnQ=");
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /--secret: expected whsec_/);
  assert.doesNotMatch(wrong.err, /c2hvcnQ/);
});
