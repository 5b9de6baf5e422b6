/** Nobody who prepared an account under somebody else's address holds any part of it afterwards. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { unlinkAccount } from "../../../src/identity/providers/linked_accounts.ts";
import {
  type AnswerOutcome,
  answerStep,
  type Returned,
  takeStep,
} from "../../../src/identity/providers/provider_steps.ts";
import {
  checkMailboxCode,
  findWaitingAccount,
  keepAccount,
  makeMailboxCode,
} from "../../../src/identity/providers/waiting_account.ts";
import { findSession, startSession } from "../../../src/identity/sessions.ts";
import { signIn } from "../../../src/identity/sign_in.ts";
import type { User } from "../../../src/records/definition.ts";
import { testServer } from "../../support/authorization_server.ts";
import { aUser } from "../../support/builders.ts";
import { databases } from "../../support/databases.ts";
import {
  aProvider,
  origin,
  scriptedBrowser,
  scriptedLeg,
  upstreamPerson,
} from "../../support/scripted_providers.ts";

const address = "victim@firm.example";
const passwords = { attacker: "the attacker's own words", victim: "the victim's own words" };

const steps = [
  "attacker registers",
  "attacker signs in",
  "attacker links",
  "attacker comes by provider",
  "attacker unlinks",
  "victim comes by provider",
  "victim comes by another provider",
  "victim sets a password",
  "victim signs in",
  "victim unlinks",
  "victim moves the address away",
  "victim deletes",
] as const;
type StepName = (typeof steps)[number];

const [sqlite] = databases;

async function world() {
  assert.ok(sqlite);
  const { server, clock } = await testServer(await sqlite.open());
  const { store, passwords: hasher, sealer, now, report } = server;
  const leg = scriptedLeg();
  const context = { store, passwords: hasher, sealer, now, report, throttle: false, provider_leg: leg };
  const trusted = await aProvider(store, { slug: "trusted" });
  const doubtful = await aProvider(store, { slug: "doubtful", email_trust: "never" });
  return { store, context, leg, clock, trusted, doubtful };
}

type World = Awaited<ReturnType<typeof world>>;

/** Plays the steps, and answers what the attacker holds of an account that the victim has been let into. */
async function play(order: readonly StepName[], it: World): Promise<string[]> {
  const { store, context, leg, clock, trusted, doubtful } = it;
  const cookies = { attacker: [] as string[], victim: [] as string[] };
  /** Accounts into which the victim was let. */
  const victims = new Set<string>();

  const here = async (who: "attacker" | "victim") => {
    for (const cookie of cookies[who].toReversed()) {
      const found = await findSession(cookie, context);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  function enter(who: "attacker" | "victim", outcome: AnswerOutcome): void {
    const cookie =
      outcome.type === "entered" && outcome.entered.type === "signed_in"
        ? outcome.entered.cookie
        : outcome.type === "joined"
          ? outcome.cookie
          : undefined;
    if (cookie !== undefined) cookies[who].push(cookie);
  }

  /** Goes to a provider and back, and does all that the pages offer. */
  async function visit(who: "attacker" | "victim", provider: typeof trusted, trusting: boolean) {
    const browser = scriptedBrowser(context, leg);
    const email_verdict = trusting ? "verified" : "none";
    const person = upstreamPerson({ subject: who, email: address, email_verdict });
    const signedIn = await here(who);
    const returned = await browser.visit(provider, person, { signedIn });
    const first = await takeStep(returned, context);
    enter(who, first);
    if (first.type === "entered" || first.type === "refuse_inactive") return;
    const cookie = await keepAccount(provider, returned.account, context);
    const waiting = await findWaitingAccount(provider, cookie, context);
    assert.ok(waiting);
    let now: Returned = { ...returned, proof: waiting };
    const sent = await makeMailboxCode({ email: address, cookie, origin }, waiting, provider, context);
    assert.ok(sent.type === "mail");
    // The mailbox is the victim's.
    const code = who === "victim" ? sent.code : "0000 0001";
    const checked = await checkMailboxCode({ code, cookie }, waiting, provider, context);
    if (checked.type === "right") {
      now = { ...returned, account: checked.waiting.data, proof: checked.waiting };
      enter(who, await takeStep(now, context));
    }
    for (const answer of [{ type: "link" }, { type: "switch" }, { type: "create", name: who }] as const) {
      enter(who, await answerStep(answer, { ...now, signedIn: await here(who) }, context));
    }
  }

  async function byPassword(who: "attacker" | "victim"): Promise<void> {
    const outcome = await signIn({ email: address, password: passwords[who], origin }, context);
    if (outcome.type !== "signed_in") return;
    const { user, methods } = outcome;
    const { cookie } = await startSession({ user, methods, origin }, context);
    cookies[who].push(cookie);
  }

  async function unlink(who: "attacker" | "victim"): Promise<void> {
    const signedIn = await here(who);
    if (signedIn === undefined) return;
    for (const link of await store.list("oauth_accounts", { user_id: signedIn.user.id })) {
      await unlinkAccount(link, signedIn, origin, context);
    }
  }

  const account = (): Promise<User | undefined> => store.find("users", { email_key: address });
  const plays: Readonly<Record<StepName, () => Promise<unknown>>> = {
    async "attacker registers"() {
      if ((await account()) !== undefined) return;
      const password_hash = await context.passwords.hash(passwords.attacker);
      await aUser(store, { email: address, email_key: address, password_hash });
    },
    "attacker signs in": () => byPassword("attacker"),
    async "attacker links"() {
      const signedIn = await here("attacker");
      if (signedIn === undefined) return;
      const person = upstreamPerson({ subject: "attacker", email: "attacker@else.example" });
      const asked = { purpose: "link", signedIn } as const;
      await takeStep(await scriptedBrowser(context, leg).visit(doubtful, person, asked), context);
    },
    "attacker comes by provider": () => visit("attacker", doubtful, false),
    "attacker unlinks": () => unlink("attacker"),
    "victim comes by provider": () => visit("victim", trusted, true),
    "victim comes by another provider": () => visit("victim", doubtful, false),
    async "victim sets a password"() {
      const signedIn = await here("victim");
      if (signedIn === undefined) return;
      const password_hash = await context.passwords.hash(passwords.victim);
      await store.update("users", { id: signedIn.user.id }, { password_hash });
    },
    "victim signs in": () => byPassword("victim"),
    "victim unlinks": () => unlink("victim"),
    async "victim moves the address away"() {
      const signedIn = await here("victim");
      if (signedIn === undefined) return;
      const email = "victim@moved.example";
      if ((await store.find("users", { email_key: email })) !== undefined) return;
      await store.update("users", { id: signedIn.user.id }, { email, email_key: email });
    },
    async "victim deletes"() {
      const signedIn = await here("victim");
      if (signedIn !== undefined) await store.remove("users", { id: signedIn.user.id });
    },
  };

  for (const step of order) {
    clock.advance(1);
    await plays[step]();
    const signedIn = await here("victim");
    if (signedIn !== undefined) victims.add(signedIn.user.id);
  }

  const held: string[] = [];
  for (const cookie of cookies.attacker) {
    const found = await findSession(cookie, context);
    if (found !== undefined && victims.has(found.user.id)) held.push("a session");
  }
  for (const link of await store.list("oauth_accounts", { provider_user_id: "attacker" })) {
    if (victims.has(link.user_id)) held.push("a link");
  }
  for (const id of victims) {
    const user = await store.find("users", { id });
    if (user?.password_hash == null) continue;
    const opens = await context.passwords.verify(user.password_hash, passwords.attacker, "sign_in", "test");
    if (opens) held.push("the password");
  }
  return held;
}

describe("pre-hijacking", () => {
  test("EP-11: in no order of seven steps does the attacker hold a part of the victim's account", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 2, maxLength: 7 }), async (order) => {
        assert.deepEqual(await play(order, await world()), [], order.join(", "));
      }),
      { numRuns: 50 },
    );
  });

  test("EP-11: known preparations leave the attacker nothing, and the victim gets in", async () => {
    const orders: readonly (readonly StepName[])[] = [
      ["attacker registers", "attacker signs in", "victim comes by provider"],
      ["attacker registers", "attacker signs in", "attacker links", "victim comes by provider"],
      ["attacker comes by provider", "victim comes by provider", "attacker comes by provider"],
      ["victim comes by provider", "victim unlinks", "attacker comes by provider", "attacker registers"],
      [
        "victim comes by provider",
        "victim moves the address away",
        "attacker registers",
        "attacker signs in",
      ],
    ];
    for (const order of orders) {
      assert.deepEqual(await play(order, await world()), [], order.join(", "));
    }
  });
});
