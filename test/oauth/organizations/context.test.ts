import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { authorize } from "../../../src/oauth/authorize/authorize.ts";
import { answerConsent } from "../../../src/oauth/authorize/consent.ts";
import { readForm } from "../../../src/oauth/core/params.ts";
import type { OAuthApp, User } from "../../../src/records/definition/definition.ts";
import { type OrganizationMode, organizationModes } from "../../../src/records/names/names.ts";
import { serverOn, type TestServer } from "../../support/authorization_server.ts";
import { aMembership, anApp, anOrganization, aUser } from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";
import {
  ask,
  authorizeParameters,
  formOf,
  origin,
  type Parameters,
  redirected,
  signedIn,
} from "../../support/flows.ts";
import { aClientFixture, claimsAt, claimsOf, refusal } from "../client_fixture.ts";

const scope = "openid organization roles";
const allowed_scopes = ["openid", "organization", "roles", "orders:read"];
const first_party = true;

/** Creates a member of `count` organizations. */
async function memberOf(as: TestServer, count: number): Promise<User> {
  const user = await aUser(as.store);
  for (let at = 0; at < count; at += 1) await aMembership(as.store, { user_id: user.id });
  return user;
}

const organizationsOf = async (as: TestServer, { id: user_id }: User) =>
  (await as.store.list("memberships", { user_id })).map(({ organization_id }) => organization_id);

for (const database of databases)
  describe(`the organization of a request, on ${database.name}`, () => {
    const as = serverOn(database);
    const users = new Map<number, User>();
    before(async () => {
      for (const count of [0, 1, 2, 200]) users.set(count, await memberOf(as, count));
    });

    /** Returns the result of a request: the organization of its code, the error, or the page. */
    async function outcomeOf(user: User, app: OAuthApp, given: Parameters): Promise<string> {
      const outcome = await ask(as, await signedIn(as, user), authorizeParameters(app, given));
      if (outcome.type !== "redirect") return outcome.type;
      const answer = redirected(outcome);
      const error = answer.get("error");
      if (error !== null) return error;
      const [code] = await as.store.list("oauth_auth_codes", { app_id: app.id, user_id: user.id });
      assert.ok(code);
      return code.membership_id === null ? "none" : "one";
    }

    /**
     * For each mode: the results without a requested organization, for 0, 1 and more memberships. With
     * `prompt=none`, an error replaces the page.
     */
    const unasked: Readonly<Record<OrganizationMode, readonly [string, string, string]>> = {
      none: ["none", "none", "none"],
      optional: ["none", "none", "none"],
      auto: ["none", "one", "select_organization"],
      required: ["access_denied", "one", "select_organization"],
    };
    for (const mode of organizationModes)
      for (const [place, count] of [0, 1, 2, 200].entries())
        for (const prompt of [undefined, "none", "consent"]) {
          test(`OC-1: the result of a request with mode ${mode}, ${count} memberships and prompt=${prompt}`, async () => {
            const user = users.get(count);
            assert.ok(user);
            const fresh = () => anApp(as.store, { first_party, allowed_scopes, organization_mode: mode });
            const page = unasked[mode][Math.min(place, 2)] ?? "";
            const silent = page === "select_organization" ? "interaction_required" : page;
            const usual = prompt === "none" ? silent : page;
            const expected = prompt === "consent" && (page === "none" || page === "one") ? "consent" : usual;
            assert.equal(await outcomeOf(user, await fresh(), { scope, prompt }), expected);
            const asked = prompt === "consent" ? "consent" : mode === "none" ? "none" : "one";
            for (const id of (await organizationsOf(as, user)).slice(-1))
              assert.equal(await outcomeOf(user, await fresh(), { scope, prompt, organization: id }), asked);
            const stranger = await anOrganization(as.store);
            const refused = mode === "none" ? asked : "access_denied";
            const other = prompt === "consent" && mode === "none" ? "consent" : refused;
            for (const organization of [stranger.id, stranger.slug, "no-such"])
              assert.equal(await outcomeOf(user, await fresh(), { scope, prompt, organization }), other);
          });
        }

    test("OC-1: a foreign, an inactive and an unknown organization are refused with the same error", async () => {
      const app = await anApp(as.store, { first_party, allowed_scopes, organization_mode: "optional" });
      const user = await memberOf(as, 1);
      const other = await anOrganization(as.store);
      const off = await aMembership(as.store, {
        user_id: user.id,
        organization_id: (await anOrganization(as.store, { active: false })).id,
      });
      const texts = new Set<string>();
      for (const organization of [
        other.id,
        other.slug,
        off.organization_id,
        "unknown",
        "00000000-0000-7000-8000-000000000000",
      ]) {
        const parameters = authorizeParameters(app, { scope, organization });
        const answer = redirected(await ask(as, await signedIn(as, user), parameters));
        answer.delete("error_uri");
        texts.add(answer.toString());
      }
      assert.equal(texts.size, 1);
      assert.match([...texts].join(), /error=access_denied/);
    });

    test("OC-1: the scope organization:<slug> works like the parameter organization, and both must agree", async () => {
      const {
        app,
        user,
        flow,
        test: at,
        who,
      } = await aClientFixture(as, {
        first_party,
        allowed_scopes,
        organization_mode: "optional",
      });
      const one = await anOrganization(as.store);
      const two = await anOrganization(as.store);
      await aMembership(as.store, { user_id: user.id, organization_id: one.id, role: "admin" });
      const tokens = await flow({ scope: `openid organization:${one.slug}` });
      assert.equal(tokens.scope, "openid organization");
      assert.deepEqual(claimsOf(tokens.id_token ?? "").organization, {
        id: one.id,
        slug: one.slug,
        name: "Acme",
      });
      const both = { scope: `openid organization:${one.slug}`, organization: two.slug };
      const answer = redirected(await ask(at, who, authorizeParameters(app, both)));
      assert.equal(answer.get("error"), "invalid_request");
    });

    test("OC-1: the organization page finds organizations by name and slug, and lists the last used one first", async () => {
      const { app, user, flow, who } = await aClientFixture(as, {
        first_party,
        allowed_scopes,
        organization_mode: "auto",
      });
      const names = Array.from({ length: 30 }, (_, index) => `Firm ${String(index).padStart(2, "0")}`);
      const ids: string[] = [];
      for (const name of names) {
        const organization = await anOrganization(as.store, { name });
        ids.push(organization.id);
        await aMembership(as.store, { user_id: user.id, organization_id: organization.id });
      }
      const form = formOf(authorizeParameters(app, { scope }));
      const shown = async (organization = {}) => {
        const url = `/oauth/authorize?${form}`;
        const input = { params: readForm(form), url, signedIn: who, origin, organization };
        const outcome = await authorize(input, as.server);
        assert.equal(outcome.type, "select_organization");
        return outcome.type === "select_organization" ? outcome : assert.fail();
      };
      const first = await shown();
      assert.deepEqual(
        first.organizations.map(({ name }) => name),
        names.slice(0, 20),
      );
      assert.deepEqual([first.more, first.last], [true, undefined]);
      await flow({ scope, organization: ids[25] });
      const again = await shown();
      assert.deepEqual([again.last, again.organizations[0]?.name], [ids[25], "Firm 25"]);
      const found = await shown({ search: "firm 2" });
      assert.equal(found.more, false);
      assert.deepEqual(found.organizations.map(({ name }) => name).toSorted(), names.slice(20));
      assert.deepEqual((await shown({ search: "100%_" })).organizations, []);
    });

    test("OC-1: the user's choice is checked when it is sent, and cannot be a foreign organization", async () => {
      const user = await memberOf(as, 2);
      const app = await anApp(as.store, { first_party, allowed_scopes, organization_mode: "required" });
      const [own] = await organizationsOf(as, user);
      const form = formOf(authorizeParameters(app, { scope }));
      const choose = async (chosen: string | undefined) =>
        redirected(
          await authorize(
            {
              params: readForm(form),
              url: `/oauth/authorize?${form}`,
              signedIn: await signedIn(as, user),
              origin,
              organization: { chosen },
            },
            as.server,
          ),
        );
      assert.ok((await choose(own)).has("code"));
      const other = await anOrganization(as.store);
      assert.equal((await choose(other.id)).get("error"), "access_denied");
    });

    test("OC-2: tokens of two tabs keep their different organizations in all claims and through refreshes", async () => {
      const fixture = await aClientFixture(as, { allowed_scopes, organization_mode: "auto" });
      const memberships = [];
      for (const role of ["owner", "member"])
        memberships.push(await aMembership(as.store, { user_id: fixture.user.id, role }));
      const starts = await Promise.all(
        memberships.map(({ organization_id }) => fixture.flow({ scope, organization: organization_id })),
      );
      const refreshed = await Promise.all(starts.map(({ refresh_token }) => fixture.refresh(refresh_token)));
      for (const [index, { organization_id: id, role }] of memberships.entries()) {
        for (const tokens of [starts[index], refreshed[index]]) {
          assert.ok(tokens?.id_token);
          for (const token of [tokens.id_token, tokens.access_token]) {
            const claims = claimsOf(token);
            assert.equal((claims.organization as { id: string }).id, id);
            assert.deepEqual(claims.roles, [role]);
          }
        }
        const { access_token = "" } = refreshed[index] ?? {};
        for (const told of [await claimsAt(as, access_token), await fixture.introspect(access_token)]) {
          const claims = told as Record<string, unknown>;
          assert.equal((claims.organization as { id: string }).id, id);
          assert.deepEqual(claims.roles, [role]);
        }
      }
    });

    test("OC-2: a refresh can change the organization only to another one of the user's", async () => {
      const fixture = await aClientFixture(as, { first_party, allowed_scopes, organization_mode: "auto" });
      const one = await aMembership(as.store, { user_id: fixture.user.id });
      const two = await aMembership(as.store, { user_id: fixture.user.id, role: "admin" });
      const stranger = await aMembership(as.store);
      let { refresh_token } = await fixture.flow({ scope, organization: one.organization_id });
      const moved = await fixture.refresh(refresh_token, { organization: two.organization_id });
      assert.deepEqual(claimsOf(moved.access_token).roles, ["admin"]);
      assert.equal(moved.scope, scope);
      refresh_token = moved.refresh_token;
      await assert.rejects(
        fixture.refresh(refresh_token, { organization: stranger.organization_id }),
        refusal("access_denied", /not a member of the requested organization/),
      );
      const kept = await fixture.refresh(refresh_token);
      assert.deepEqual(claimsOf(kept.access_token).roles, ["admin"]);
      const rows = await as.store.list("oauth_tokens", { app_id: fixture.app.id });
      assert.deepEqual(
        rows.map(({ membership_id }) => membership_id).toSorted(),
        [one.id, two.id, two.id].toSorted(),
      );
    });

    test("OC-2: within the reuse window, a tab never gets tokens for the organization of another tab", async () => {
      const metadata = { refresh_reuse_window: 30 };
      const fixture = await aClientFixture(as, {
        first_party,
        allowed_scopes,
        organization_mode: "auto",
        metadata,
      });
      const one = await aMembership(as.store, { user_id: fixture.user.id });
      const two = await aMembership(as.store, { user_id: fixture.user.id });
      const { refresh_token } = await fixture.flow({ scope, organization: one.organization_id });
      const first = await fixture.refresh(refresh_token);
      await assert.rejects(
        fixture.refresh(refresh_token, { organization: two.organization_id }),
        refusal("invalid_request", /for another organization/),
      );
      assert.deepEqual(await fixture.refresh(refresh_token), first);
    });

    test("OC-1: a client without consent does not learn of the user's memberships", async () => {
      const app = await anApp(as.store, { allowed_scopes, organization_mode: "required" });
      const foreign = await anOrganization(as.store);
      for (const user of users.values())
        for (const organization of [
          undefined,
          foreign.slug,
          "unknown",
          ...(await organizationsOf(as, user)).slice(0, 1),
        ])
          assert.equal(
            await outcomeOf(user, app, { scope, prompt: "none", organization }),
            "consent_required",
          );
      const fixture = await aClientFixture(as, { allowed_scopes, organization_mode: "auto" });
      const one = await aMembership(as.store, { user_id: fixture.user.id });
      const two = await aMembership(as.store, { user_id: fixture.user.id });
      const { refresh_token } = await fixture.flow({ scope, organization: one.organization_id });
      for (const organization of [foreign.slug, "unknown", two.organization_id])
        await assert.rejects(fixture.refresh(refresh_token, { organization }), refusal("consent_required"));
    });

    test("OC-1: refreshed tokens of an app that no longer uses organizations have no organization", async () => {
      const fixture = await aClientFixture(as, {
        allowed_scopes,
        organization_mode: "auto",
        first_party: true,
      });
      await aMembership(as.store, { user_id: fixture.user.id });
      const { access_token, refresh_token } = await fixture.flow({ scope });
      assert.ok(claimsOf(access_token).organization);
      await as.store.update("oauth_apps", { id: fixture.app.id }, { organization_mode: "none" });
      const refreshed = await fixture.refresh(refresh_token);
      assert.equal(claimsOf(refreshed.access_token).organization, undefined);
    });

    test("OC-3: a consent given for one organization is requested again for another", async () => {
      const fixture = await aClientFixture(as, { allowed_scopes, organization_mode: "auto" });
      const one = await aMembership(as.store, { user_id: fixture.user.id });
      const two = await aMembership(as.store, { user_id: fixture.user.id });
      const { refresh_token } = await fixture.flow({ scope, organization: one.organization_id });
      const asks = (organization: string) =>
        ask(as, fixture.who, authorizeParameters(fixture.app, { scope, organization }));
      assert.equal((await asks(one.organization_id)).type, "redirect");
      const question = await asks(two.organization_id);
      assert.ok(question.type === "consent");
      assert.equal(question.organization?.id, two.organization_id);
      await assert.rejects(
        fixture.refresh(refresh_token, { organization: two.organization_id }),
        refusal("consent_required"),
      );
      // A request for only OpenID Connect scopes is refused too: it would move the whole family to the other
      // organization, and later requests could get the other scopes.
      await assert.rejects(
        fixture.refresh(refresh_token, { organization: two.organization_id, scope: "openid" }),
        refusal("consent_required"),
      );
      const { form } = question;
      await answerConsent({ form, decision: "allow", signedIn: fixture.who, origin }, as.server);
      const moved = await fixture.refresh(refresh_token, { organization: two.organization_id });
      assert.equal((claimsOf(moved.access_token).organization as { id: string }).id, two.organization_id);
    });
  });
