/**
 * `npm run bench:costs`: measures the cost of each kind of proof, as a ratio to the cost of a token request
 * with `client_secret_basic` and RS256 in the same round. docs/performance.md has the results.
 */
import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type JWK, SignJWT } from "jose";
import { startPostgresCluster } from "./postgres_cluster.ts";
import { busySeconds, cpuSeconds } from "./process_usage.ts";
import { runProgram, startServer } from "./processes.ts";

const usage = `usage: npm run bench:costs -- [options]
  --rounds N     measurements of each variant [5]
  --requests N   requests per measurement [600]
  --only A       sqlite or postgres [both]
The log of the servers goes to standard error.
`;

const connections = 8;
const secret = "a secret of the benchmark, long enough";
const redirect_uri = "http://127.0.0.1:9/cb";
const scope = "openid orders:read";
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const owner = {
  email: "ada@example.com",
  name: "Ada",
  password: "correct horse battery staple",
  is_platform_admin: true,
};
const algorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const;

const keys = {
  ES256: generateKeyPairSync("ec", { namedCurve: "P-256" }),
  PS256: generateKeyPairSync("rsa", { modulusLength: 2048 }),
  EdDSA: generateKeyPairSync("ed25519"),
} as const;
type KeyName = keyof typeof keys;

interface Sent {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly form: Readonly<Record<string, string>>;
}

/**
 * One kind of request. Requests are built before the clock runs, because the client's signing is not a
 * cost of the server.
 */
interface Variant {
  readonly name: string;
  /** The name of the variant that it is compared with. */
  readonly beside: string;
  readonly make: (workspace: Workspace) => Promise<Sent>;
}

interface Workspace {
  readonly issuer: string;
  /** Refresh tokens that are not rotated, by the algorithm of the app's id_tokens. */
  readonly refresh_tokens: ReadonlyMap<string, string>;
}

const basic = (id: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${encodeURIComponent(secret)}`).toString("base64")}`,
});

function sign(key: KeyObject, header: { alg: string; typ?: string; jwk?: JWK }, claims: object) {
  const sent = { jti: crypto.randomUUID(), ...claims };
  return new SignJWT(sent).setProtectedHeader(header).setIssuedAt().sign(key);
}

async function proof(alg: KeyName, { issuer }: Workspace, path: string): Promise<{ dpop: string }> {
  const jwk = keys[alg].publicKey.export({ format: "jwk" }) as JWK;
  const claims = { htm: "POST", htu: issuer + path };
  return { dpop: await sign(keys[alg].privateKey, { alg, typ: "dpop+jwt", jwk }, claims) };
}

async function assertion(alg: KeyName, { issuer }: Workspace): Promise<Record<string, string>> {
  const id = `signer-${alg}`;
  const exp = Math.floor(Date.now() / 1000) + 290;
  const claims = { iss: id, sub: id, aud: issuer, exp };
  const client_assertion = await sign(keys[alg].privateKey, { alg }, claims);
  return { client_assertion_type: assertionType, client_assertion };
}

const path = "/oauth/token";
const machine = { grant_type: "client_credentials", scope: "orders:read" };
const plain = "client credentials: client_secret_basic, RS256";
const refreshed = "refresh: id_token by RS256";

const variants: readonly Variant[] = [
  {
    name: plain,
    beside: plain,
    make: async () => ({ path, headers: basic("machine"), form: machine }),
  },
  ...(["ES256", "EdDSA", "PS256"] as const).map(
    (alg): Variant => ({
      name: `DPoP, proof by ${alg}`,
      beside: plain,
      make: async (workspace) => ({
        path,
        headers: { ...basic("machine"), ...(await proof(alg, workspace, path)) },
        form: machine,
      }),
    }),
  ),
  ...(["ES256", "EdDSA", "PS256"] as const).map(
    (alg): Variant => ({
      name: `private_key_jwt by ${alg}`,
      beside: plain,
      make: async (workspace) => ({
        path,
        headers: {},
        form: { ...machine, ...(await assertion(alg, workspace)) },
      }),
    }),
  ),
  {
    name: "private_key_jwt and DPoP, both by ES256",
    beside: plain,
    make: async (workspace) => ({
      path,
      headers: await proof("ES256", workspace, path),
      form: { ...machine, ...(await assertion("ES256", workspace)) },
    }),
  },
  {
    name: "one push (PAR), client_secret_basic",
    beside: plain,
    make: async () => ({
      path: "/oauth/par",
      headers: basic("web-RS256"),
      form: { response_type: "code", redirect_uri, scope, state: "s" },
    }),
  },
  ...algorithms.map(
    (alg): Variant => ({
      name: `refresh: id_token by ${alg}`,
      beside: refreshed,
      make: async ({ refresh_tokens }) => ({
        path,
        headers: basic(`web-${alg}`),
        form: { grant_type: "refresh_token", refresh_token: refresh_tokens.get(alg) ?? "" },
      }),
    }),
  ),
];

const app = { owner: owner.email, redirect_uris: [redirect_uri], allowed_scopes: scope.split(" ") };
const manifest = {
  users: [owner],
  apps: [
    {
      ...app,
      client_id: "machine",
      name: "Machine",
      app_type: "machine",
      redirect_uris: [],
      allowed_scopes: ["orders:read"],
      allowed_grants: ["client_credentials"],
      secrets: [secret],
    },
    ...Object.entries(keys).map(([alg, { publicKey }]) => ({
      ...app,
      client_id: `signer-${alg}`,
      name: alg,
      app_type: "machine",
      redirect_uris: [],
      allowed_scopes: ["orders:read"],
      allowed_grants: ["client_credentials"],
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [publicKey.export({ format: "jwk" })] },
    })),
    ...algorithms.map((alg) => ({
      ...app,
      client_id: `web-${alg}`,
      name: alg,
      first_party: true,
      refresh_token_rotation: false,
      id_token_signed_response_alg: alg,
      secrets: [secret],
    })),
  ],
};

const agent = new Agent({ keepAlive: true, maxSockets: connections });

function send(origin: string, { path: to, headers, form }: Sent): Promise<{ status: number; text: string }> {
  const body = new URLSearchParams(form).toString();
  return new Promise((resolve, reject) => {
    const sending = request(
      origin + to,
      {
        method: "POST",
        agent,
        headers: {
          ...headers,
          "content-type": "application/x-www-form-urlencoded",
          "content-length": Buffer.byteLength(body),
        },
      },
      async (answer) => {
        let text = "";
        for await (const chunk of answer.setEncoding("utf8")) text += chunk;
        resolve({ status: answer.statusCode ?? 0, text });
      },
    );
    sending.on("error", reject).end(body);
  });
}

/** Signs in once, and returns a refresh token of each app. */
async function refreshTokens(issuer: string): Promise<Map<string, string>> {
  const { formBrowser, goThrough } = await import("../../test/support/form_browser.ts");
  const browser = formBrowser();
  const found = new Map<string, string>();
  for (const alg of algorithms) {
    const query = new URLSearchParams({
      response_type: "code",
      client_id: `web-${alg}`,
      redirect_uri,
      scope: "openid",
    });
    const callback = await goThrough(browser, `${issuer}/oauth/authorize?${query}`, owner);
    const code = callback.searchParams.get("code") ?? "";
    const form = { grant_type: "authorization_code", code, redirect_uri };
    const { text } = await send(issuer, { path, headers: basic(`web-${alg}`), form });
    found.set(alg, String((JSON.parse(text) as { refresh_token?: string }).refresh_token));
  }
  return found;
}

interface Figure {
  /** Milliseconds of the server's processor time per request. */
  readonly cpu_ms: number;
  readonly per_second: number;
}

async function measure(
  pid: number,
  workspace: Workspace,
  variant: Variant,
  requests: number,
): Promise<Figure> {
  const made = await Promise.all(Array.from({ length: requests }, () => variant.make(workspace)));
  const [cpu, start] = [cpuSeconds(pid) ?? 0, performance.now()];
  const next = made.values();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const each of next) {
        const { status, text } = await send(workspace.issuer, each);
        if (status !== 200 && status !== 201) throw new Error(`${variant.name}: ${status} ${text}`);
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  return {
    cpu_ms: (((cpuSeconds(pid) ?? 0) - cpu) * 1000) / requests,
    per_second: requests / seconds,
  };
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function measureOn(url: string | undefined, folder: string, rounds: number, requests: number) {
  const program = join(import.meta.dirname, "..", "..", "bin", "postern.js");
  const env = {
    NODE_ENV: "production",
    POSTERN_DATABASE_URL: url ?? `sqlite:${join(folder, "postern.db")}`,
    POSTERN_SECRET_KEY: randomBytes(32).toString("hex"),
    POSTERN_PORT: "0",
    POSTERN_THROTTLE: "off",
    POSTERN_LOG_LEVEL: "warn",
    POSTERN_EXTRA_FEATURES: "dpop,par",
    POSTERN_EXTRA_CLIENT_AUTH: "private_key_jwt",
  };
  const file = join(folder, "manifest.json");
  await writeFile(file, JSON.stringify(manifest));
  await runProgram({ args: [program, "apply", file], env }, 60);
  await using server = await startServer({
    args: ["--max-semi-space-size=16", program, "serve"],
    env,
    ready_path: "/readyz",
  });
  const workspace: Workspace = { issuer: server.url, refresh_tokens: await refreshTokens(server.url) };
  for (const variant of variants) await measure(server.pid, workspace, variant, Math.ceil(requests / 2));
  const figures = new Map<string, Figure[]>(variants.map(({ name }) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? variants : variants.toReversed();
    for (const variant of order) {
      figures.get(variant.name)?.push(await measure(server.pid, workspace, variant, requests));
    }
  }
  return figures;
}

function table(figures: ReadonlyMap<string, readonly Figure[]>): string {
  const of = (name: string, what: keyof Figure) => (figures.get(name) ?? []).map((figure) => figure[what]);
  const ratio = (name: string, beside: string, what: keyof Figure) => {
    const others = of(beside, what);
    return median(of(name, what).map((value, round) => value / (others[round] ?? Number.NaN))).toFixed(2);
  };
  const rows = variants.map(
    ({ name, beside }) =>
      `| ${name} | ${ratio(name, beside, "cpu_ms")} | ${ratio(name, beside, "per_second")} | ${median(of(name, "cpu_ms")).toFixed(2)} |`,
  );
  return [
    "| Request | processor time, as a ratio | requests a second, as a ratio | processor time, ms |",
    "| --- | --- | --- | --- |",
    ...rows,
  ].join("\n");
}

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    requests: { type: "string", default: "600" },
    only: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write(usage);
} else {
  const [rounds, requests] = [Number(values.rounds), Number(values.requests)];
  const [began, busy] = [performance.now(), busySeconds()];
  for (const engine of ["sqlite", "postgres"].filter((name) => (values.only ?? name) === name)) {
    const folder = await mkdtemp(join(import.meta.dirname, "..", "..", "node_modules", ".cache", "costs-"));
    try {
      await using cluster = engine === "postgres" ? await startPostgresCluster() : undefined;
      const figures = await measureOn(await cluster?.createDatabase("costs"), folder, rounds, requests);
      process.stdout.write(`\n${engine}\n\n${table(figures)}\n`);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const cores = (busySeconds() - busy) / ((performance.now() - began) / 1000);
  process.stdout.write(`\n${cores.toFixed(1)} of ${cpus().length} cores were busy, this run included.\n`);
}
agent.destroy();
