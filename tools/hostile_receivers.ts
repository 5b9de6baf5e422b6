/**
 * `npm run drill:receivers`: endpoints that hang, flood, lie, redirect or lie on a private address receive
 * notices all the time on one server and none on another, and sign-ins at both alternate (FO-3). Exits with 1
 * where the p99 of sign-ins or the median of another endpoint's notices grows by more than `most`.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { bearer, call, expectStatus, operatorsKey } from "../test/interop/management.ts";
import { formBrowser } from "../test/support/form_browser.ts";
import { type ServedProcess, servedProcess } from "../test/support/process.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "8" }, pairs: { type: "string", default: "40" } },
});
const [rounds, pairs] = [Number(values.rounds), Number(values.pairs)];

/** Growth that is allowed: of one hundred. */
const most = 5;
/** Notices that wait for each hostile endpoint. */
const backlog = 40;

const root = { email: "root@example.com", name: "Root", password: "correct horse battery staple" } as const;

const misbehaviours: Readonly<Record<string, (request: IncomingMessage, response: ServerResponse) => void>> =
  {
    hang: () => {},
    flood: (_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    },
    lie: (_, response) => {
      response.writeHead(503, { "content-encoding": "gzip", "content-length": "9999" }).end("no gzip");
    },
    redirect: ({ url }, response) => void response.writeHead(307, { location: url }).end(),
  };

async function listening(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, port: (server.address() as AddressInfo).port };
}

const median = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
const p99 = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.ceil(times.length * 0.99) - 1] ?? Number.NaN;

const arrived = new Map<number, () => void>();
const good = await listening((request, response) => {
  request.resume().once("end", () => {
    response.writeHead(200).end();
    arrived.get(Number(request.url?.slice(1)))?.();
  });
});
const hostile = await listening((request, response) => {
  misbehaviours[request.url?.slice(1) ?? ""]?.(request, response);
});

async function aServer(number: number) {
  const receivers = [
    ["good", `http://127.0.0.1:${good.port}/${number}`],
    ...Object.keys(misbehaviours).map((name) => [name, `http://127.0.0.1:${hostile.port}/${name}`]),
    ["private", "https://10.0.0.1/hook"],
  ] as const;
  const served = await servedProcess({
    manifest: { users: [{ ...root, is_platform_admin: true }] },
    environment: {
      POSTERN_EXTRA_FEATURES: "events",
      POSTERN_OUTBOUND_ALLOW: "127.0.0.1",
      POSTERN_THROTTLE: "off",
    },
  });
  const proof = bearer(await operatorsKey(served, root.email));
  const endpoints = new Map<string, string>();
  const path = "/api/v1/webhook-endpoints";
  for (const [name = "", url = ""] of receivers) {
    // No event of this server has the type, so endpoints receive pings alone.
    const body = { url, internal: true, types: ["token_family.replayed"] };
    const { json } = expectStatus(await call(served.url, "POST", path, { proof, body }), 201);
    endpoints.set(name, String(json.id));
  }
  const send = async (name: string) =>
    expectStatus(
      await call(served.url, "POST", `${path}/${endpoints.get(name)}/ping`, { proof, body: {} }),
      200,
    );
  return { number, served, send };
}
type Server = Awaited<ReturnType<typeof aServer>>;

async function signIn({ url }: ServedProcess): Promise<number> {
  const browser = formBrowser();
  const page = await browser.get(`${url}/login`);
  const since = performance.now();
  const answer = await browser.submit(page, { email: root.email, password: root.password });
  const took = performance.now() - since;
  assert.equal(answer.status, 302, answer.body);
  return took;
}

/** Milliseconds from a notice's cause to its arrival. */
async function notice({ number, send }: Server): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  arrived.set(number, resolve);
  const since = performance.now();
  await send("good");
  await promise;
  return performance.now() - since;
}

const [quiet, busy] = [await aServer(0), await aServer(1)];
const names = [...Object.keys(misbehaviours), "private"];
const growth: number[] = [];
const notices: readonly [quiet: number[], busy: number[]] = [[], []];
try {
  for (const server of [quiet, busy]) for (let warm = 0; warm < 10; warm++) await signIn(server.served);
  for (let round = 0; round < rounds; round++) {
    for (const name of names) for (let each = 0; each < backlog; each++) await busy.send(name);
    await pause(500);
    const times = { sign_in: [[], []] as number[][], notice: [[], []] as number[][] };
    for (let pair = 0; pair < pairs; pair++)
      for (const server of pair % 2 === 0 ? [quiet, busy] : [busy, quiet]) {
        times.sign_in[server.number]?.push(await signIn(server.served));
        times.notice[server.number]?.push(await notice(server));
      }
    const [calm = [], loaded = []] = times.sign_in;
    const [soon = [], late = []] = times.notice;
    growth.push((p99(loaded) / p99(calm) - 1) * 100);
    notices[0].push(...soon);
    notices[1].push(...late);
    const of = (one: number, other: number) => `${one.toFixed(1)} ms, hostile ${other.toFixed(1)} ms`;
    process.stdout.write(
      `round ${round + 1}: sign-in median ${of(median(calm), median(loaded))}; p99 ${of(p99(calm), p99(loaded))}; notice median ${of(median(soon), median(late))}\n`,
    );
  }
} finally {
  await quiet.served.stop();
  await busy.served.stop();
  for (const { server } of [good, hostile]) {
    server.close();
    server.closeAllConnections();
  }
}
const sign_in = median(growth);
// The outbox is looked at every 300 ms, so single rounds have too few notices to compare.
const notice_growth = (median(notices[1]) / median(notices[0]) - 1) * 100;
process.stdout.write(
  `p99 of sign-ins ${sign_in.toFixed(1)} %, the median of ${rounds} rounds; median of ${notices[0].length} notices to another endpoint ${notice_growth.toFixed(1)} %; allowed ${most} %\n`,
);
process.exitCode = sign_in > most || notice_growth > most ? 1 : 0;
