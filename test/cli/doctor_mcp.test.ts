import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { mcpClients } from "../../src/cli/doctor/mcp_clients.ts";
import type { RegistrationMode } from "../../src/records/names/names.ts";
import { testApp } from "../support/app.ts";
import { aResource } from "../support/builders.ts";
import { freePort } from "../support/free_port.ts";
import { commandLine } from "./terminal.ts";

async function served(
  settings: { registration?: RegistrationMode; profiles?: readonly "mcp"[] },
  open = true,
) {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const it = await testApp({ base_url: base, settings });
  if (open) await aResource(it.store, { identifier: "https://tools.example/mcp", who_may_ask: "any" });
  await it.app.listen({ host: "127.0.0.1", port });
  return { ...it, base };
}

async function doctored(base: string, more: readonly string[] = []) {
  const { run } = commandLine({});
  const { code, out } = await run(["doctor", "mcp", base, "--json", ...more]);
  const { healthy, findings } = JSON.parse(out) as {
    healthy: boolean;
    findings: readonly Found[];
  };
  return { code, healthy, findings };
}

interface Found {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly left?: string;
}

function named(findings: readonly Found[], name: string): Found {
  const found = findings.find(({ check }) => check === name);
  assert.ok(found, name);
  return found;
}

describe("postern doctor mcp", () => {
  test("PR-30: clients that register dynamically complete a sign-in, and the records they leave are listed", async () => {
    const it = await served({ registration: "open", profiles: ["mcp"] });
    const { findings } = await doctored(it.base);
    const played = mcpClients.filter(({ document }) => document === undefined);
    for (const { name } of played) assert.equal(named(findings, name).ok, true, named(findings, name).detail);
    const left = (await it.store.list("oauth_apps", { provenance: "dynamic_registration" })).map(
      ({ client_id }) => client_id,
    );
    assert.deepEqual(findings.flatMap((each) => each.left ?? []).toSorted(), left.toSorted());
    for (const client_id of left) assert.ok(findings.some(({ detail }) => detail.includes(client_id)));
    await it.app.close();
  });

  test("PR-30: if the server accepts no open clients, each client fails with the reason, and the exit code is 1", async () => {
    const it = await served({});
    const { code, healthy, findings } = await doctored(it.base);
    assert.deepEqual([code, healthy], [1, false]);
    assert.match(named(findings, "Cursor").detail, /POSTERN_PROFILES=mcp/);
    assert.match(named(findings, "ChatGPT").detail, /registered in advance/);
    assert.equal(named(findings, "metadata").ok, true);
    assert.equal(named(findings, "a deleted client").ok, true);
    assert.deepEqual(await it.store.list("oauth_apps"), []);
    await it.app.close();
  });

  test("PR-30: a server that requires an initial access token is reported", async () => {
    const it = await served({ registration: "token", profiles: ["mcp"] });
    const { code, findings } = await doctored(it.base);
    assert.equal(code, 1);
    assert.match(named(findings, "Cursor").detail, /--token/);
    await it.app.close();
  });

  test("PR-30: a wrong issuer or an unreachable server is reported as a finding, not as a crash", async () => {
    const it = await served({ registration: "open", profiles: ["mcp"] });
    const other = await doctored(it.base.replace("127.0.0.1", "localhost"));
    assert.equal(named(other.findings, "metadata").ok, false);
    await it.app.close();
    const away = await doctored(it.base);
    assert.equal(away.code, 1);
    assert.match(named(away.findings, "metadata").detail, /not reachable/);
  });
});
