import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { hash as argon2, hashSync } from "@node-rs/argon2";
import fc from "fast-check";
import { hashingQueues, hashPool } from "../../src/crypto/hash_pool.ts";
import { type Argon2Engine, argon2Engine } from "../../src/crypto/hashing/argon2id.ts";
import { composedPassword } from "../../src/crypto/hashing/composed_password.ts";
import { passwordWeakness } from "../../src/crypto/password_rules.ts";
import { isArgon2id, passwordHasher } from "../../src/crypto/passwords.ts";
import { OverloadedError } from "../../src/errors.ts";
import { codePoint } from "../support/code_point.ts";

/** The lowest costs that Argon2 allows, because these tests do not depend on the duration. */
const cheap = { m: 8, t: 1, p: 1 };
const cheapHasher = () => passwordHasher({ concurrency: 2, queue: 64, parameters: cheap });

/** Returns an engine and the passwords that it compared. */
function notingEngine(): { engine: Argon2Engine; compared: string[] } {
  const engine = argon2Engine();
  const compared: string[] = [];
  const verify: Argon2Engine["verify"] = (phc, bytes) => {
    compared.push(String(bytes));
    return engine.verify(phc, bytes);
  };
  return { engine: { ...engine, verify }, compared };
}

const sample =
  "$argon2id$v=19$m=64,t=1,p=1$asPadloDq+SvLBK9wIh+sQ$vyoHzVh8DbP+8e50isz8wgsZXM5UtHqhSizxkaY5Z6E";

const overloaded = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));

describe("passwords", () => {
  test("L-11: a hash is Argon2id with OWASP's parameters, a separate salt and a PHC string", async () => {
    const hasher = passwordHasher({ concurrency: 2, queue: 8 });
    const [one, other] = await Promise.all([hasher.hash("correct horse"), hasher.hash("correct horse")]);
    const shape = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/;
    assert.match(one, shape);
    assert.match(other, shape);
    assert.notEqual(one.split("$")[4], other.split("$")[4]);
    assert.ok(await hasher.verify(one, "correct horse"));
    assert.equal(await hasher.verify(one, "correct hors"), false);
    assert.equal(hasher.needsRehash(one), false);
  });

  test("L-11: a hash with any weaker parameter needs rehashing, and a stronger hash does not", () => {
    const { needsRehash } = passwordHasher({ concurrency: 1, queue: 1 });
    const phc = (start: string, salt = 22, output = 43) =>
      `${start}$${"A".repeat(salt)}$${"A".repeat(output)}`;
    for (const strong of ["m=19456,t=2,p=1", "m=19456,t=3,p=1", "m=65536,t=1,p=4", "m=65536,t=3,p=4"]) {
      assert.equal(needsRehash(phc(`$argon2id$v=19$${strong}`)), false, strong);
    }
    for (const weak of ["m=8,t=1,p=1", "m=19455,t=2,p=1", "m=12288,t=30,p=1", "m=19456,t=1,p=1"]) {
      assert.equal(needsRehash(phc(`$argon2id$v=19$${weak}`)), true, weak);
    }
    assert.equal(needsRehash(phc("$argon2id$v=16$m=19456,t=2,p=1")), true, "Argon2 1.0");
    assert.equal(needsRehash(phc("$argon2id$m=19456,t=2,p=1")), true, "no version means 1.0");
    assert.equal(needsRehash(phc("$argon2id$v=19$m=19456,t=2,p=1", 11)), true, "a short salt");
    assert.equal(needsRehash(phc("$argon2id$v=19$m=19456,t=2,p=1", 22, 22)), true, "a short hash");
    assert.equal(needsRehash("$2b$12$abcdefghijklmnopqrstuv"), true);
  });

  test("L-13: a password matches whether its accents are typed as precomposed or combining characters", async () => {
    const hasher = cheapHasher();
    for (const password of ["Nguy\u1ec5n Tr\u00e3i", "\u30ac\u30c3\u30c4", "\uac00\ub098\ub2e4"]) {
      const apart = password.normalize("NFD");
      assert.notEqual(apart, password);
      for (const set of [password, apart]) {
        const phc = await hasher.hash(set);
        for (const typed of [password, apart]) assert.ok(await hasher.verify(phc, typed));
      }
      // Earlier versions stored hashes of the text as typed.
      const old = await argon2(apart, { memoryCost: 8, timeCost: 1, parallelism: 1 });
      assert.ok(await hasher.verify(old, apart));
      assert.equal(await hasher.verify(old, `${apart}x`), false);
    }
  });

  test("MG-3: once a slower imported hash was used, every answer of its queue takes as long", async () => {
    const slow = `$pbkdf2-sha512$i=200000,l=64$AAAA$${"A".repeat(85)}Q`;
    const hasher = passwordHasher({ concurrency: 2, queue: 8, parameters: cheap });
    const phc = await hasher.hash("pw");
    const timed = async (work: () => Promise<unknown>) => {
      const started = performance.now();
      await work();
      return performance.now() - started;
    };
    await hasher.learn([phc, "no hash", slow], "sign_in");
    const costs: number[] = [];
    for (let time = 0; time < 3; time += 1)
      costs.push(await timed(() => hasher.verify(slow, "pw", "management")));
    const cost = Math.min(...costs);
    for (const answer of [
      () => hasher.verify(phc, "pw"),
      () => hasher.verify(phc, "another"),
      () => hasher.verifyAgainstNothing("pw"),
      () => hasher.verify(slow, "pw"),
    ])
      assert.ok((await timed(answer)) > cost / 2, String(answer));
    // The management queue has not seen the slow hash, so its callers do not wait.
    const known = Math.min(
      ...(await Promise.all([1, 2, 3].map(() => timed(() => hasher.verify(phc, "pw", "management"))))),
    );
    assert.ok(known < cost / 2);
    // A password that is verified both as typed and in its normal form takes twice the time.
    assert.ok((await timed(() => hasher.verifyAgainstNothing("e\u0301"))) > cost);
    assert.ok((await timed(() => hasher.verifyAgainstNothing("a\0"))) > cost);
  });

  test("L-12: a text too long for a password is not normalized", () => {
    const marks = "e\u0301".repeat(512);
    assert.equal(composedPassword(marks), "\u00e9".repeat(512));
    assert.equal(composedPassword(`${marks}x`), `${marks}x`);
  });

  test("L-9: a password with combining characters costs as many hashes without an account as with one", async () => {
    const { engine, compared } = notingEngine();
    const hasher = passwordHasher({ concurrency: 1, queue: 8, parameters: cheap, engine });
    const phc = await hasher.hash("another one");
    const costOf = async (work: () => Promise<boolean>) => {
      compared.length = 0;
      assert.equal(await work(), false);
      return compared.length;
    };
    for (const [password, cost] of [
      ["e\u0301", 2],
      ["\u00e9", 1],
    ] as const) {
      assert.equal(await costOf(() => hasher.verify(phc, password)), cost);
      assert.equal(await costOf(() => hasher.verifyAgainstNothing(password)), cost);
    }
  });

  test("L-10: the typed and the normalized form of a password share one slot, and are rejected only together", async () => {
    const { engine, compared } = notingEngine();
    const hasher = passwordHasher({ concurrency: 1, queue: 1, parameters: cheap, engine });
    const phc = await hasher.hash("another one");
    const guesses = ["e\u0301", "\u00e9", "\u00e8"].map((guess) => hasher.verify(phc, guess));
    const results = await Promise.allSettled(guesses);
    assert.deepEqual(
      results.map(({ status }) => status),
      ["fulfilled", "fulfilled", "rejected"],
    );
    assert.deepEqual(compared, ["\u00e9", "e\u0301", "\u00e9"]);
  });

  test("L-12: the length limit applies to the normalized password, whatever the keyboard sends", async () => {
    const hasher = cheapHasher();
    // Syllables of three bytes, each of which decomposes into three jamo of three bytes.
    const syllables = Array.from({ length: 341 }, (_, index) => String.fromCodePoint(0xac01 + 28 * index));
    const hangul = syllables.join("").normalize("NFD");
    const phc = await hasher.hash(hangul);
    for (const typed of [hangul, hangul.normalize("NFC")]) {
      assert.equal(passwordWeakness(typed), undefined);
      assert.ok(await hasher.verify(phc, typed));
    }
    // One character of three bytes, composed of two characters.
    const devanagari = "\u0958".repeat(340);
    assert.equal(passwordWeakness(devanagari), "too_long");
    await assert.rejects(hasher.hash(devanagari), RangeError);
    const old = await argon2(devanagari, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    assert.ok(await hasher.verify(old, devanagari));
  });

  test("L-13: a password is verified exactly as it was set", async () => {
    const hasher = cheapHasher();
    const long = "x".repeat(72);
    const pairs: [string, string][] = [
      ["Secret", "secret"],
      ["Secret", "Secret "],
      [" Secret", "Secret"],
      ["Secret\n", "Secret"],
      [`${long}a`, `${long}b`],
      [`${long}a`, long],
      ["a\0b", "a\0c"],
      ["a\0b", "a"],
      ["a\0", "a"],
      ["\0", "\0\0"],
      ["", "\0"],
      ["\u00e9", "e"],
      ["\ufb01", "fi"],
      ["\uff41", "a"],
      ["\ufffd", "\ud800"],
    ];
    for (const [password, other] of pairs) {
      const phc = await hasher.hash(password);
      assert.equal(await hasher.verify(phc, password), true, JSON.stringify(password));
      assert.equal(await hasher.verify(phc, other), false, JSON.stringify(other));
    }
  });

  test("L-13: any password of 1 to 256 characters verifies, and no other one does", async () => {
    const hasher = cheapHasher();
    const password = fc.string({ unit: codePoint, maxLength: 256 });
    await fc.assert(
      fc.asyncProperty(password, password, async (one, other) => {
        const phc = await hasher.hash(one);
        assert.ok(await hasher.verify(phc, one));
        assert.equal(await hasher.verify(phc, other), one.normalize() === other.normalize());
      }),
      { numRuns: 50 },
    );
  });

  test("L-12: a password over 1024 bytes is never hashed", async () => {
    const hasher = cheapHasher();
    const longest = "é".repeat(512);
    const phc = await hasher.hash(longest);
    assert.ok(await hasher.verify(phc, longest));
    await assert.rejects(hasher.hash(`${longest}x`), RangeError);
    await assert.rejects(hasher.hash("x".repeat(1025)), RangeError);
    // These texts are too long to be hashed, so the full queue does not refuse them.
    const full = passwordHasher({ concurrency: 1, queue: 0 });
    const busy = full.verifyAgainstNothing("keeps the only slot");
    assert.equal(await full.verify(phc, `${longest}x`), false);
    assert.equal(await full.verifyAgainstNothing("x".repeat(100_000)), false);
    await busy;
  });

  test("text with an unpaired surrogate is not a password", async () => {
    await assert.rejects(cheapHasher().hash("a\ud800"), RangeError);
  });

  test("verification without an account is false for every password", async () => {
    const hasher = cheapHasher();
    for (const password of ["", "a", "correct horse"])
      assert.equal(await hasher.verifyAgainstNothing(password), false);
  });

  test("L-9: verification without an account takes as long as a real one", async () => {
    const parameters = { m: 8192, t: 2, p: 1 };
    const hasher = passwordHasher({ concurrency: 1, queue: 1, parameters });
    const phc = await hasher.hash("correct horse");
    const fastest = async (job: () => Promise<boolean>) => {
      const times: number[] = [];
      for (let i = 0; i < 12; i++) {
        const before = process.cpuUsage();
        await job();
        const { user, system } = process.cpuUsage(before);
        times.push((user + system) / 1000);
      }
      return Math.min(...times);
    };
    const real = await fastest(() => hasher.verify(phc, "wrong horse"));
    const nothing = await fastest(() => hasher.verifyAgainstNothing("wrong horse"));
    assert.ok(nothing > real / 2 && nothing < real * 2, `${nothing} ms against ${real} ms`);
  });
});

describe("imported hashes", () => {
  test("Argon2id with other parameters, and of Argon2 1.0, is verified", async () => {
    const hasher = passwordHasher({ concurrency: 2, queue: 8 });
    const strong = await argon2("pw", { memoryCost: 65536, timeCost: 3, parallelism: 4, outputLen: 64 });
    const old = await argon2("pw", { memoryCost: 64, timeCost: 1, version: 0 });
    for (const phc of [strong, old, old.replace("$v=16", "")]) {
      assert.ok(isArgon2id(phc));
      assert.ok(await hasher.verify(phc, "pw"));
      assert.equal(await hasher.verify(phc, "pW"), false);
    }
  });

  test("L-12: an unknown algorithm, a malformed hash or an excessive cost is refused without being computed", async () => {
    const hasher = cheapHasher();
    // Hashes of other programs are not accepted here; `readForeignHash` reads them (MG-1).
    const foreign = [
      hashSync("pw", { algorithm: 1, memoryCost: 8, timeCost: 1 }),
      hashSync("pw", { algorithm: 0, memoryCost: 8, timeCost: 1 }),
      `${sample}=`,
    ];
    for (const text of foreign) assert.equal(isArgon2id(text), false);
    const wrong = [
      "",
      "pw",
      "$2b$12$abcdefghijklmnopqrstuvabcdefghijklmnopqrstuvwxyz0123",
      sample.replace("argon2id", "ARGON2ID"),
      ` ${sample}`,
      `${sample}\n`,
      sample.slice(0, -30),
      sample.replace("v=19", "v=18"),
      sample.replace("p=1", "p=1,keyid=AAAA"),
      sample.replace("m=64,t=1,p=1", "m=1024,t=1,p=17"),
      sample.replace("p=1", "p=0"),
      sample.replace("t=1", "t=0"),
      sample.replace("m=64", "m=4"),
      sample.replace("m=64", "m=262145"),
      sample.replace("m=64", "m=4294967295"),
      sample.replace("m=64", "m=99999999999"),
      sample.replace("t=1", "t=4294967295"),
      sample.replace("m=64,t=1", "m=262144,t=5"),
      sample.replace(/asPad[^$]+/, "AAAA"),
      sample.replace(/vyoH[^$]+/, "AAAAAA"),
    ];
    const before = process.cpuUsage();
    for (const phc of wrong) {
      assert.equal(isArgon2id(phc), false, phc);
      assert.equal(await hasher.verify(phc, "pw"), false, phc);
    }
    // The most expensive of these hashes would take minutes. The processor time of this process is
    // independent of other load.
    const { user, system } = process.cpuUsage(before);
    assert.ok(user + system < 5_000_000, `${user + system} µs`);
    assert.ok(isArgon2id(sample));
  });

  test("no text throws as a hash, however similar to a PHC string", async () => {
    const hasher = cheapHasher();
    const close = fc
      .tuple(fc.nat(sample.length - 1), fc.string({ unit: codePoint, maxLength: 2 }))
      .map(([at, text]) => sample.slice(0, at) + text + sample.slice(at + 1))
      .filter((phc) => !/[mt]=\d{4,}/.test(phc));
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: codePoint }), close), async (phc) => {
        hasher.needsRehash(phc);
        assert.equal(typeof (await hasher.verify(phc, "pw")), "boolean");
      }),
    );
  });
});

describe("the hashing pool", () => {
  test("L-12: of 60 concurrent verifications 10 run and 50 are rejected, and the event loop stays responsive", async () => {
    const hasher = passwordHasher({ concurrency: 2, queue: 8 });
    const phc = await hasher.hash("correct horse");
    let ticks = 0;
    const clock = setInterval(() => (ticks += 1), 1);
    const results = await Promise.allSettled(
      Array.from({ length: 60 }, () => hasher.verify(phc, "correct horse")),
    );
    clearInterval(clock);

    const answered = results.filter((result) => result.status === "fulfilled");
    assert.deepEqual([...new Set(answered.map(({ value }) => value))], [true]);
    assert.equal(answered.length, 10);
    const shed = overloaded(results);
    assert.equal(shed.length, 50);
    for (const error of shed) {
      assert.ok(error instanceof OverloadedError);
      assert.ok(Number.isInteger(error.retry_after) && error.retry_after >= 1);
    }
    assert.ok(ticks >= 10, `${ticks} ticks`);
  });

  test("L-12: the hashing pool accepts new work as soon as it has room", async () => {
    const hasher = passwordHasher({ concurrency: 1, queue: 1, parameters: cheap });
    for (let round = 0; round < 3; round++) {
      const results = await Promise.allSettled(["a", "b", "c"].map((password) => hasher.hash(password)));
      assert.deepEqual(
        results.map(({ status }) => status),
        ["fulfilled", "fulfilled", "rejected"],
      );
    }
  });

  test("L-12: waiting verifications are answered in order", async () => {
    const hasher = passwordHasher({ concurrency: 1, queue: 20, parameters: { m: 1024, t: 1, p: 1 } });
    const phc = await hasher.hash("pw");
    const finished: number[] = [];
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        await hasher.verify(phc, "pw");
        finished.push(i);
      }),
    );
    assert.deepEqual(
      finished,
      Array.from({ length: 20 }, (_, i) => i),
    );
  });

  test("B-3, design 5: a full queue for one purpose does not delay the others (security findings 9 and 10)", async () => {
    for (const flooded of hashingQueues) {
      const hasher = passwordHasher({ concurrency: 1, queue: 30, parameters: { m: 4096, t: 1, p: 1 } });
      const phc = await hasher.hash("pw");
      let done = 0;
      const flood = Array.from({ length: 31 }, () =>
        hasher.verify(phc, "pw", flooded).then(() => (done += 1)),
      );
      await assert.rejects(hasher.verify(phc, "pw", flooded), OverloadedError);
      const others = hashingQueues.filter((queue) => queue !== flooded);
      const answers = await Promise.all(others.map((queue) => hasher.verify(phc, "pw", queue)));
      assert.deepEqual(answers, [true, true, true]);
      assert.ok(done <= 5, `${done} of ${flooded} came before the others`);
      await Promise.all(flood);
    }
  });

  test("B-3: a queue uses slots that others leave idle, and gives them back at the next hash (security finding 9)", async () => {
    const pool = hashPool(3, 30);
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const enqueue = (queue: "management" | "sign_in") =>
      pool.run(queue, "", () => {
        order.push(queue);
        return new Promise<void>((end) => ends.push(end));
      });
    const jobs = Array.from({ length: 20 }, () => enqueue("management"));
    assert.deepEqual(pool.load().management, { running: 3, waiting: 17 });
    jobs.push(...Array.from({ length: 20 }, () => enqueue("sign_in")));
    /** Ends the oldest job; the next one begins before the promise settles. */
    const endOldest = async () => {
      ends.shift()?.();
      await setImmediate();
    };
    await endOldest();
    assert.equal(order.at(-1), "sign_in", "a sign-in did not wait for what management had waiting");
    for (let ended = 1; ended < 38; ended += 1) {
      const { management, sign_in } = pool.load();
      assert.equal(management.running + sign_in.running, 3);
      assert.ok(management.running >= 1 && sign_in.running >= 1, "each has a slot while both have jobs");
      if (management.waiting === 0 || sign_in.waiting === 0) break;
      await endOldest();
    }
    assert.ok(Math.abs(pool.load().management.waiting - pool.load().sign_in.waiting) <= 3);
    while (ends.length > 0) await endOldest();
    await Promise.all(jobs);
    assert.equal(order.length, 40);
  });

  test("B-3: callers in one queue take turns, and one with many waiting calls yields to one with few (security finding 10)", async () => {
    const hasher = passwordHasher({ concurrency: 1, queue: 20, parameters: { m: 1024, t: 1, p: 1 } });
    const phc = await hasher.hash("pw");
    let done = 0;
    let shed = 0;
    const flood = Array.from({ length: 21 }, () =>
      hasher.verify(phc, "pw", "revocation", "stranger").then(
        () => (done += 1),
        () => (shed += 1),
      ),
    );
    assert.throws(() => hasher.admit("revocation", "stranger"), OverloadedError);
    hasher.admit("revocation", "honest");
    assert.ok(await hasher.verify(phc, "pw", "revocation", "honest"));
    assert.ok(done <= 2, `${done} of the stranger's came first`);
    await Promise.all(flood);
    assert.deepEqual([done, shed], [20, 1]);
  });

  test("B-4: verification without an account takes its time without occupying a slot (security finding 10)", async () => {
    const hasher = passwordHasher({ concurrency: 1, queue: 0, parameters: { m: 8192, t: 2, p: 1 } });
    const times: number[] = [];
    for (let round = 0; round < 30; round += 1) {
      const started = performance.now();
      await hasher.verifyAgainstNothing("x");
      times.push(performance.now() - started);
    }
    const pauses = Array.from({ length: 1000 }, async () => {
      const started = performance.now();
      await hasher.pause();
      return performance.now() - started;
    });
    assert.equal(await hasher.verifyAgainstNothing("takes the only slot"), false);
    assert.ok(Math.min(...(await Promise.all(pauses))) > Math.min(...times) / 2);
  });

  test("a pool without a slot is refused on creation", () => {
    for (const concurrency of [0, -1, 1.5, Number.NaN]) {
      assert.throws(() => passwordHasher({ concurrency, queue: 1 }), RangeError);
    }
  });

  test("the hashing load reports running and waiting calls, with the limit of each", async () => {
    const hasher = passwordHasher({ concurrency: 2, queue: 5, parameters: cheap });
    const loadOf = () => {
      const { queues, ...all } = hasher.load();
      return [all, queues.sign_in, queues.revocation];
    };
    const room = { slots: 2, most_waiting: 5 };
    const none = { running: 0, waiting: 0 };
    assert.deepEqual(loadOf(), [{ ...none, ...room }, none, none]);
    const jobs = Array.from({ length: 4 }, () => hasher.verifyAgainstNothing("x"));
    const revoking = hasher.verifyAgainstNothing("x", "revocation");
    assert.deepEqual(loadOf(), [
      { running: 2, waiting: 2, ...room },
      { running: 2, waiting: 2 },
      { running: 0, waiting: 1 },
    ]);
    await Promise.all([...jobs, revoking]);
    assert.deepEqual(loadOf(), [{ ...none, ...room }, none, none]);
  });
});
