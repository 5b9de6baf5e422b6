/**
 * Processes of one client that share its tokens refresh concurrently: no user has to sign in again (PR-13).
 */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { type DatabaseAddress, openStore } from "../../src/storage/store.ts";
import { challenge, verifier } from "../support/flows.ts";
import { inForm } from "../support/form.ts";
import { formBrowser, goThrough } from "../support/form_browser.ts";
import { postgresDatabase } from "../support/postgres.ts";
import { type Environment, type ServedProcess, servedProcess } from "../support/process.ts";
import { ada, manifest, redirect_uri } from "./registrations.ts";

/** Number of refreshes at each process. */
const many = 50;

const client_id = "comes-along";

const registered = {
  ...manifest,
  apps: [
    {
      owner: ada.email,
      client_id,
      name: "Comes along",
      app_type: "native",
      public: true,
      redirect_uris: [redirect_uri],
      allowed_scopes: ["openid", "profile"],
    },
  ],
};

interface Place {
  readonly name: string;
  /** Starts processes with one database, and returns its address. */
  start(): Promise<{ served: ServedProcess[]; address: DatabaseAddress; drop(): Promise<void> }>;
}

const places: readonly Place[] = [
  {
    name: "two workers on SQLite",
    async start() {
      const served = await servedProcess({ manifest: registered, environment: { POSTERN_WORKERS: "2" } });
      const address = { kind: "sqlite", path: join(served.folder, "data", "postern.db") } as const;
      // Both workers share one port, and each gets a part of the new connections.
      return { served: [served, served], address, drop: async () => {} };
    },
  },
  {
    name: "two processes on PostgreSQL",
    async start() {
      const { url, drop } = await postgresDatabase();
      const POSTERN_SECRET_KEY = randomBytes(32).toString("base64");
      const environment: Environment = { POSTERN_DATABASE_URL: url, POSTERN_SECRET_KEY };
      const first = await servedProcess({ manifest: registered, environment });
      const second = await servedProcess({ environment: { ...environment, POSTERN_BASE_URL: first.url } });
      return { served: [first, second], address: { kind: "postgres", url }, drop };
    },
  },
];

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends a request on a new connection. */
function post(url: string, form: Readonly<Record<string, string>>): Promise<Answer> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: "POST", headers, agent: false }, async (response) => {
      let body = "";
      for await (const chunk of response.setEncoding("utf8")) body += chunk;
      resolve({ status: response.statusCode ?? 0, body });
    });
    sending.on("error", reject).end(new URLSearchParams(form).toString());
  });
}

for (const place of inForm(places.slice(0, 1), places))
  describe(`concurrent refreshes at ${place.name}`, () => {
    let served: ServedProcess[];
    let address: DatabaseAddress;
    let drop: () => Promise<void>;
    let issuer: string;
    before(async () => {
      ({ served, address, drop } = await place.start());
      issuer = served[0]?.url ?? "";
      await inStore((store) =>
        store.update("oauth_apps", { client_id }, { provenance: "dynamic_registration" }),
      );
    });
    after(async () => {
      await Promise.all([...new Set(served)].map((each) => each.stop("SIGKILL")));
      await drop();
    });

    async function inStore<T>(
      work: (store: Awaited<ReturnType<typeof openStore>>) => Promise<T>,
    ): Promise<T> {
      const store = await openStore(address);
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    }

    const refresh = (url: string, refresh_token: string) =>
      post(`${url}/oauth/token`, { grant_type: "refresh_token", client_id, refresh_token });

    test("PR-13: 50 concurrent refreshes at each of two processes count as one, and the sign-in is not lost", async () => {
      const query = new URLSearchParams({
        response_type: "code",
        client_id,
        redirect_uri,
        scope: "openid",
        code_challenge: challenge,
        code_challenge_method: "S256",
      });
      const back = await goThrough(formBrowser(), `${issuer}/oauth/authorize?${query}`, ada);
      const code = back.searchParams.get("code") ?? "";
      const grant = {
        grant_type: "authorization_code",
        client_id,
        code,
        redirect_uri,
        code_verifier: verifier,
      };
      let { refresh_token } = JSON.parse((await post(`${issuer}/oauth/token`, grant)).body);
      assert.equal(typeof refresh_token, "string");
      for (let round = 0; round < 3; round++) {
        const spent: string = refresh_token;
        const answers = await Promise.all(
          served.flatMap(({ url }) => Array.from({ length: many }, () => refresh(url, spent))),
        );
        assert.equal(answers.length, 2 * many);
        assert.deepEqual([...new Set(answers.map(({ status, body }) => `${status} ${body}`))].length, 1);
        assert.equal(answers[0]?.status, 200);
        refresh_token = JSON.parse(answers[0]?.body ?? "").refresh_token;
        assert.notEqual(refresh_token, spent);
      }
      const rows = await inStore((store) => store.list("oauth_tokens"));
      assert.equal(new Set(rows.map(({ family_id }) => family_id)).size, 1);
      assert.equal(rows.length, 4);
      assert.deepEqual(
        rows.map(({ revoked }) => revoked),
        [false, false, false, false],
      );
    });
  });
