import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  ApiProblem,
  type ClientOptions,
  ConnectionError,
  createClient,
  TimeoutError,
} from "../../src/client/client.ts";

type Step = (request: Request) => Response | Promise<Response>;

const id = "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a";

const refusal =
  (status: number, code: string, headers: Record<string, string> = {}): Step =>
  () =>
    Response.json({ code, detail: "No.", title: "No", request_id: "1", status }, { status, headers });

const fails: Step = () => {
  throw new TypeError("fetch failed");
};
const answers: Step = () => Response.json({ id });
const hangs: Step = (request) =>
  new Promise((_, reject) => {
    request.signal.addEventListener("abort", () => reject(request.signal.reason));
  });

/**
 * Returns a client of a server that responds with these steps, and records the requests and the waiting
 * times.
 */
function scripted(steps: readonly Step[], overrides: Partial<ClientOptions> = {}) {
  const sent: Request[] = [];
  const waits: number[] = [];
  const nextStep = async (request: Request) => {
    const step = steps[sent.length];
    if (step === undefined) throw new Error("one request more than was expected");
    sent.push(request);
    return step(request);
  };
  const client = createClient({
    url: "https://id.example/",
    credential: "pak_test",
    wait: async (milliseconds) => void waits.push(milliseconds),
    fetch: nextStep,
    ...overrides,
  });
  return { client, sent, waits };
}

const code = (expected: string) => (error: unknown) => error instanceof ApiProblem && error.code === expected;

describe("the typed client retries", () => {
  test("reads after lost connections, and after the delay that a busy server requests", async () => {
    const { client, sent, waits } = scripted([
      fails,
      refusal(503, "temporarily_unavailable", { "retry-after": "2" }),
      refusal(502, "x"),
      answers,
    ]);
    assert.equal((await client.users.get(id)).id, id);
    assert.equal(sent.length, 4);
    assert.equal(waits[1], 2000);
    assert.ok(Number(waits[0]) <= 250 && Number(waits[2]) <= 1000, String(waits));
  });

  test("creations with the same idempotency key, and uses a new key for each call", async () => {
    const { client, sent } = scripted([fails, refusal(409, "idempotency_in_progress"), answers, answers]);
    await client.users.create({ email: "ada@example.com", name: "Ada" });
    await client.users.create({ email: "ada@example.com", name: "Ada" });
    const keys = sent.map(({ headers }) => headers.get("idempotency-key"));
    assert.match(keys[0] ?? "", /^[0-9a-f-]{36}$/);
    assert.deepEqual(new Set(keys.slice(0, 3)).size, 1);
    assert.notEqual(keys[3], keys[0]);
  });

  test("changes without an idempotency key only if the server says that nothing was done", async () => {
    for (const step of [fails, refusal(503, "unavailable")]) {
      for (const call of ["update", "delete"] as const) {
        const { client, sent } = scripted([step]);
        const { users } = client;
        await assert.rejects(call === "update" ? users.update(id, { name: "A" }) : users.delete(id));
        assert.equal(sent.length, 1);
      }
      const { client, sent } = scripted([step]);
      await assert.rejects(client.users.sendPasswordReset(id));
      assert.equal(sent.length, 1);
    }
    const { client, sent } = scripted([refusal(429, "quota_exceeded", { "retry-after": "1" }), answers]);
    await client.users.update(id, { name: "A" });
    assert.equal(sent.length, 2);
  });

  test("no request that was refused, and none beyond the time limit or the maximum number of attempts", async () => {
    const refused = [
      refusal(409, "conflict"),
      refusal(429, "throttled"),
      refusal(500, "server_error"),
      refusal(429, "quota_exceeded", { "retry-after": "31" }),
      () => new Response("<h1>Moved", { status: 302, headers: { location: "https://elsewhere.example/" } }),
    ];
    for (const step of refused) {
      const { client, sent } = scripted([step]);
      await assert.rejects(client.users.list().page(), ApiProblem);
      assert.equal(sent.length, 1);
    }
    const { client, sent } = scripted([fails, fails], { retries: 1 });
    await assert.rejects(client.me(), ConnectionError);
    assert.equal(sent.length, 2);
  });
});

test('a response with an unexpected shape is an error with the code "unknown"', async () => {
  for (const body of [{}, { data: {} }, [], "text", null]) {
    const { client } = scripted([() => Response.json(body)]);
    await assert.rejects(client.users.list().page(), code("unknown"), JSON.stringify(body));
  }
  for (const body of [[], "text", null]) {
    const { client } = scripted([() => Response.json(body)]);
    await assert.rejects(client.users.get(id), code("unknown"), JSON.stringify(body));
  }
});

describe("the typed client aborts a call", () => {
  test("when its abort signal fires, with the signal's reason, during the request and while waiting", async () => {
    const reason = new Error("enough");
    const ended = new AbortController();
    const onItsWay = scripted([
      (request) => {
        queueMicrotask(() => ended.abort(reason));
        return hangs(request);
      },
    ]);
    await assert.rejects(onItsWay.client.me({ signal: ended.signal }), reason);
    await assert.rejects(scripted([]).client.me({ signal: ended.signal }), reason);
    const waiting = new AbortController();
    const { client } = scripted([fails], {
      wait: async (_, signal) => {
        waiting.abort(reason);
        signal?.throwIfAborted();
      },
    });
    await assert.rejects(client.me({ signal: waiting.signal }), reason);
  });

  test("when no response arrives within the time limit", async () => {
    const { client } = scripted([hangs], { retries: 0 });
    await assert.rejects(client.me({ timeout: 1 }), TimeoutError);
  });
});

describe("the typed client and its credential", () => {
  test("requests the credential for each attempt, and a new one after a 401", async () => {
    const requested: boolean[] = [];
    const credential: ClientOptions["credential"] = async ({ refused }) => {
      requested.push(refused);
      return refused ? "new" : "old";
    };
    const { client, sent } = scripted([refusal(401, "unauthorized"), answers], { credential });
    await client.me();
    assert.deepEqual(requested, [false, true]);
    assert.deepEqual(
      sent.map(({ headers }) => headers.get("authorization")),
      ["Bearer old", "Bearer new"],
    );
    const twice = scripted([refusal(401, "unauthorized"), refusal(401, "unauthorized")], { credential });
    await assert.rejects(twice.client.me(), code("unauthorized"));
  });

  test("reports which acr_values and max_age a required new sign-in must satisfy", async () => {
    const challenge =
      'Bearer realm="x", error="insufficient_user_authentication", acr_values="urn:a urn:b", max_age="300"';
    const { client } = scripted([
      refusal(401, "insufficient_user_authentication", { "www-authenticate": challenge }),
    ]);
    await assert.rejects(client.me(), (error) => {
      assert.deepEqual((error as ApiProblem).stepUp, { acr_values: "urn:a urn:b", max_age: 300 });
      return true;
    });
  });

  test("H-47: sends it over http only to this machine, follows no redirect to another host, and never prints it", async () => {
    for (const url of [
      "http://id.example",
      "ftp://id.example",
      "id.example",
      "https://a:b@id.example",
      "https://id.example/?x",
    ])
      assert.throws(() => createClient({ url, credential: "pak_test" }), TypeError, url);
    for (const url of ["http://localhost:3000", "http://127.0.0.1", "http://[::1]:1", "https://id.example/"])
      createClient({ url, credential: "pak_test" });
    createClient({ url: "http://id.internal", credential: "pak_test", allowHttp: true });
    const { client } = scripted([], { credential: "pak_secret\n" });
    await assert.rejects(
      client.me(),
      (error) => error instanceof TypeError && !String(error).includes("pak_"),
    );
    const { client: moved, sent } = scripted([answers]);
    await moved.me();
    assert.equal(sent[0]?.redirect, "manual");
  });
});

describe("requests of the typed client", () => {
  test("H-47: a parameter is one segment of the path and cannot change the request's target", async () => {
    const { client, sent } = scripted([answers]);
    await client.resources.getByIdentifier("https://api.example/a?b#c");
    assert.equal(
      sent[0]?.url,
      "https://id.example/api/v1/resources/by-identifier/https%3A%2F%2Fapi.example%2Fa%3Fb%23c",
    );
    for (const name of ["", ".", ".."]) await assert.rejects(client.apps.getByClientId(name), TypeError);
  });

  test("an export that breaks off is reported as incomplete", async () => {
    const { client } = scripted([
      () => new Response('{"id":"1"}\n{"id":', { headers: { "content-type": "application/x-ndjson" } }),
    ]);
    const ids: string[] = [];
    await assert.rejects(async () => {
      for await (const event of client.auditEvents.export()) ids.push(event.id);
    }, ConnectionError);
    assert.deepEqual(ids, ["1"]);
  });
});
