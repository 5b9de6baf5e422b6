import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { User } from "../../src/records/definition/definition.ts";
import { checkChange, checkNew } from "../../src/records/formats/check.ts";
import {
  emailKey,
  emailKeys,
  isEmail,
  isSameMailbox,
  mailAddress,
  trimEmail,
} from "../../src/records/names/email.ts";
import { isPlainText } from "../../src/records/names/plain_text.ts";

const refused: Readonly<Record<string, string>> = {
  "a zero-width space": "adm\u200bin@x.test",
  "a direction mark": "admin@x.test\u202e",
  "a soft hyphen": "ad\u00admin@x.test",
  "a private character": "admin\ue000@x.test",
  "an unassigned character": "admin\u0378@x.test",
  "half a pair": "admin\ud800@x.test",
  "a control character": "admin\u0007@x.test",
  "a no-break space": "ad\u00a0min@x.test",
  "a Hangul filler": "admin\u3164@x.test",
  "a Cyrillic o among Latin letters": "r\u043e\u043et@x.test",
  "a Greek omicron in a label of the domain": "root@g\u03bfogle.test",
  "a full-width at sign": "root\uff20x@y.test",
  "an ideographic full stop for a dot": "root@example\u3002test",
  "a half-width one behind the domain": "root@example.test\uff61",
  "a dot leader, which is a dot where addresses are compared": "root@mail\u2024example.test",
  "a digit with such a dot": "root@mail\u2488example.test",
  "an empty pattern of Braille": "adm\u2800in@x.test",
  "A-labels of nothing": "root@xn--zz.test",
  "a number for an address of the network": "root@127.1",
  "such a number as it is written": "root@192.0.2.7",
  "a path behind a domain in letters": "root@b\u00fccher.test/x.y",
  "a query behind it": "root@b\u00fccher.test?x",
  "an escape": "root@b%C3%BCcher.test",
  "a label that begins with a hyphen": "root@-b\u00fccher.test",
  "the domain of this server's own records": "open-clients@postern.invalid",
  "another spelling of that domain": "open-clients@PO\u017fTERN.invalid",
};

const taken: Readonly<Record<string, string>> = {
  ASCII: "Ada.Lovelace+x@example.com",
  "Latin with marks": "zo\u00eb@example.com",
  "Cyrillic alone": "\u0438\u0432\u0430\u043d@\u043f\u043e\u0447\u0442\u0430.example",
  "Greek before a Latin domain": "\u03bd\u03af\u03ba\u03bf\u03c2@example.com",
  Chinese: "\u738b\u82b3@example.com",
};

describe("email addresses", () => {
  for (const [what, email] of Object.entries(refused))
    test(`P-9: ${what} is refused in a new address (security finding 18)`, () => {
      assert.equal(isEmail(email), false);
      const { errors } = checkNew("users", { email, name: "A" });
      assert.ok(errors.some(({ path }) => path === "/email"));
    });

  for (const [what, email] of Object.entries(taken))
    test(`P-9: ${what} is accepted as an address (security finding 18)`, () =>
      assert.equal(isEmail(email), true));

  test("P-9: look-alike addresses share one key, and ASCII addresses keep the key that they had (security finding 18)", () => {
    const alike = [
      ["admin@example.com", "\uff41dmin@example.com", "ADMIN@EXAMPLE.COM"],
      ["strasse@x.test", "stra\u00dfe@x.test", "STRA\u1e9eE@x.test"],
      ["\u03bd\u03af\u03ba\u03bf\u03c2@x.test", "\u039d\u038a\u039a\u039f\u03a3@x.test"],
      ["office@x.test", "o\ufb03ce@x.test"],
    ];
    for (const [first = "", ...others] of alike)
      for (const other of others) assert.equal(emailKey(other), emailKey(first), other);
    assert.deepEqual(emailKeys("Ada@Example.com"), ["ada@example.com"]);
    assert.equal(emailKey("Ada@Example.com"), "ada@example.com");
    assert.equal(emailKey(emailKey("\u0130stanbul@x.test")), emailKey("\u0130stanbul@x.test"));
  });

  test("P-9: a domain in Unicode and in ASCII form share one key, and an invalid domain is unchanged", () => {
    const alike = [
      ["ann@b\u00fccher.example", "ann@xn--bcher-kva.example", "ANN@XN--BCHER-KVA.EXAMPLE"],
      ["ann@mail.\u4f8b\u3048.jp", "ann@mail.xn--r8jz45g.jp", "ann@mail.\uff58n--r8jz45g.jp"],
      ["ann@stra\u00dfe.example", "ann@xn--strae-oqa.example", "ann@strasse.example"],
    ];
    for (const [first = "", ...others] of alike)
      for (const other of others) {
        assert.equal(emailKey(other), emailKey(first), other);
        assert.equal(emailKey(emailKey(other)), emailKey(other), other);
      }
    for (const email of ["a@xn--.test", "a@xn--a.test", "a@xn--abc-.test", "xn--bcher-kva@x.test"])
      assert.deepEqual(emailKeys(email), [email]);
    const [labels, letters] = ["ann@xn--bcher-kva.example", "ann@b\u00fccher.example"];
    assert.deepEqual(emailKeys(labels), [labels, letters]);
    assert.deepEqual(emailKeys(letters), [letters, labels]);
  });

  test("P-9: surrounding spaces and invisible characters are removed from an address", () => {
    const email = "ann@b\u00fccher.example";
    for (const [before, behind] of [
      [" ", "\r\n"],
      ["\u202a", "\u202c"],
      ["\u2068 ", "\u2069"],
      ["\ufeff", "\u200b\u3000"],
    ])
      assert.equal(trimEmail(`${before}${email}${behind}`), email);
    assert.equal(trimEmail("a\u200bb@x.test"), "a\u200bb@x.test");
    const long = `a${"\u202a".repeat(60_000)}b`;
    assert.equal(trimEmail(` ${long}`), long);
  });

  test("P-9: text that is too long for an address is not normalized, and matches no account", () => {
    const text = `a${"\u0301\u0323".repeat(20_000)}@xn--bcher-kva.example`;
    assert.equal(isEmail(text), false);
    assert.deepEqual(emailKeys(text), []);
    assert.equal(emailKey(text), text.slice(0, 320));
    assert.equal(isSameMailbox(text, `${text}/`), false);
  });

  test("P-9: a stored address that would now be refused stays valid while it is unchanged (security finding 18)", () => {
    const current = { email: "r\u043e\u043et@x.test", name: "Ro\u200bot" } as User;
    const same = { email: current.email, name: current.name };
    assert.deepEqual(checkChange("users", current, same).errors, []);
    const other = checkChange("users", current, { email: `x${current.email}`, name: `x${current.name}` });
    assert.deepEqual(other.errors.map(({ path }) => path).toSorted(), ["/email", "/name"]);
  });
});

describe("mailboxes", () => {
  for (const [one, other, what] of [
    ["Ann@Firm.example", "aNN@fIRM.example", "in another case"],
    ["Éva@firm.example", "éva@firm.example", "in another case beyond ASCII"],
    ["ann@straße.example", "ann@xn--strae-oqa.example", "with its domain as A-labels"],
    ["ann@my_host", "Ann@my_host", "on a host that has no A-labels"],
    ["José@firm.example", "Jose\u0301@firm.example", "in another form of one letter"],
  ] as const)
    test(`EP-11: an address ${what} is the same mailbox`, () => assert.ok(isSameMailbox(one, other)));

  for (const [one, other, what] of [
    ["ann@strasse.example", "ann@straße.example", "domain of one key"],
    ["strasse@firm.example", "straße@firm.example", "first part of one key"],
    ["ann@firm.example", "ann\uff0e@firm.example", "first part"],
    ["ann@firm.example", "ann@firm.test", "domain"],
    ["ann@my_host", "ann@your_host", "host"],
  ] as const)
    test(`EP-11: an address with another ${what} is a different mailbox`, () =>
      assert.ok(!isSameMailbox(one, other)));
});

describe("the recipient address of mail", () => {
  const spellings = [
    ["ann@vi\u1ec7t.example", "ann@vi\u00ea\u0323t.example", "ann@vie\u0323\u0302t.example"],
    ["ann@\u03bf\u03b4\u03bf\u03c2.example"],
    ["ann@\u03bf\u03b4\u03bf\u03c3.example", "ann@\u03bf\u03b4\u03bf\u03f2.example"],
    ["ann@b\u00fccher.example", "ann@B\u00dcCHER.example", "ann@\uff42\u00fccher.example"],
    ["ann@stra\u00dfe.example"],
    ["ann@strasse.example"],
  ];

  test("EP-11: mail for two addresses goes to one recipient exactly if they are the same mailbox", () => {
    const all = spellings.flat();
    for (const one of all)
      for (const other of all) {
        const same = mailAddress(one) === mailAddress(other);
        assert.equal(isSameMailbox(one, other), same, `${one} ${other}`);
        assert.equal(
          spellings.some((list) => list.includes(one) && list.includes(other)),
          same,
        );
      }
  });

  test("EP-11: the domain is sent in ASCII form, which all mail servers read alike, and the local part unchanged", () => {
    for (const email of spellings.flat()) assert.match(mailAddress(email), /^ann@[a-z0-9.-]+\.example$/);
    for (const email of ["Ann@Firm.example", "zo\u00eb@firm.example"])
      assert.equal(mailAddress(email), email);
    assert.equal(mailAddress("zo\u00eb@stra\u00dfe.example"), "zo\u00eb@xn--strae-oqa.example");
  });
});

describe("names that other users see", () => {
  const unseen = [
    "Ac\u200bme",
    "Acme\u202e",
    "Ac\u2066me",
    "Ac\nme",
    "Ac\u0007me",
    "Acme\ue000",
    "Ac\u3164me",
    "Ad\u200dmin",
  ];
  const seen = [
    "Acme & Söhne, Ltd.",
    "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
    "\u0915\u094d\u200d\u0937",
    "Team 👩‍👩‍👧‍👦 ❤️ 1️⃣",
    "\u738b\u82b3",
  ];
  const records = {
    users: { email: "a@x.test" },
    organizations: { slug: "a" },
    oauth_apps: {},
    service_accounts: { email: "a@x.test" },
    api_keys: {},
  } as const;

  test("P-10: cannot contain invisible characters, but may contain letters and emoji of every script (security finding 18)", () => {
    for (const name of unseen) assert.equal(isPlainText(name, "line"), false, JSON.stringify(name));
    for (const name of seen) assert.equal(isPlainText(name, "line"), true, name);
    assert.equal(isPlainText("one\r\n\ttwo", "lines"), true);
    assert.equal(isPlainText("one\u2028two", "lines"), false);
  });

  for (const [table, rest] of Object.entries(records))
    test(`P-10: of records in ${table} are checked when they are written (security finding 18)`, () => {
      const errorsOf = (name: string) =>
        checkNew(table as "users", { ...rest, name }).errors.filter(({ path }) => path === "/name");
      for (const name of unseen) assert.equal(errorsOf(name).length, 1, JSON.stringify(name));
      for (const name of seen) assert.deepEqual(errorsOf(name), [], name);
    });

  test("P-10: in a brand are checked too, and so are descriptions of apps (security finding 18)", () => {
    const settings = { brand: { name: "Ac\u202eme" } };
    const organization = checkNew("organizations", { name: "A", slug: "a", settings });
    assert.ok(organization.errors.some(({ path }) => path === "/settings/brand/name"));
    const app = checkNew("oauth_apps", { name: "A", description: "Turns\u202e" });
    assert.ok(app.errors.some(({ path }) => path === "/description"));
  });

  test("P-10: of roles are checked too, and so are scope descriptions on the consent page", () => {
    const faulty = "Reads\u200b orders";
    const paths = (errors: readonly { path: string }[]) => errors.map(({ path }) => path);
    const role = checkNew("memberships", { role: "owner\u200b" }).errors;
    assert.ok(paths(role).includes("/role"));
    for (const [description, at] of [
      [faulty, "/scopes/orders:read"],
      [{ en: "Reads orders", es: faulty }, "/scopes/orders:read/es"],
    ] as const) {
      const scopes = { "orders:read": description };
      const { errors } = checkNew("resources", { identifier: "https://api.example", name: "A", scopes });
      assert.ok(paths(errors).includes(at), at);
    }
    const metadata = { scope_descriptions: { "orders:read": faulty } };
    assert.ok(
      paths(checkNew("oauth_apps", { name: "A", metadata }).errors).includes(
        "/metadata/scope_descriptions/orders:read",
      ),
    );
    const reported = { "orders:read": { en: "Reads orders 👩‍👩‍👧‍👦" } };
    const good = checkNew("resources", { identifier: "https://api.example", name: "A", scopes: reported });
    assert.ok(!paths(good.errors).some((path) => path.startsWith("/scopes")));
  });
});
