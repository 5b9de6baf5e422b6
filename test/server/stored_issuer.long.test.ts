import assert from "node:assert/strict";
import { test } from "node:test";
import { runPostern, servedProcess } from "../support/process.ts";

const manifest = {
  users: [{ email: "ada@example.com", name: "Ada" }],
  apps: [
    {
      client_id: "worker",
      name: "Worker",
      app_type: "machine",
      owner: "ada@example.com",
      allowed_scopes: ["orders:read"],
      allowed_grants: ["client_credentials"],
      secrets: ["worker-secret-of-the-test"],
    },
  ],
};

test("a start with another base URL after tokens were issued warns once, and doctor reports it", async () => {
  const under = (host: string) => ({ POSTERN_BASE_URL: `https://${host}.example` });
  const first = await servedProcess({ environment: under("first"), manifest });
  const { folder } = first;
  const served = async (host: string) => {
    const server = await servedProcess({ environment: under(host), folder });
    await server.stop();
    return server.out();
  };
  await first.stop();
  assert.doesNotMatch(await served("unused"), /the issuer changed from/, "nothing was issued");
  const issuing = await servedProcess({ environment: under("first"), folder });
  const issued = await fetch(`http://127.0.0.1:${issuing.port}/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from("worker:worker-secret-of-the-test").toString("base64")}` },
    body: new URLSearchParams({ grant_type: "client_credentials" }),
  });
  assert.equal(issued.status, 200);
  await issuing.stop();

  const found = await runPostern(["doctor"], { environment: under("second"), folder });
  assert.match(
    found.out,
    /the issuer changed from https:\/\/first\.example to https:\/\/second\.example: .* restore POSTERN_BASE_URL/,
  );
  assert.match(await served("second"), /"level":"warn".*the issuer changed from https:\/\/first\.example/);
  assert.doesNotMatch(await served("second"), /the issuer changed from/);
  assert.doesNotMatch(
    (await runPostern(["doctor"], { environment: under("second"), folder })).out,
    /the issuer changed from/,
  );
});
