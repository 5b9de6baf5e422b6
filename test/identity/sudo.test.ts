import assert from "node:assert/strict";
import { test } from "node:test";
import { missingProofs } from "../../src/identity/sudo.ts";
import type { Session, User } from "../../src/records/definition.ts";
import type { EnrolledMethods, MethodKind, SignInMethod } from "../../src/records/sign_in_methods.ts";

const now = new Date("2030-01-01T12:00:00Z");
const fresh = now.getTime() - 5 * 60_000;
const stale = fresh - 1;

const none: EnrolledMethods = {
  password: false,
  passkeys: [],
  security_keys: [],
  totp: [],
  recovery_codes: 0,
  providers: [],
};
const github = { id: "link", slug: "github", preset: "github" } as const;
const entra = { id: "link", slug: "entra", preset: "microsoft" } as const;

const method = (kind: MethodKind, at: number, more: Partial<SignInMethod> = {}): SignInMethod => ({
  kind,
  credential: null,
  at,
  ...more,
});

function missing(enrolled: Partial<EnrolledMethods>, methods: readonly SignInMethod[] | null, at = stale) {
  const session = { methods, authenticated_at: new Date(at) } as Session;
  return missingProofs({ session, user: {} as User }, { ...none, ...enrolled }, now);
}

const mfa = { password: true, totp: ["app"], recovery_codes: 10 };
const passkey = (at: number, uv: boolean) => method("passkey", at, { credential: "key", uv });

test("SU-6: what is missing for each enrolment, and what is enough for five minutes", () => {
  const first = ["password"];
  const second = ["totp", "recovery_code"];
  const cases: [string, ReturnType<typeof missing>, readonly (readonly string[])[]][] = [
    ["a fresh password", missing({ password: true }, [method("password", fresh)]), []],
    ["an old password", missing({ password: true }, [method("password", stale)]), [first]],
    ["a session of before the methods", missing({ password: true }, null), [first]],
    ["such a session that is fresh", missing({ password: true }, null, fresh), []],
    ["both are old", missing(mfa, [method("password", stale), method("totp", stale)]), [first, second]],
    ["the code is fresh", missing(mfa, [method("password", stale), method("totp", fresh)]), [first]],
    ["the password is fresh", missing(mfa, [method("password", fresh), method("totp", stale)]), [second]],
    ["both are fresh", missing(mfa, [method("password", fresh), method("totp", fresh)]), []],
    ["a recovery code", missing(mfa, [method("password", fresh), method("recovery_code", fresh)]), []],
    ["a passkey instead", missing({ ...mfa, passkeys: ["key"] }, [passkey(fresh, true)]), []],
    [
      "with a passkey nothing less will do",
      missing({ ...mfa, passkeys: ["key"] }, [method("password", fresh), method("totp", fresh)]),
      [["passkey"]],
    ],
    [
      "a key that verified nobody is no passkey",
      missing({ ...mfa, passkeys: ["key"] }, [method("password", fresh), passkey(fresh, false)]),
      [["passkey"]],
    ],
    [
      "a security key is a second factor",
      missing({ password: true, security_keys: ["key"] }, [method("password", fresh)]),
      [["passkey"]],
    ],
    [
      "a provider that asks anew",
      missing({ providers: [entra] }, [method("provider", stale)]),
      [["provider"]],
    ],
    ["a sign-in through it just now", missing({ providers: [entra] }, [method("provider", fresh)]), []],
    [
      "with a password no provider is needed",
      missing({ password: true, providers: [entra] }, [method("password", stale)]),
      [first],
    ],
    [
      "a fresh sign-in there counts all the same",
      missing({ password: true, providers: [entra] }, [method("provider", fresh)]),
      [],
    ],
    [
      "one that the provider did not date does not",
      missing({ providers: [entra] }, [method("provider", fresh, { undated: true })]),
      [["provider"]],
    ],
    [
      "nor at a provider that asks nobody anew",
      missing({ providers: [github] }, [method("provider", fresh, { undated: true })]),
      [["mail_code"]],
    ],
    [
      "a provider that asks nobody anew",
      missing({ providers: [github] }, [method("provider", stale)]),
      [["mail_code"]],
    ],
    [
      "nor the provider of one organization",
      missing({ providers: [{ ...entra, of_organization: true }] }, [
        method("provider", fresh, { of_organization: true }),
      ]),
      [["mail_code"]],
    ],
    ["the mailbox stands in for it", missing({ providers: [github] }, [method("mail_code", fresh)]), []],
    [
      "and for nothing else",
      missing({ ...mfa, providers: [github] }, [method("mail_code", fresh), method("totp", fresh)]),
      [first],
    ],
    [
      "beside it the second factor",
      missing({ totp: ["app"], providers: [github] }, [method("mail_code", fresh)]),
      [["totp"]],
    ],
    ["nothing enrolled", missing({}, [method("provider", stale)]), [["mail_code"]]],
  ];
  for (const [name, found, expected] of cases) assert.deepEqual(found, expected, name);
});
