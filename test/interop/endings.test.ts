/** Ending something at one process ends it there at once, and at every other process within a second. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { decodeJwt } from "jose";
import { type ServedProcess, servedProcess } from "../support/process.ts";
import { type EndingsParty, endingsParty, jwtBearer, manifest, type Refusal, root } from "./endings_party.ts";
import { operatorsKey, places } from "./management.ts";

/** What a case makes and how it ends. */
interface Case {
  /** Ends it through the API of the first process. */
  readonly end: () => Promise<unknown>;
  readonly ended: readonly Refusal[];
  /** What goes on working. */
  readonly unharmed?: readonly Refusal[];
  /** Access tokens whose rows say why they ended. */
  readonly tokens?: readonly string[];
}

for (const place of places) {
  describe(`two processes over one database on ${place.name}`, () => {
    let first: ServedProcess;
    let second: ServedProcess;
    let party: EndingsParty;
    let drop: () => Promise<void>;

    before(async () => {
      const database = await place.open();
      drop = database.drop;
      const environment = {
        ...database.environment,
        POSTERN_EXTRA_GRANTS: jwtBearer,
        // Signing in is asked again and again until it is refused.
        POSTERN_THROTTLE: "off",
      };
      first = await servedProcess({ manifest, environment });
      // The issuer is one, wherever its processes listen.
      const shared = { ...environment, POSTERN_BASE_URL: first.url };
      second = await servedProcess({ folder: first.folder, environment: shared });
      party = endingsParty(first, await operatorsKey(first, root.email));
    });
    after(async () => {
      await Promise.all([first?.stop("SIGKILL"), second?.stop("SIGKILL")]);
      await drop?.();
    });

    /** Ends what the case made and looks on; `reason` is what the rows of its tokens say afterwards. */
    async function ends({ end, ended, unharmed = [], tokens = [] }: Case, reason?: string): Promise<void> {
      // Both processes have seen it and kept what they keep.
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
        const { revoked, revoked_at, revoked_reason } = await party.ask("GET", `tokens/${jti}`);
        assert.equal(revoked, true);
        assert.equal(revoked_reason, reason);
        assert.ok(Date.parse(String(revoked_at)) <= Date.now());
      }
    }

    test("a user who is deactivated can do nothing more, and their tokens say user_disabled", async () => {
      const [person, other] = [await party.aPerson(), await party.aPerson()];
      const app = await party.anApp();
      const [its, others] = [await party.usersToken(person, app), await party.usersToken(other, app)];
      const owned = await party.aKey({ user_id: person.user_id });
      await ends(
        {
          end: party.patch("users", person.user_id),
          ended: [party.token(its), party.signIn(person), party.session(person), party.apiKey(owned)],
          unharmed: [party.token(others), party.signIn(other), party.session(other), party.clientSecret(app)],
          tokens: [its],
        },
        "user_disabled",
      );
    });

    test("an organization that is deactivated takes its apps, keys and service accounts with it: organization_disabled", async () => {
      const organization_id = await party.anOrganization();
      const [person, app, account] = [
        await party.aPerson(),
        await party.anApp({ organization_id }),
        await party.anAccount(organization_id),
      ];
      const owned = await party.aKey({ organization_id });
      const tokens = [
        await party.usersToken(person, app),
        await party.clientsToken(app),
        await party.accountsToken(account),
      ];
      await ends(
        {
          end: party.patch("organizations", organization_id),
          ended: [
            ...tokens.map(party.token),
            party.apiKey(owned),
            party.clientSecret(app),
            party.assertion(account),
          ],
          unharmed: [party.signIn(person), party.session(person)],
          tokens,
        },
        "organization_disabled",
      );
    });

    for (const [title, verb] of [
      ["deactivated", "patch"],
      ["revoked", "revoke"],
    ] as const) {
      test(`an app that is ${title} can do nothing more, and its tokens say app_disabled`, async () => {
        const [person, app, other] = [await party.aPerson(), await party.anApp(), await party.anApp()];
        const tokens = [await party.usersToken(person, app), await party.clientsToken(app)];
        const others = await party.usersToken(person, other);
        await ends(
          {
            end: party[verb]("apps", app.id),
            ended: [...tokens.map(party.token), party.clientSecret(app)],
            unharmed: [party.token(others), party.clientSecret(other), party.session(person)],
            tokens,
          },
          "app_disabled",
        );
      });
    }

    test("a service account that is deactivated gets no more tokens, and those it has say service_account_disabled", async () => {
      const organization_id = await party.anOrganization();
      const [account, other] = [
        await party.anAccount(organization_id),
        await party.anAccount(organization_id),
      ];
      const [its, others] = [await party.accountsToken(account), await party.accountsToken(other)];
      await ends(
        {
          end: party.patch("service-accounts", account.id),
          ended: [party.token(its), party.assertion(account)],
          unharmed: [party.token(others), party.assertion(other)],
          tokens: [its],
        },
        "service_account_disabled",
      );
    });

    test("a consent that is revoked ends the tokens that stand on it: consent_withdrawn", async () => {
      const [person, other, app] = [await party.aPerson(), await party.aPerson(), await party.anApp()];
      const [its, others] = [await party.usersToken(person, app), await party.usersToken(other, app)];
      const own = await party.clientsToken(app);
      const { data } = await party.ask("GET", `consents?user_id=${person.user_id}&app_id=${app.id}`);
      const consents = data as { id: string }[];
      assert.equal(consents.length, 1);
      await ends(
        {
          end: party.revoke("consents", consents[0]?.id ?? ""),
          ended: [party.token(its)],
          unharmed: [party.token(others), party.token(own), party.session(person), party.clientSecret(app)],
          tokens: [its],
        },
        "consent_withdrawn",
      );
    });

    test("a secret that is revoked is refused; the app's other secret and its tokens, which do not stand on it, go on", async () => {
      const app = await party.anApp();
      const added = await party.make("app-secrets", { app_id: app.id });
      const withAdded = { ...app, secret: String(added.secret) };
      const issued = await party.clientsToken(withAdded);
      await ends({
        end: party.revoke("app-secrets", added.id),
        ended: [party.clientSecret(withAdded)],
        unharmed: [party.clientSecret(app), party.token(issued)],
      });
    });

    test("an API key that is revoked is refused, and no other", async () => {
      const [person, organization_id] = [await party.aPerson(), await party.anOrganization()];
      const [users, organizations, other] = [
        await party.aKey({ user_id: person.user_id }),
        await party.aKey({ organization_id }),
        await party.aKey({ user_id: person.user_id }),
      ];
      await ends({
        end: party.revoke("api-keys", users.id),
        ended: [party.apiKey(users)],
        unharmed: [party.apiKey(other), party.apiKey(organizations), party.session(person)],
      });
      await ends({
        end: party.revoke("api-keys", organizations.id),
        ended: [party.apiKey(organizations)],
        unharmed: [party.apiKey(other)],
      });
    });

    for (const [title, verb] of [
      ["deactivated", "patch"],
      ["revoked", "revoke"],
    ] as const) {
      test(`a key pair that is ${title} signs no more assertions, and the tokens it got say key_revoked; the account's other key goes on`, async () => {
        const account = await party.anAccount(await party.anOrganization());
        const other = { ...account, ...(await party.aKeyPair(account.id)) };
        const [its, others] = [await party.accountsToken(account), await party.accountsToken(other)];
        await ends(
          {
            end: party[verb]("key-pairs", account.key_pair_id),
            ended: [party.assertion(account), party.token(its)],
            unharmed: [party.assertion(other), party.token(others)],
            tokens: [its],
          },
          "key_revoked",
        );
      });
    }

    test("a session that is revoked ends, with the tokens that stand on it: logout", async () => {
      const [person, app] = [await party.aPerson(), await party.anApp()];
      const its = await party.usersToken(person, app);
      const { data } = await party.ask("GET", `sessions?user_id=${person.user_id}`);
      const [own] = data as { id: string }[];
      assert.ok(own);
      await ends(
        {
          end: party.revoke("sessions", own.id),
          ended: [party.session(person), party.token(its)],
          unharmed: [party.signIn(person), party.clientSecret(app)],
          tokens: [its],
        },
        "logout",
      );
    });
  });
}
