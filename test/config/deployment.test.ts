/** The files of `deploy/`, checked without systemd, a container engine and Helm. */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { parse } from "yaml";
import { settings } from "../../src/config/settings.ts";
import { longestLastWrites, longestStop, stopLimit, stopShares } from "../../src/server/stop_budget.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

/** The names of settings that the server reads, including those with `_FILE`. */
const known = new Set(Object.values(settings).flatMap(({ name }) => [name, `${name}_FILE`]));

/** Seconds after which a stop counts as failed. */
const stopTakes = stopLimit / 1000;

describe("the files of deploy/", () => {
  const files = globSync("deploy/**/*", { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));

  test("they and docs/installing.md name only settings that exist", () => {
    assert.ok(files.length > 0);
    const named = [...files, "docs/installing.md"].flatMap((path) =>
      [...read(path).matchAll(/POSTERN_[A-Z_]*[A-Z]/g)].map(([name]) => ({ path, name })),
    );
    assert.deepEqual(
      named.filter(({ name }) => !known.has(name)),
      [],
    );
    assert.ok(named.length > 3, String(named.length));
  });

  test("docs/installing.md names only files that exist", () => {
    const named = [...read("docs/installing.md").matchAll(/deploy\/[\w./-]*\w/g)].map(([path]) => path);
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((path) => !existsSync(join(root, path))),
      [],
    );
  });

  test("the systemd unit starts the package's program, stores data in a writable folder, and allows time to stop", () => {
    const unit = read("deploy/systemd/postern.service");
    const values = (name: string) => [...unit.matchAll(new RegExp(`^${name}=(.*)$`, "gm"))].map(([, v]) => v);
    const { bin } = JSON.parse(read("package.json"));
    assert.deepEqual(values("ExecStart"), [
      `/usr/bin/node /opt/postern/node_modules/@postern/server/${bin.postern} serve`,
    ]);
    // The default of the database is a path below the working folder.
    assert.deepEqual(values("WorkingDirectory"), [`/var/lib/${values("StateDirectory")}`]);
    assert.deepEqual(values("ProtectSystem"), ["strict"]);
    assert.ok(Number(values("TimeoutStopSec")) > stopTakes);
    const user = /^u (\S+)/m.exec(read("deploy/systemd/postern.sysusers"))?.[1];
    assert.deepEqual(values("User"), [user]);
  });

  test("the phases of a stop fit its time limit, and docs/operations/running.md states their durations", () => {
    assert.equal(stopShares.requests + longestLastWrites + stopShares.telemetry, longestStop);
    assert.ok(longestStop < stopLimit);
    const operations = read("docs/operations/running.md");
    for (const [sentence, share] of [
      [/running requests get (\S+) seconds/, stopShares.requests],
      [/audit streams (\S+) seconds/, stopShares.audit_streams],
      [/queued emails get (\S+) seconds/, stopShares.mails],
      [/collector gets (\S+) second/, stopShares.telemetry],
      [/waits at most (\S+) seconds for it/, longestLastWrites],
    ] as const)
      assert.equal(Number(sentence.exec(operations)?.[1]) * 1000, share, String(sentence));
    assert.ok(Number(/^Allow (\d+) seconds before `SIGKILL`/m.exec(operations)?.[1]) > stopTakes);
  });

  test("the image listens on the default port, runs as its own user, and writes to the default folders", () => {
    const image = read("deploy/image/Dockerfile");
    assert.match(image, new RegExp(`^EXPOSE ${settings.port.default}$`, "m"));
    assert.match(image, /^USER 65532:65532$/m);
    assert.match(settings.database.default, /^sqlite:data\//);
    assert.match(image, /^WORKDIR \/\nVOLUME \/data$/m);
    // Commands are lists, because a string would need a shell.
    const last = image.slice(image.indexOf("FROM scratch"));
    const lists = [...last.matchAll(/(?:^ENTRYPOINT|CMD) (.*)$/gm)].map(([, list = ""]) => JSON.parse(list));
    assert.deepEqual(lists, [
      ["/usr/bin/node", "/opt/postern/bin/postern.js", "healthcheck"],
      ["/usr/bin/node", "/opt/postern/bin/postern.js"],
      ["serve"],
    ]);
  });

  test("Compose and the Helm chart use the image's ports, user and secrets, and allow enough time to stop", () => {
    const { services, secrets } = parse(read("deploy/compose.yaml"));
    const { server } = services;
    assert.deepEqual(server.ports, [`127.0.0.1:${settings.port.default}:${settings.port.default}`]);
    assert.equal(server.user, "65532:65532");
    assert.equal(server.read_only, true);
    assert.ok(Number.parseInt(server.stop_grace_period, 10) > stopTakes);
    for (const name of server.secrets) assert.ok(name in secrets, name);
    const files = Object.entries(server.environment).filter(([name]) => name.endsWith("_FILE"));
    assert.deepEqual(
      files.map(([, path]) => path),
      server.secrets.map((name: string) => `/run/secrets/${name}`),
    );

    const pod = read("deploy/chart/templates/deployment.yaml");
    assert.match(pod, new RegExp(`name: http, containerPort: ${settings.port.default} `));
    assert.match(pod, /runAsUser: 65532/);
    assert.match(pod, /readOnlyRootFilesystem: true/);
    const grace = /terminationGracePeriodSeconds: (\d+)/.exec(pod)?.[1];
    assert.ok(Number(grace) > stopTakes + 5);
    const values = parse(read("deploy/chart/values.yaml"));
    const schema = JSON.parse(read("deploy/chart/values.schema.json"));
    const known = Object.keys(schema.properties).filter((name) => name !== "global");
    assert.deepEqual(Object.keys(values).toSorted(), known.toSorted());
    for (const name of schema.required) assert.equal(values[name], "", `${name} has no default`);
  });
});
