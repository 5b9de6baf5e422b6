/**
 * Floods every endpoint of a server process with invalid anonymous requests, and measures the effects:
 * rows, bytes, memory, and response times of regular users. `npm run flood -- --help`.
 */
import { randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { Agent, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type ServedProcess, servedProcess } from "../test/support/process.ts";

export interface FloodFigures {
  readonly seconds: number;
  /** Number of requests of the flood, and of responses by status. */
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Growth of the database in bytes, and number of rows by table. */
  readonly grown: number;
  readonly rows: Readonly<Record<string, number>>;
  /** Bytes written to the log. */
  readonly logged: number;
  /** Maximum resident memory in bytes. */
  readonly memory: number;
  readonly sign_ins: Honest;
  readonly introspections: Honest;
}

interface Honest {
  readonly answered: number;
  readonly refused: number;
  /** 99th percentile of response times in milliseconds: without other load, and during the flood. */
  readonly quiet_p99: number;
  readonly flood_p99: number;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Request {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const password = "correct horse battery staple";
const email = "ada@flood.example";
const worker = { client_id: "worker", secret: "the secret of the worker" };

const manifest = {
  users: [{ email, name: "Ada", password, is_platform_admin: true }],
  apps: [
    {
      client_id: "web",
      name: "Web",
      owner: email,
      public: true,
      app_type: "spa",
      redirect_uris: ["https://app.example/cb"],
      allowed_scopes: ["openid"],
    },
    {
      ...{ client_id: worker.client_id, name: "Worker", app_type: "machine", owner: email },
      allowed_scopes: ["orders:read"],
      allowed_grants: ["client_credentials"],
      secrets: [worker.secret],
    },
  ],
};

const form = { "content-type": "application/x-www-form-urlencoded" };
const encoded = (fields: Readonly<Record<string, string>>) => new URLSearchParams(fields).toString();
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
});
const noise = (bytes: number) => randomBytes(bytes).toString("base64url");

function sender(url: string, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const { hostname, port } = new URL(url);
  const send = ({ method = "GET", path, headers = {}, body }: Request): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) };
      const options = { agent, hostname, port, method, path, headers: { ...headers, ...length } };
      const sent = httpRequest(options, (answer) => {
        let text = "";
        answer.setEncoding("utf8").on("data", (part: string) => {
          text += part;
        });
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
        );
        answer.on("error", reject);
      });
      sent.on("error", reject).end(body);
    });
  return { send, close: () => agent.destroy() };
}

type Send = ReturnType<typeof sender>["send"];

/** Returns the cookie and the CSRF token of a form. */
async function formAt(path: string, send: Send, headers: Readonly<Record<string, string>>) {
  const { headers: got, body } = await send({ path, headers });
  const cookie = (got["set-cookie"] ?? []).map((each) => each.split(";", 1)[0]).join("; ");
  const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(body)?.[1] ?? "";
  return { cookie, csrf_token };
}

async function signIn(send: Send, source: string): Promise<boolean> {
  const from = { "x-forwarded-for": source };
  const { cookie, csrf_token } = await formAt("/login", send, from);
  const body = encoded({ email, password, csrf_token });
  const { status } = await send({
    method: "POST",
    path: "/login",
    headers: { ...form, ...from, cookie },
    body,
  });
  return status === 302;
}

/** Returns invalid anonymous requests: one for each endpoint and kind of error. */
async function nonsense(send: Send): Promise<Record<"quick" | "slow", (() => Request)[]>> {
  const login = await formAt("/login", send, {});
  const forgot = await formAt("/forgot-password", send, {});
  const post =
    (path: string, fields: () => Record<string, string>, headers: Record<string, string> = {}) =>
    () => ({
      method: "POST",
      path,
      headers: { ...form, ...headers },
      body: encoded(fields()),
    });
  const get =
    (path: () => string, headers: () => Record<string, string> = () => ({})) =>
    () => ({
      path: path(),
      headers: headers(),
    });
  const grant = { grant_type: "client_credentials" };
  const long = "x".repeat(11_000);
  const jwt = () => `eyJhbGciOiJSUzI1NiIsImtpZCI6IngifQ.${noise(200)}.${noise(256)}`;
  const quick: (() => Request)[] = [
    post("/oauth/token", () => ({ ...grant, client_id: noise(12) })),
    post("/oauth/token", () => grant, { authorization: "Basic !!!" }),
    post("/oauth/token", () => ({
      grant_type: "authorization_code",
      client_id: "web",
      code: noise(32),
      redirect_uri: "https://app.example/cb",
      code_verifier: noise(40),
    })),
    post("/oauth/token", () => ({ grant_type: "refresh_token", client_id: "web", refresh_token: noise(32) })),
    post("/oauth/token", () => ({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: jwt(),
    })),
    post("/oauth/introspect", () => ({ token: noise(32) })),
    post("/oauth/revoke", () => ({ token: noise(32) })),
    post("/oauth/revoke", () => ({ token: noise(32), client_id: noise(9), client_secret: noise(24) })),
    post("/oauth/revoke", () => ({ token: noise(32), client_id: "web" })),
    get(() => `/oauth/authorize?response_type=code&client_id=${noise(9)}&redirect_uri=${noise(30)}`),
    get(() => `/oauth/authorize?response_type=code&client_id=web&redirect_uri=https://evil.example/${long}`),
    get(
      () =>
        `/oauth/authorize?response_type=code&client_id=web&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&scope=openid&state=${noise(40)}`,
    ),
    get(
      () =>
        `/oauth/authorize?response_type=code&prompt=none&client_id=web&redirect_uri=https%3A%2F%2Fapp.example%2Fcb&scope=${noise(40)}`,
    ),
    get(
      () => "/oauth/userinfo",
      () => ({ authorization: `Bearer ${jwt()}` }),
    ),
    get(() => `/oauth/logout?id_token_hint=${jwt()}`),
    get(
      () => "/login",
      () => ({ cookie: `__Host-postern_session=${noise(32)}; postern_session=${noise(32)}` }),
    ),
    post("/login", () => ({ email: "x", password: "y", csrf_token: noise(32) })),
    post("/forgot-password", () => ({ email: `${noise(9)}@flood.example`, csrf_token: forgot.csrf_token }), {
      cookie: forgot.cookie,
    }),
    post("/reset-password", () => ({ token: noise(32), password: noise(12), csrf_token: noise(9) })),
    get(() => `/reset-password?token=${noise(32)}`),
    get(() => `/setup?token=${noise(32)}`),
    post("/setup", () => ({ token: noise(32), email: "x@y.example", name: "X", password: noise(12) })),
    post("/consent", () => ({ decision: "allow", request: noise(400), csrf_token: noise(32) })),
    get(() => `/invitation?token=${noise(32)}`),
    post("/invitation", () => ({ token: noise(32), csrf_token: noise(9) })),
    post("/language", () => ({ language: "xx", redirect: `/${noise(30)}` })),
    get(
      () => "/api/v1/users",
      () => ({ authorization: `Bearer pak_${noise(32)}` }),
    ),
    () => ({
      method: "POST",
      path: "/api/v1/apps",
      headers: { "content-type": "application/json", "idempotency-key": noise(12) },
      body: `{"name":"${noise(2000)}"}`,
    }),
    get(() => `/console/refusals/${noise(8)}`),
    get(() => "/console/apps"),
    get(() => "/account/sessions"),
    get(() => `/${noise(20)}/${noise(20)}`),
    () => ({ method: "DELETE", path: "/oauth/token" }),
    () => ({ method: "PUT", path: `/oauth/${noise(9)}` }),
    () => ({ method: "TRACE", path: "/login" }),
    get(
      () => "/login",
      () => ({ "user-agent": long, "accept-language": long.slice(0, 2000) }),
    ),
    get(
      () => "/login",
      () => ({ "x-long": "x".repeat(20_000) }),
    ),
    get(() => "/readyz"),
    get(() => "/.well-known/jwks.json"),
  ];
  const slow: (() => Request)[] = [
    post("/oauth/token", () => ({ ...grant, client_id: noise(180), client_secret: noise(24) })),
    post("/oauth/token", () => ({ ...grant, client_id: worker.client_id, client_secret: noise(24) })),
    post("/oauth/introspect", () => ({ token: noise(32), client_id: noise(9), client_secret: noise(24) })),
    // Begins like the correct secret, so that the server has to compute a hash.
    post("/oauth/revoke", () => ({
      token: noise(32),
      client_id: worker.client_id,
      client_secret: `${worker.secret.slice(0, 12)}${noise(9)}`,
    })),
    post(
      "/login",
      () => ({ email: `${noise(9)}@flood.example`, password: noise(12), csrf_token: login.csrf_token }),
      { cookie: login.cookie },
    ),
    post("/login", () => ({ email, password: noise(12), csrf_token: login.csrf_token }), {
      cookie: login.cookie,
    }),
  ];
  return { quick, slow };
}

/**
 * Returns a client address: half of the requests share eight addresses, and each of the others has a new
 * one.
 */
function anySource(): string {
  if (randomInt(2) === 0) return `203.0.113.${randomInt(8)}`;
  const group = () => randomInt(0x10000).toString(16);
  return `2001:db8:${group()}:${group()}::1`;
}

function residentMemory(pid: number): number {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1024;
}

const growing = ["audit_events", "refusals", "ephemera", "sessions", "statistics", "oauth_auth_codes"];

function sizeOf({ folder }: ServedProcess) {
  const database = new DatabaseSync(join(folder, "data", "postern.db"), { readOnly: true });
  try {
    const numberOf = (sql: string) => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
    const bytes = numberOf("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()");
    const known = new Set(
      database
        .prepare("SELECT name FROM sqlite_schema")
        .all()
        .map(({ name }) => name),
    );
    const tables = growing.filter((name) => known.has(name));
    const rows = Object.fromEntries(tables.map((name) => [name, numberOf(`SELECT count(*) FROM ${name}`)]));
    return { bytes, rows };
  } finally {
    database.close();
  }
}

function percentile(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * 0.99) - 1)] ?? Number.NaN;
}

/** Repeats the work until the time is over, and returns the time of each call. */
async function repeated(work: () => Promise<boolean>, until: number, pause: number) {
  const times: number[] = [];
  let refused = 0;
  do {
    const started = performance.now();
    const right = await work();
    times.push(performance.now() - started);
    if (!right) refused += 1;
    await wait(pause);
  } while (performance.now() < until);
  return { times, refused };
}

/** Starts a server and floods it for this number of seconds over this number of connections. */
export async function flood({
  seconds,
  connections,
}: {
  seconds: number;
  connections: number;
}): Promise<FloodFigures> {
  const environment = {
    // The same heap option as `npm start`.
    NODE_OPTIONS: "--max-semi-space-size=16",
    POSTERN_TRUST_PROXY: "127.0.0.1",
    POSTERN_EXTRA_GRANTS: "urn:ietf:params:oauth:grant-type:jwt-bearer",
    // Nothing listens at this address, so emails cannot be sent.
    POSTERN_SMTP_URL: "smtp://127.0.0.1:9",
    POSTERN_MAIL_FROM: "postern@flood.example",
  };
  const served = await servedProcess({ environment, manifest });
  const honest = sender(served.url, 4);
  const stranger = sender(served.url, connections);
  try {
    const from = { "x-forwarded-for": "198.51.100.7" };
    const issue = await honest.send({
      method: "POST",
      path: "/oauth/token",
      headers: { ...form, ...from, ...basic(worker.client_id, worker.secret) },
      body: encoded({ grant_type: "client_credentials" }),
    });
    const { access_token } = JSON.parse(issue.body) as { access_token: string };
    const introspects = async () => {
      const { status, body } = await honest.send({
        method: "POST",
        path: "/oauth/introspect",
        headers: { ...form, ...from, ...basic(worker.client_id, worker.secret) },
        body: encoded({ token: access_token }),
      });
      return status === 200 && body.startsWith('{"active":true');
    };
    const signsIn = () => signIn(honest.send, "198.51.100.8");
    const honestly = async (length: number) => {
      const until = performance.now() + length * 1000;
      const [signed, introspected] = await Promise.all([
        repeated(signsIn, until, 100),
        repeated(introspects, until, 5),
      ]);
      return { signed, introspected };
    };

    const { quick, slow } = await nonsense(stranger.send);
    const quiet = await honestly(Math.min(10, seconds / 2));
    const before = sizeOf(served);
    const logBefore = served.out().length;
    const statuses: Record<string, number> = {};
    let sent = 0;
    let memory = 0;
    const until = performance.now() + seconds * 1000;
    const strangers = Array.from({ length: connections }, async (_, n) => {
      for (let at = n; performance.now() < until; at += 1) {
        // Requests that wait for a hash have separate connections, because they would otherwise delay the
        // others.
        const kind = n % 4 === 0 ? slow : quick;
        const made = kind[at % kind.length]?.() ?? { path: "/" };
        const headers = { ...made.headers, "x-forwarded-for": anySource() };
        const status = await stranger.send({ ...made, headers }).then(
          (answer) => String(answer.status),
          () => "reset",
        );
        statuses[status] = (statuses[status] ?? 0) + 1;
        sent += 1;
      }
    });
    const watching = setInterval(() => {
      memory = Math.max(memory, residentMemory(served.pid));
    }, 100);
    const during = await honestly(seconds);
    await Promise.all(strangers);
    clearInterval(watching);
    const logged = served.out().length - logBefore;
    // Stopping the server also writes buffered data.
    const { code } = await served.stop();
    if (code !== 0) throw new Error(`the server ended with ${code}`);
    const after = sizeOf(served);
    const of = (name: "signed" | "introspected"): Honest => ({
      answered: during[name].times.length - during[name].refused,
      refused: during[name].refused + quiet[name].refused,
      quiet_p99: percentile(quiet[name].times),
      flood_p99: percentile(during[name].times),
    });
    return {
      seconds,
      requests: sent,
      statuses,
      grown: after.bytes - before.bytes,
      rows: Object.fromEntries(
        Object.entries(after.rows).map(([name, count]) => [name, count - (before.rows[name] ?? 0)]),
      ),
      logged,
      memory,
      sign_ins: of("signed"),
      introspections: of("introspected"),
    };
  } finally {
    honest.close();
    stranger.close();
  }
}

/** Returns the limits that were exceeded, as sentences; empty if there are none. */
export function errorsOf({ grown, memory, statuses, sign_ins, introspections }: FloodFigures): string[] {
  const errors: string[] = [];
  if (grown >= 5_000_000) errors.push(`the database grew by ${grown} bytes`);
  if (memory >= 400_000_000) errors.push(`the process took ${memory} bytes of memory`);
  for (const [name, { refused, answered }] of Object.entries({ sign_ins, introspections }))
    if (refused > 0 || answered === 0) errors.push(`${refused} ${name} were refused, ${answered} answered`);
  for (const status of Object.keys(statuses))
    if (status >= "500" && status !== "503" && status !== "reset")
      errors.push(`${statuses[status]} answers were ${status}`);
  return errors;
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "60" },
      connections: { type: "string", default: "64" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(`npm run flood -- [--seconds 60] [--connections 64]

Starts a server on loopback with its own SQLite database, and sends invalid anonymous requests to every endpoint.
Half of them come from a few client addresses, and each of the others from a new address. Meanwhile, regular users
sign in and a client introspects tokens. Prints the effects.
Exits with 1 if the database grew by 5 MB, the process took 400 MB, or a regular user or client was refused.
`);
  } else {
    const figures = await flood({ seconds: Number(values.seconds), connections: Number(values.connections) });
    const errors = errorsOf(figures);
    const ratio = ({ flood_p99, quiet_p99 }: Honest) =>
      `${flood_p99.toFixed(1)} ms, ${(flood_p99 / quiet_p99).toFixed(1)} times that without the flood`;
    process.stdout.write(`${JSON.stringify(figures, null, 2)}
p99 of sign-ins ${ratio(figures.sign_ins)}
p99 of introspections ${ratio(figures.introspections)}
${errors.join("\n") || "all figures are within their limits"}
`);
    process.exitCode = errors.length > 0 ? 1 : 0;
  }
}
