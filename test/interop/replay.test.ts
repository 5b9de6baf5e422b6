/**
 * Single-use values (client assertions, DPoP proofs, pushed requests) are accepted once by all processes
 * together, also after one of them was killed.
 */
import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { SignJWT } from "jose";
import { sha256Base64url } from "../../src/crypto/digest.ts";
import { basic } from "../support/flows.ts";
import { inForm } from "../support/form.ts";
import { type FormBrowser, formBrowser, goThrough } from "../support/form_browser.ts";
import { postgresDatabase } from "../support/postgres.ts";
import { type Environment, restarted, type ServedProcess, servedProcess } from "../support/process.ts";
import { until } from "../support/until.ts";
import { ada, firstParty, machine, manifest, redirect_uri } from "./registrations.ts";

/** Number of requests with the same proof at each process. */
const many = 20;

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwk = pair.publicKey.export({ format: "jwk" });
const assertionType = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const switchedOn: Environment = {
  POSTERN_EXTRA_FEATURES: "dpop,par",
  POSTERN_EXTRA_CLIENT_AUTH: "private_key_jwt",
};

const registered = {
  ...manifest,
  apps: [
    ...manifest.apps,
    {
      owner: ada.email,
      client_id: "signer",
      name: "Signer",
      app_type: "machine",
      token_endpoint_auth_method: "private_key_jwt",
      jwks: { keys: [jwk] },
      allowed_scopes: ["orders:read"],
      allowed_grants: ["client_credentials"],
    },
  ],
};

interface Place {
  readonly name: string;
  /** Starts processes with one database, all with the issuer of the first. */
  start(): Promise<{ served: ServedProcess[]; drop(): Promise<void> }>;
}

const places: readonly Place[] = [
  {
    name: "two workers on SQLite",
    async start() {
      const environment = { ...switchedOn, POSTERN_WORKERS: "2" };
      return {
        served: [await servedProcess({ manifest: registered, environment, restarts: true })],
        drop: async () => {},
      };
    },
  },
  {
    name: "two servers on PostgreSQL",
    async start() {
      const { url, drop } = await postgresDatabase();
      const POSTERN_SECRET_KEY = randomBytes(32).toString("base64");
      const environment = { ...switchedOn, POSTERN_DATABASE_URL: url, POSTERN_SECRET_KEY };
      const first = await servedProcess({ manifest: registered, environment, restarts: true });
      const second = await servedProcess({ environment: { ...environment, POSTERN_BASE_URL: first.url } });
      return { served: [first, second], drop };
    },
  },
];

/**
 * Returns whether the request got a successful response, which only one of several with the same value may
 * get. A killed server does not respond.
 */
type Attempt = (url: string) => Promise<boolean>;

for (const place of inForm(places.slice(0, 1), places))
  describe(`replay protection at ${place.name}`, () => {
    let served: ServedProcess[];
    let issuer: string;
    let drop: () => Promise<void>;
    let browser: FormBrowser;
    /** An access token of a user, bound to the key. */
    let bound: string;
    before(async () => {
      ({ served, drop } = await place.start());
      issuer = served[0]?.url ?? "";
      browser = formBrowser();
      await goThrough(browser, `${issuer}/oauth/authorize?${new URLSearchParams(authorizeQuery)}`, ada);
      bound = await boundToken();
    });
    after(async () => {
      await Promise.all(served.map((each) => each.stop("SIGKILL")));
      await drop();
    });

    /** Sends this number of requests to each process concurrently, and returns how many won. */
    async function race(attempt: Attempt, each = many): Promise<number> {
      const attempts = served.flatMap(({ url }) => Array.from({ length: each }, () => attempt(url)));
      const settled = await Promise.allSettled(attempts);
      return settled.filter((one) => one.status === "fulfilled" && one.value).length;
    }

    async function killFirst(): Promise<void> {
      const [first] = served;
      assert.ok(first);
      await first.stop("SIGKILL");
      served[0] = await restarted(first);
    }

    async function token(url: string, form: Record<string, string>, headers: Record<string, string>) {
      const answer = await fetch(`${url}/oauth/token`, {
        method: "POST",
        headers,
        body: new URLSearchParams(form),
      });
      const body = (await answer.json()) as Record<string, string>;
      if (answer.status === 200) assert.equal(typeof body.access_token, "string");
      else assert.match(body.error_description ?? "", /already used/);
      return body;
    }

    const signed = (header: object, claims: object) =>
      new SignJWT({ jti: crypto.randomUUID(), ...claims })
        .setProtectedHeader({ alg: "ES256", ...header })
        .setIssuedAt()
        .sign(pair.privateKey);

    const proofHeader = { typ: "dpop+jwt", jwk };
    const authorization = basic(machine.client_id, machine.secret);
    const form = { grant_type: "client_credentials", scope: "orders:read" };

    const authorizeQuery = {
      response_type: "code",
      client_id: firstParty.client_id,
      redirect_uri,
      scope: "openid",
    };
    const credentials = { authorization: basic(firstParty.client_id, firstParty.secret) };

    async function push(url: string): Promise<string> {
      const body = new URLSearchParams(authorizeQuery);
      const answer = await fetch(`${url}/oauth/par`, { method: "POST", headers: credentials, body });
      assert.equal(answer.status, 201);
      return ((await answer.json()) as { request_uri: string }).request_uri;
    }

    /**
     * Opens the authorization request, and returns the code with which the browser is redirected to the
     * client; undefined if the request was refused.
     */
    async function visit(url: string, request_uri: string): Promise<string | undefined> {
      const query = new URLSearchParams({ client_id: firstParty.client_id, request_uri });
      const { status, location } = await browser.get(`${url}/oauth/authorize?${query}`);
      const code = location && new URL(location).searchParams.get("code");
      assert.ok(typeof code === "string" || status === 400, `${status} ${location}`);
      return code ?? undefined;
    }

    async function boundToken(): Promise<string> {
      const code = (await visit(issuer, await push(issuer))) ?? "";
      const dpop = await signed(proofHeader, { htm: "POST", htu: `${issuer}/oauth/token` });
      const grant = { grant_type: "authorization_code", code, redirect_uri };
      const { access_token = "" } = await token(issuer, grant, { ...credentials, dpop });
      return access_token;
    }

    /** Single-use values, by the title of their tests. */
    const marks: Readonly<Record<string, () => Promise<Attempt>>> = {
      async "PR-35: an assertion of a client"() {
        const exp = Math.floor(Date.now() / 1000) + 250;
        const client_assertion = await signed({}, { iss: "signer", sub: "signer", aud: issuer, exp });
        const asserted = {
          grant_type: "client_credentials",
          client_assertion_type: assertionType,
          client_assertion,
        };
        return async (url) => (await token(url, asserted, {})).access_token !== undefined;
      },
      async "PR-48: a proof at the token endpoint"() {
        const dpop = await signed(proofHeader, { htm: "POST", htu: `${issuer}/oauth/token` });
        return async (url) => (await token(url, form, { authorization, dpop })).token_type === "DPoP";
      },
      async "PR-48: a proof at a resource"() {
        const ath = sha256Base64url(bound);
        const dpop = await signed(proofHeader, { htm: "GET", htu: `${issuer}/oauth/userinfo`, ath });
        const headers = { authorization: `DPoP ${bound}`, dpop };
        return async (url) => {
          const { status } = await fetch(`${url}/oauth/userinfo`, { headers });
          assert.ok(status === 200 || status === 401, String(status));
          return status === 200;
        };
      },
      async "PR-42: a pushed request"() {
        const request_uri = await push(issuer);
        return async (url) => (await visit(url, request_uri)) !== undefined;
      },
    };

    for (const [title, fresh] of Object.entries(marks)) {
      test(`${title} is accepted once among parallel requests`, async () => {
        assert.equal(await race(await fresh()), 1);
      });
    }

    test("PR-35, PR-42, PR-48: a one-time value used just before kill -9 is refused after the restart", async () => {
      const used = await Promise.all(Object.values(marks).map((fresh) => fresh()));
      assert.deepEqual(
        await Promise.all(used.map((attempt) => attempt(issuer))),
        used.map(() => true),
      );
      await killFirst();
      for (const attempt of used) assert.equal(await race(attempt, 3), 0);
    });

    test("PR-35, PR-42, PR-48: no one-time value is accepted twice if kill -9 interrupts the requests", async () => {
      const used = await Promise.all(Object.values(marks).map((fresh) => fresh()));
      const pushed: string[] = [];
      const pushing = async () => {
        for (;;) pushed.push(await push(issuer));
      };
      const ended = Promise.allSettled([pushing(), pushing()]);
      const racing = used.map((attempt) => race(attempt));
      await until(() => pushed.length >= 5, "five pushes are answered");
      await killFirst();
      for (const each of await ended) assert.equal(each.status, "rejected", "it was killed");
      const won = await Promise.all(racing);
      for (const [index, attempt] of used.entries()) {
        // The process with the winning request may have been killed before it responded.
        assert.ok((won[index] ?? 0) + (await race(attempt, 3)) <= 1);
      }
      for (const request_uri of pushed) {
        assert.equal(typeof (await visit(issuer, request_uri)), "string", "a push that was answered is kept");
        assert.equal(await visit(issuer, request_uri), undefined);
      }
    });
  });
