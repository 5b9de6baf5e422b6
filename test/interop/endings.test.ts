/** Records that end at one process end there immediately, and at every other process within a second. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { decodeJwt } from "jose";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import {
  type EndingsFixture,
  endingsFixture,
  jwtBearer,
  manifest,
  type Refusal,
  root,
} from "./endings_fixture.ts";
import { operatorsKey, placesInForm } from "./management.ts";

/** The records of a case, and how to end them. */
interface Case {
  /** Ends the record through the API of the first process. */
  readonly end: () => Promise<unknown>;
  readonly ended: readonly Refusal[];
  /** The records that stay valid. */
  readonly unharmed?: readonly Refusal[];
  /** Access tokens whose rows contain the reason of their end. */
  readonly tokens?: readonly string[];
}

for (const place of placesInForm) {
  describe(`deactivation and revocation across two processes on ${place.name}`, () => {
    let first: ServedProcess;
    let second: ServedProcess;
    let fixture: EndingsFixture;
    let drop: () => Promise<void>;

    before(async () => {
      const database = await place.open();
      drop = database.drop;
      const environment = {
        ...database.environment,
        POSTERN_EXTRA_GRANTS: jwtBearer,
        // Throttling is off, because the test repeats a sign-in until it is refused.
        POSTERN_THROTTLE: "off",
      };
      first = await servedProcess({ manifest, environment });
      // All processes have the same issuer, whatever their addresses.
      const shared = { ...environment, POSTERN_BASE_URL: first.url };
      second = await servedProcess({ folder: first.folder, environment: shared });
      fixture = endingsFixture(first, await operatorsKey(first, root.email));
    });
    after(async () => {
      await Promise.all([first?.stop("SIGKILL"), second?.stop("SIGKILL")]);
      await drop?.();
    });

    /**
     * Ends the records of a case, and checks the effects. `reason` is stored in the rows of its tokens
     * afterwards.
     */
    async function ends({ end, ended, unharmed = [], tokens = [] }: Case, reason?: string): Promise<void> {
      // First, both processes accept every credential, and read the records into their caches.
      for (const server of [first, second]) {
        for (const { what, isRefused } of [...ended, ...unharmed]) {
          assert.equal(await isRefused(server), false, `${what}, before anything has ended`);
        }
      }
      await end();
      const since = performance.now();
      const refusedAtSecond = ended.map(async ({ what, isRefused }) => {
        for (;;) {
          const requested = performance.now() - since;
          if (await isRefused(second)) return;
          assert.ok(requested < 1000, `${what}, within a second at the other process`);
          await wait(25);
        }
      });
      await Promise.all([
        ...ended.map(async ({ what, isRefused }) =>
          assert.equal(await isRefused(first), true, `${what}, at once`),
        ),
        ...refusedAtSecond,
      ]);
      for (const server of [first, second]) {
        for (const { what, isRefused } of unharmed) {
          assert.equal(await isRefused(server), false, `${what}, which goes on`);
        }
      }
      for (const text of tokens) {
        const { jti } = decodeJwt(text);
        const { revoked, revoked_at, revoked_reason } = await fixture.ask("GET", `tokens/${jti}`);
        assert.equal(revoked, true);
        assert.equal(revoked_reason, reason);
        assert.ok(Date.parse(String(revoked_at)) <= Date.now());
      }
    }

    test("a deactivated user can no longer do anything, and introspection gives the reason user_disabled", async () => {
      const [person, other] = [await fixture.aPerson(), await fixture.aPerson()];
      const app = await fixture.anApp();
      const [its, others] = [await fixture.usersToken(person, app), await fixture.usersToken(other, app)];
      const owned = await fixture.aKey({ user_id: person.user_id });
      await ends(
        {
          end: fixture.patch("users", person.user_id),
          ended: [fixture.token(its), fixture.signIn(person), fixture.session(person), fixture.apiKey(owned)],
          unharmed: [
            fixture.token(others),
            fixture.signIn(other),
            fixture.session(other),
            fixture.clientSecret(app),
          ],
          tokens: [its],
        },
        "user_disabled",
      );
    });

    test("deactivating an organization disables its apps, keys and service accounts, as organization_disabled", async () => {
      const organization_id = await fixture.anOrganization();
      const [person, app, account] = [
        await fixture.aPerson(),
        await fixture.anApp({ organization_id }),
        await fixture.anAccount(organization_id),
      ];
      const owned = await fixture.aKey({ organization_id });
      const tokens = [
        await fixture.usersToken(person, app),
        await fixture.clientsToken(app),
        await fixture.accountsToken(account),
      ];
      await ends(
        {
          end: fixture.patch("organizations", organization_id),
          ended: [
            ...tokens.map(fixture.token),
            fixture.apiKey(owned),
            fixture.clientSecret(app),
            fixture.assertion(account),
          ],
          unharmed: [fixture.signIn(person), fixture.session(person)],
          tokens,
        },
        "organization_disabled",
      );
    });

    for (const [title, verb] of [
      ["deactivated", "patch"],
      ["revoked", "revoke"],
    ] as const) {
      test(`an app that is ${title} can no longer do anything, and its tokens are inactive as app_disabled`, async () => {
        const [person, app, other] = [await fixture.aPerson(), await fixture.anApp(), await fixture.anApp()];
        const tokens = [await fixture.usersToken(person, app), await fixture.clientsToken(app)];
        const others = await fixture.usersToken(person, other);
        await ends(
          {
            end: fixture[verb]("apps", app.id),
            ended: [...tokens.map(fixture.token), fixture.clientSecret(app)],
            unharmed: [fixture.token(others), fixture.clientSecret(other), fixture.session(person)],
            tokens,
          },
          "app_disabled",
        );
      });
    }

    test("a deactivated service account gets no tokens, and existing ones are inactive as service_account_disabled", async () => {
      const organization_id = await fixture.anOrganization();
      const [account, other] = [
        await fixture.anAccount(organization_id),
        await fixture.anAccount(organization_id),
      ];
      const [its, others] = [await fixture.accountsToken(account), await fixture.accountsToken(other)];
      await ends(
        {
          end: fixture.patch("service-accounts", account.id),
          ended: [fixture.token(its), fixture.assertion(account)],
          unharmed: [fixture.token(others), fixture.assertion(other)],
          tokens: [its],
        },
        "service_account_disabled",
      );
    });

    test("revoking a consent ends the tokens that depend on it, as consent_withdrawn", async () => {
      const [person, other, app] = [await fixture.aPerson(), await fixture.aPerson(), await fixture.anApp()];
      const [its, others] = [await fixture.usersToken(person, app), await fixture.usersToken(other, app)];
      const own = await fixture.clientsToken(app);
      const { data } = await fixture.ask("GET", `consents?user_id=${person.user_id}&app_id=${app.id}`);
      const consents = data as { id: string }[];
      assert.equal(consents.length, 1);
      await ends(
        {
          end: fixture.revoke("consents", consents[0]?.id ?? ""),
          ended: [fixture.token(its)],
          unharmed: [
            fixture.token(others),
            fixture.token(own),
            fixture.session(person),
            fixture.clientSecret(app),
          ],
          tokens: [its],
        },
        "consent_withdrawn",
      );
    });

    test("a revoked client secret is refused, while the app's other secret and its tokens stay valid", async () => {
      const app = await fixture.anApp();
      const added = await fixture.make("app-secrets", { app_id: app.id });
      const withAdded = { ...app, secret: String(added.secret) };
      const issued = await fixture.clientsToken(withAdded);
      await ends({
        end: fixture.revoke("app-secrets", added.id),
        ended: [fixture.clientSecret(withAdded)],
        unharmed: [fixture.clientSecret(app), fixture.token(issued)],
      });
    });

    test("a revoked API key is refused, and other keys still work", async () => {
      const [person, organization_id] = [await fixture.aPerson(), await fixture.anOrganization()];
      const [users, organizations, other] = [
        await fixture.aKey({ user_id: person.user_id }),
        await fixture.aKey({ organization_id }),
        await fixture.aKey({ user_id: person.user_id }),
      ];
      await ends({
        end: fixture.revoke("api-keys", users.id),
        ended: [fixture.apiKey(users)],
        unharmed: [fixture.apiKey(other), fixture.apiKey(organizations), fixture.session(person)],
      });
      await ends({
        end: fixture.revoke("api-keys", organizations.id),
        ended: [fixture.apiKey(organizations)],
        unharmed: [fixture.apiKey(other)],
      });
    });

    for (const [title, verb] of [
      ["deactivated", "patch"],
      ["revoked", "revoke"],
    ] as const) {
      test(`a key pair that is ${title} signs no assertions, its tokens end as key_revoked, and other keys still work`, async () => {
        const account = await fixture.anAccount(await fixture.anOrganization());
        const other = { ...account, ...(await fixture.aKeyPair(account.id)) };
        const [its, others] = [await fixture.accountsToken(account), await fixture.accountsToken(other)];
        await ends(
          {
            end: fixture[verb]("key-pairs", account.key_pair_id),
            ended: [fixture.assertion(account), fixture.token(its)],
            unharmed: [fixture.assertion(other), fixture.token(others)],
            tokens: [its],
          },
          "key_revoked",
        );
      });
    }

    test("a revoked session and the tokens that depend on it end, as logout", async () => {
      const [person, app] = [await fixture.aPerson(), await fixture.anApp()];
      const its = await fixture.usersToken(person, app);
      const { data } = await fixture.ask("GET", `sessions?user_id=${person.user_id}`);
      const [own] = data as { id: string }[];
      assert.ok(own);
      await ends(
        {
          end: fixture.revoke("sessions", own.id),
          ended: [fixture.session(person), fixture.token(its)],
          unharmed: [fixture.signIn(person), fixture.clientSecret(app)],
          tokens: [its],
        },
        "logout",
      );
    });
  });
}
