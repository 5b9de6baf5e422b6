import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkNew } from "../../src/records/formats/check.ts";
import { signUpErrors, signUpOf } from "../../src/records/formats/sign_up.ts";

const errorsOf = (sign_up: unknown) => signUpErrors({ sign_up }).map(({ path, code }) => `${path} ${code}`);

describe("an organization's sign_up setting", () => {
  test("SS-1 only a known policy with its domains is accepted", () => {
    for (const fine of [
      undefined,
      { policy: "open" },
      { policy: "closed" },
      { policy: "domains", domains: ["example.com", "münchen.example"] },
    ])
      assert.deepEqual(errorsOf(fine), [], JSON.stringify(fine));
    const cases: [unknown, string[]][] = [
      ["open", ["/settings/sign_up not_object"]],
      [null, ["/settings/sign_up not_object"]],
      [{}, ["/settings/sign_up/policy not_one_of"]],
      [{ policy: "anybody" }, ["/settings/sign_up/policy not_one_of"]],
      [{ policy: "open", roles: [] }, ["/settings/sign_up/roles unknown_field"]],
      [{ policy: "domains" }, ["/settings/sign_up/domains required"]],
      [{ policy: "domains", domains: "example.com" }, ["/settings/sign_up/domains not_list_of_strings"]],
      [
        { policy: "domains", domains: ["example.com", "*.example.com", "localhost", "a@b.example", "x,y.z"] },
        [1, 2, 3, 4].map((index) => `/settings/sign_up/domains/${index} not_mail_domain`),
      ],
      [
        { policy: "domains", domains: Array.from({ length: 101 }, (_, index) => `d${index}.example`) },
        ["/settings/sign_up/domains list_too_long"],
      ],
    ];
    for (const [sign_up, errors] of cases) assert.deepEqual(errorsOf(sign_up), errors);
  });

  test("SS-1 the sign-up policy is checked whenever an organization is written", () => {
    const checked = checkNew(
      "organizations",
      { name: "Acme", slug: "acme", settings: { sign_up: { policy: "domains", domains: ["*"] } } },
      { id: "0190a000-0000-7000-8000-000000000000" },
    );
    const paths = checked.errors.map(({ path }) => path);
    assert.ok(paths.includes("/settings/sign_up/domains/0"), paths.join());
  });

  test("SS-1 a sign_up value that was stored before the setting existed allows no sign-up", () => {
    const id = "0190a000-0000-7000-8000-000000000000";
    assert.equal(signUpOf({ id, settings: null }), undefined);
    assert.equal(signUpOf({ id, settings: { theme: "dark" } }), undefined);
    assert.equal(signUpOf({ id, settings: { sign_up: true } })?.policy, "closed");
    const rule = { policy: "domains", domains: ["example.com"] };
    assert.deepEqual(signUpOf({ id, settings: { sign_up: rule } }), { ...rule, organization_id: id });
  });
});
