/**
 * The steps of an attacker and of the owner of a mailbox, through the functions that the pages call. Nothing
 * here writes to the store except to restore an earlier state.
 */
import assert from "node:assert/strict";
import { isInviterActive } from "../../../src/admin/changes/inviters.ts";
import { updateRecord } from "../../../src/admin/manage/manage.ts";
import { removeDueUsers } from "../../../src/admin/records/due_deletions.ts";
import { requestDeletion } from "../../../src/admin/records/own_deletion.ts";
import { createUser } from "../../../src/admin/records/users.ts";
import { users } from "../../../src/admin/resources/people.ts";
import { sha256Base64url } from "../../../src/crypto/digest.ts";
import { Problem } from "../../../src/errors.ts";
import { confirmEmail, requestEmailChange } from "../../../src/people/account/email/change_email.ts";
import { undoEmail } from "../../../src/people/account/email/undo_email.ts";
import { makeResetMail, resetPassword } from "../../../src/people/authenticators/password/password_reset.ts";
import type { IdentityContext } from "../../../src/people/core/context/context.ts";
import { newFormCookie } from "../../../src/people/core/form_tokens.ts";
import type { Provider } from "../../../src/people/core/proofs/provider_account.ts";
import { findSession, startSession } from "../../../src/people/core/sessions.ts";
import { offerUndo, undoDeletion } from "../../../src/people/core/undo_deletion.ts";
import { register } from "../../../src/people/entry/register.ts";
import { makeRegistrationMail } from "../../../src/people/entry/request_registration.ts";
import { signIn } from "../../../src/people/entry/sign_in.ts";
import { unlinkAccount } from "../../../src/people/providers/linked_accounts.ts";
import {
  type AnswerOutcome,
  answerStep,
  type Returned,
  takeStep,
} from "../../../src/people/providers/provider_steps.ts";
import {
  checkMailboxCode,
  findWaitingAccount,
  makeMailboxCode,
  storeAccount,
} from "../../../src/people/providers/waiting_account.ts";
import { type TableName, tables } from "../../../src/records/definition/definition.ts";
import type { SignedIn } from "../../../src/records/definition/request_origin.ts";
import type { Store } from "../../../src/storage/store.ts";
import { testContext } from "../../admin/context.ts";
import { testServer } from "../../support/authorization_server.ts";
import {
  aProvider,
  origin,
  scriptedBrowser,
  scriptedClient,
  upstreamPerson,
} from "../../support/scripted_providers.ts";

export type Who = "attacker" | "victim";

const address = "victim@firm.example";
const moved = "victim@moved.example";
const own = "attacker@else.example";
const passwords = { attacker: "the attacker's own words", victim: "the victim's own words" } as const;

/** Tokens by purpose, the newest of each mailbox and kind. All of them are mailed to the victim. */
type Mailbox = Partial<
  Record<"registration" | "reset" | "address" | "stolen address" | "address undo", string>
>;

/** State outside the store: the browsers, the mailbox and the time. */
interface Outside {
  at: number;
  cookies: Record<Who, string[]>;
  mailbox: Mailbox;
  /** Ids of accounts into which the victim signed in. */
  victims: string[];
}

/** A state that can be restored. */
export interface State {
  readonly rows: ReadonlyMap<TableName, readonly object[]>;
  readonly outside: Outside;
}

/**
 * Returns a text that resembles an Argon2id hash. Equal passwords have equal hashes, because the cost of
 * Argon2id does not matter here.
 */
const plainHash = (password: string) =>
  `$argon2id$v=19$m=19456,t=2,p=1$${"A".repeat(22)}$${sha256Base64url(password).replaceAll("-", "+").replaceAll("_", "/")}`;

const plainHasher = (hasher: IdentityContext["passwords"]): IdentityContext["passwords"] => ({
  ...hasher,
  hash: async (password) => plainHash(password),
  verify: async (phc, password) => phc === plainHash(password),
  verifyAgainstNothing: async () => false,
  admit() {},
  needsRehash: () => false,
});

export async function preHijackingFixture(store: Store) {
  const { server } = await testServer(store);
  const client = scriptedClient();
  const start = server.now().getTime();
  let outside: Outside = { at: start, cookies: { attacker: [], victim: [] }, mailbox: {}, victims: [] };
  // The time advances at each reading, because a session created in the same millisecond as an event that
  // ends earlier sessions would end too.
  const now = () => new Date(outside.at++);
  const hasher = plainHasher(server.passwords);
  const context: IdentityContext = {
    store,
    memory: server.memory,
    passwords: hasher,
    sealer: server.sealer,
    now,
    report() {},
    throttle: false,
    sends_mail: true,
    settings: { sign_up: "open", self_service: ["email", "deletion"] },
    provider_client: client,
  };
  const admin = { ...testContext(store), now, passwords: hasher };
  const trusted = await aProvider(store, { slug: "trusted" });
  const doubtful = await aProvider(store, { slug: "doubtful", email_trust: "never" });
  await createUser(admin, { email: own, name: "Attacker", password: passwords.attacker });

  /** Returns the user of the newest valid session of a browser. */
  async function here(who: Who): Promise<SignedIn | undefined> {
    for (const cookie of outside.cookies[who].toReversed()) {
      const found = await findSession(cookie, context);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  function keep(who: Who, outcome: AnswerOutcome): void {
    if (outcome.type === "entered" && outcome.entered.type === "signed_in") {
      outside.cookies[who].push(outcome.entered.cookie);
    }
    if (outcome.type === "joined" && outcome.opened !== undefined)
      outside.cookies[who].push(outcome.opened.cookie);
  }

  /** Goes to a provider and back, and takes every step that the pages offer. */
  async function visit(who: Who, provider: Provider, email_assurance: "verified" | "none"): Promise<void> {
    const browser = scriptedBrowser(context, client);
    const person = upstreamPerson({ subject: who, email: address, email_assurance });
    const returned = await browser.visit(provider, person, { signedIn: await here(who) });
    const first = await takeStep(returned, context);
    keep(who, first);
    if (first.type === "entered" || first.type === "refuse_inactive") return;
    const cookie = await storeAccount(provider, returned.account, context);
    const waiting = await findWaitingAccount(provider, cookie, context);
    assert.ok(waiting);
    let back: Returned = { ...returned, proof: waiting };
    const sent = await makeMailboxCode({ email: address, cookie, origin }, waiting, provider, context);
    assert.ok(sent.type === "mail");
    // Only the victim can read the mailbox.
    const code = who === "victim" ? sent.code : "0000 0001";
    const checked = await checkMailboxCode({ code, cookie }, waiting, provider, context);
    if (checked.type === "right") {
      back = { ...returned, account: checked.waiting.data, proof: checked.waiting };
      keep(who, await takeStep(back, context));
    }
    for (const answer of [
      { type: "link" },
      { type: "switch" },
      { type: "create", name: who, isInviterActive },
    ] as const) {
      keep(who, await answerStep(answer, { ...back, signedIn: await here(who) }, context));
    }
  }

  async function link(who: Who): Promise<void> {
    const signedIn = await here(who);
    if (signedIn === undefined) return;
    const person = upstreamPerson({ subject: who, email: own, email_assurance: "none" });
    const requested = { purpose: "link", signedIn } as const;
    await takeStep(await scriptedBrowser(context, client).visit(doubtful, person, requested), context);
  }

  async function unlink(who: Who): Promise<void> {
    const signedIn = await here(who);
    if (signedIn === undefined) return;
    for (const each of await store.list("oauth_accounts", { user_id: signedIn.user.id })) {
      await unlinkAccount(each, signedIn, origin, context);
    }
  }

  /** Signs in if the password is correct, and cancels a pending deletion of the account. */
  async function byPassword(who: Who, email: string): Promise<void> {
    const input = { email, password: passwords[who], origin };
    let outcome = await signIn(input, context);
    if (outcome.type === "deletion_pending") {
      const browser = newFormCookie(context);
      await offerUndo(outcome.user, browser, context);
      await undoDeletion({ browser }, origin, context);
      outcome = await signIn(input, context);
    }
    if (outcome.type !== "signed_in") return;
    const { user, methods } = outcome;
    const { cookie } = await startSession({ user, methods, origin }, context);
    outside.cookies[who].push(cookie);
  }

  /** Does nothing if the rules refuse the work. */
  async function unlessRefused(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
    }
  }

  async function requestFor(who: Who, email: string, kind: "address" | "stolen address"): Promise<void> {
    const signedIn = await here(who);
    if (signedIn === undefined) return;
    const requested = await requestEmailChange(signedIn.user, email, context);
    if (requested.type === "asked") outside.mailbox[kind] = requested.token;
  }

  const plays = {
    "an import makes the account with the attacker's password": () =>
      unlessRefused(createUser(admin, { email: address, name: "Victim", password: passwords.attacker })),
    "the attacker signs in": () => byPassword("attacker", address),
    "the attacker signs in as themselves": () => byPassword("attacker", own),
    "the attacker links": () => link("attacker"),
    "the attacker comes by provider": () => visit("attacker", doubtful, "none"),
    "the attacker unlinks": () => unlink("attacker"),
    "the attacker asks for the victim's address": () => requestFor("attacker", address, "stolen address"),
    async "somebody asks to register"() {
      const browser = newFormCookie(context);
      const rules = [{ policy: "open" as const, domains: [] }];
      const message = await makeRegistrationMail(
        { email: address, origin, browser, request: "/account", rules },
        context,
      );
      if (message?.type === "link") outside.mailbox.registration = message.token;
    },
    async "the victim registers by the mail"() {
      const token = outside.mailbox.registration;
      if (token === undefined) return;
      await register({ token, name: "Victim", password: passwords.victim, origin }, context);
    },
    async "somebody asks for a reset"() {
      const message = await makeResetMail({ email: address, origin }, context);
      if (message?.type === "link") outside.mailbox.reset = message.token;
    },
    async "the victim resets by the mail"() {
      const token = outside.mailbox.reset;
      if (token === undefined) return;
      await resetPassword({ token, password: passwords.victim, origin }, context);
    },
    "the victim signs in": async () => {
      await byPassword("victim", address);
      await byPassword("victim", moved);
    },
    "the victim comes by provider": () => visit("victim", trusted, "verified"),
    "the victim comes by a doubtful provider": () => visit("victim", doubtful, "none"),
    "the victim unlinks": () => unlink("victim"),
    async "the victim sets a password"() {
      const signedIn = await here("victim");
      if (signedIn === undefined) return;
      const { user, session } = signedIn;
      const self = { ...admin, actor: { kind: "user", user, session_id: session.id } as const };
      const known = user.password_hash !== null && { current_password: passwords.victim };
      await unlessRefused(updateRecord(self, users, user.id, { password: passwords.victim, ...known }));
    },
    "the victim asks for another address": () => requestFor("victim", moved, "address"),
    async "the victim opens the links to addresses"() {
      for (const kind of ["address", "stolen address"] as const) {
        const signedIn = await here("victim");
        const token = outside.mailbox[kind];
        if (signedIn === undefined || token === undefined) continue;
        const changed = await confirmEmail(signedIn, token, { origin }, context);
        if (changed !== undefined) outside.mailbox["address undo"] = changed.undo_token;
      }
    },
    async "the victim brings the address back"() {
      const token = outside.mailbox["address undo"];
      if (token !== undefined) await undoEmail(token, origin, context);
    },
    async "the victim deletes"() {
      const signedIn = await here("victim");
      if (signedIn !== undefined) {
        const input = { successor: undefined, enqueueCancelLink: async () => {} };
        await requestDeletion(admin, signedIn.user, input);
      }
    },
    async "fourteen days pass"() {
      outside.at += 15 * 86_400_000;
      await removeDueUsers(admin);
    },
  } satisfies Readonly<Record<string, () => Promise<unknown>>>;

  async function play(step: StepName): Promise<void> {
    outside.at += 1000;
    await plays[step]();
    const signedIn = await here("victim");
    if (signedIn !== undefined && !outside.victims.includes(signedIn.user.id)) {
      outside.victims.push(signedIn.user.id);
    }
  }

  type StepName = keyof typeof plays;

  /** Returns the attacker's access to accounts into which the victim signed in. */
  async function held(): Promise<string[]> {
    const found: string[] = [];
    for (const cookie of outside.cookies.attacker) {
      const id = (await findSession(cookie, context))?.user.id;
      if (id !== undefined && outside.victims.includes(id)) found.push("a session");
    }
    for (const { user_id } of await store.list("oauth_accounts", { provider_user_id: "attacker" })) {
      if (outside.victims.includes(user_id)) found.push("a link");
    }
    for (const id of outside.victims) {
      const hash = (await store.find("users", { id }))?.password_hash;
      if (hash && (await hasher.verify(hash, passwords.attacker))) found.push("the password");
    }
    return found;
  }

  const kept = (Object.keys(tables) as TableName[]).filter(
    (name) => name !== "audit_events" && name !== "providers" && name !== "signing_keys",
  );

  async function save(): Promise<State> {
    const rows = new Map<TableName, readonly object[]>();
    for (const name of kept) {
      const found = await store.list(name);
      if (found.length > 0) rows.set(name, found);
    }
    return { rows, outside: structuredClone(outside) };
  }

  async function restore(state: State): Promise<void> {
    for (const name of kept.toReversed()) await store.remove(name, {} as never);
    for (const [name, rows] of state.rows) {
      for (const row of rows) await store.insert(name, row as never);
    }
    outside = structuredClone(state.outside);
  }

  /**
   * Returns everything that the next steps depend on: accounts with their sign-in methods, the user of each
   * browser, and the effect of each mailed link. It is equal for states that differ only in ids, times and
   * ended rows.
   */
  async function shapeOf({ rows }: State): Promise<string> {
    const accounts = await store.list("users");
    accounts.sort((one, other) => (one.email < other.email ? -1 : 1));
    const label = (id: string | undefined) => accounts.findIndex((user) => user.id === id);
    const sessionsOf = async (who: Who) => {
      const found = await Promise.all(outside.cookies[who].map((cookie) => findSession(cookie, context)));
      const labels = found.flatMap((each) => (each === undefined ? [] : [label(each.user.id)]));
      return [labels.at(-1), [...new Set(labels)].toSorted()];
    };
    const links = await store.list("oauth_accounts");
    const proofs = ((rows.get("ephemera") ?? []) as { kind: string; expires_at: Date }[])
      .filter(({ expires_at }) => expires_at.getTime() > outside.at)
      .map(({ kind }) => kind);
    const times = accounts.map(({ tokens_not_before, reset_links_not_before, email_locked_until }) => [
      tokens_not_before !== null,
      reset_links_not_before !== null,
      email_locked_until !== null && email_locked_until.getTime() > outside.at,
    ]);
    return JSON.stringify([
      accounts.map((user) => [user.email, user.active, user.email_verified_at !== null, user.password_hash]),
      accounts.map(({ deletion_at }) => deletion_at !== null),
      times,
      links.map((each) => [each.provider, each.provider_user_id, label(each.user_id)]).toSorted(),
      await sessionsOf("attacker"),
      await sessionsOf("victim"),
      outside.victims.map(label).toSorted(),
      Object.keys(outside.mailbox).toSorted(),
      [...new Set(proofs)].toSorted(),
    ]);
  }

  return { steps: Object.keys(plays) as StepName[], play, held, save, restore, shapeOf };
}

export type Fixture = Awaited<ReturnType<typeof preHijackingFixture>>;
export type StepName = Fixture["steps"][number];
