/** Steps that somebody takes over HTTP with one key, and what they come by when a step succeeds. */
import { isInviterActive } from "../../src/admin/invitations/inviters.ts";
import { acceptInvitation } from "../../src/identity/invitations.ts";
import { bearer } from "../http/api/server.ts";
import type { Agent, Play } from "./attack_play.ts";
import { word } from "./attack_world.ts";
import { carriedBy } from "./permission_model.ts";
import { type Power, powersOfKey, type Rows, readRows } from "./power_oracle.ts";

export interface Choice {
  /** Which of the keys that let through what the step needs. */
  readonly by: number;
  readonly kind: (typeof stepKinds)[number];
  readonly on: number;
  readonly to: number;
  readonly scopes: readonly string[];
  readonly role: string;
  readonly flag: boolean;
}

type Learnt = (answer: Readonly<Record<string, string>>, agent: Agent, play: Play) => void;

interface Step {
  readonly method: "POST" | "PATCH";
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** What whoever did it came by. */
  readonly learnt?: Learnt;
}

const pick = (from: readonly string[], index: number): string => from[index % from.length] ?? "";

const mine =
  (set: "secrets" | "redirects" | "accounts" | "people", id: string): Learnt =>
  (_, { holder }) => {
    holder[set].add(id);
  };

const steps = {
  "key of a person": ({ on, scopes }, { people }) => ({
    method: "POST",
    path: "api-keys",
    body: { name: "x", user_id: pick(people, on), scopes },
    learnt: learnKey,
  }),
  "key of an organization": ({ on, scopes }, { organizations }) => ({
    method: "POST",
    path: "api-keys",
    body: { name: "x", organization_id: pick(organizations, on), scopes },
    learnt: learnKey,
  }),
  "widen a key": ({ on, scopes }, { keys }) => ({
    method: "PATCH",
    path: `api-keys/${pick(keys, on)}`,
    body: { scopes },
  }),
  "an app": ({ on, scopes, flag }, { organizations }) => ({
    method: "POST",
    path: "apps",
    body: {
      name: "x",
      organization_id: pick(organizations, on),
      allowed_scopes: ["openid", ...scopes],
      allowed_grants: flag ? ["client_credentials"] : ["auth_code"],
      redirect_uris: ["https://evil.example/cb"],
    },
    learnt: ({ id = "", secret }, { holder }, { apps }) => {
      apps.push(id);
      holder.redirects.add(id);
      if (secret !== undefined) holder.secrets.add(id);
    },
  }),
  "redirect an app": ({ on }, { apps }) => {
    const id = pick(apps, on);
    return {
      method: "PATCH",
      path: `apps/${id}`,
      body: { redirect_uris: [`https://evil-${word()}.example/cb`] },
      learnt: mine("redirects", id),
    };
  },
  "scopes of an app": ({ on, scopes }, { apps }) => ({
    method: "PATCH",
    path: `apps/${pick(apps, on)}`,
    body: { allowed_scopes: ["openid", ...scopes] },
  }),
  "grants of an app": ({ on, flag }, { apps }) => ({
    method: "PATCH",
    path: `apps/${pick(apps, on)}`,
    body: { allowed_grants: flag ? ["auth_code", "client_credentials"] : ["client_credentials"] },
  }),
  "vouch for an app": ({ on, flag }, { apps }) => ({
    method: "PATCH",
    path: `apps/${pick(apps, on)}`,
    body: { first_party: flag },
  }),
  "move an app": ({ on, to }, { apps, organizations }) => ({
    method: "PATCH",
    path: `apps/${pick(apps, on)}`,
    body: { organization_id: pick(organizations, to) },
  }),
  "switch an app": ({ on, flag }, { apps }) => ({
    method: "PATCH",
    path: `apps/${pick(apps, on)}`,
    body: { active: flag },
  }),
  "a secret": ({ on }, { apps }) => ({
    method: "POST",
    path: "app-secrets",
    body: { app_id: pick(apps, on) },
    learnt: mine("secrets", pick(apps, on)),
  }),
  "a service account": ({ on, scopes }, { organizations }) => ({
    method: "POST",
    path: "service-accounts",
    body: {
      name: "x",
      email: `${word()}@machines.example`,
      organization_id: pick(organizations, on),
      allowed_scopes: scopes,
    },
    learnt: ({ id = "" }, _, { accounts }) => {
      accounts.push(id);
    },
  }),
  "scopes of an account": ({ on, scopes }, { accounts }) => ({
    method: "PATCH",
    path: `service-accounts/${pick(accounts, on)}`,
    body: { allowed_scopes: scopes },
  }),
  "switch an account": ({ on, flag }, { accounts }) => ({
    method: "PATCH",
    path: `service-accounts/${pick(accounts, on)}`,
    body: { active: flag },
  }),
  "move an account": ({ on, to }, { accounts, organizations }) => ({
    method: "PATCH",
    path: `service-accounts/${pick(accounts, on)}`,
    body: { organization_id: pick(organizations, to) },
  }),
  "a key pair": ({ on }, { accounts }) => ({
    method: "POST",
    path: "key-pairs",
    body: { service_account_id: pick(accounts, on), key_type: "ec", algorithm: "ES256" },
    learnt: mine("accounts", pick(accounts, on)),
  }),
  "add a member": ({ on, to, role }, { people, organizations }) => ({
    method: "POST",
    path: "memberships",
    body: { user_id: pick(people, on), organization_id: pick(organizations, to), role },
    learnt: ({ id = "" }, _, { memberships }) => {
      memberships.push(id);
    },
  }),
  "promote or demote": ({ on, role }, { memberships }) => ({
    method: "PATCH",
    path: `memberships/${pick(memberships, on)}`,
    body: { role },
  }),
  "permissions of a member": ({ on, scopes }, { memberships }) => ({
    method: "PATCH",
    path: `memberships/${pick(memberships, on)}`,
    body: { permissions: scopes.map((scope) => scope.replace(/^postern:/, "")) },
  }),
  "e-mail of a person": ({ on }, { people }) => ({
    method: "PATCH",
    path: `users/${pick(people, on)}`,
    body: { email: `evil-${word()}@example.com` },
    learnt: mine("people", pick(people, on)),
  }),
  "password of a person": ({ on }, { people }) => ({
    method: "PATCH",
    path: `users/${pick(people, on)}`,
    body: { password: "a password that is the attacker's" },
    learnt: mine("people", pick(people, on)),
  }),
  "make an administrator": ({ on, flag }, { people }) => ({
    method: "PATCH",
    path: `users/${pick(people, on)}`,
    body: { is_platform_admin: flag },
  }),
  "switch a person": ({ on, flag }, { people }) => ({
    method: "PATCH",
    path: `users/${pick(people, on)}`,
    body: { active: flag },
  }),
  "a consent": ({ on, to, scopes }, { people, apps }) => ({
    method: "POST",
    path: "consents",
    body: { user_id: pick(people, on), app_id: pick(apps, to), scopes: ["openid", ...scopes] },
  }),
} as const satisfies Readonly<Record<string, (choice: Choice, play: Play) => Step>>;

export const stepKinds = [...(Object.keys(steps) as (keyof typeof steps)[]), "invite", "accept"] as const;

function learnKey(
  { id = "", key = "" }: Readonly<Record<string, string>>,
  { holder, texts }: Agent,
  { keys }: Play,
): void {
  holder.keys.add(id);
  texts.push({ id, text: key });
  keys.push(id);
}

export interface Taken {
  readonly status: number;
  readonly who: string;
  /** What whoever gave it could do with the key they used. */
  readonly by: ReadonlySet<Power>;
}

/** Whether a key lets the writing of such records through: nothing is learnt from refusing the others. */
function isAble({ keys }: Rows, id: string, resourceType: string): boolean {
  const scopes = keys.find((each) => each.id === id)?.scopes ?? [];
  return carriedBy(scopes).has(`${resourceType}:write`);
}

/** Takes a step; undefined when there was nothing to take it on. */
export async function takeStep(play: Play, choice: Choice): Promise<Taken | undefined> {
  if (choice.kind === "accept") return accept(play, choice);
  const make: ((choice: Choice, play: Play) => Step) | undefined =
    choice.kind === "invite" ? undefined : steps[choice.kind];
  const step = make?.(choice, play);
  const [resourceType = ""] = (step?.path ?? "memberships").split("/");
  const rows = await readRows(play.it.store);
  const able = play.agents.flatMap((agent) =>
    agent.texts
      .filter(({ id }) => isAble(rows, id, resourceType.replaceAll("-", "_")))
      .map((key) => ({ agent, key })),
  );
  const chosen = able[choice.by % Math.max(1, able.length)];
  if (chosen === undefined) return undefined;
  const { agent, key } = chosen;
  const by = new Set(powersOfKey(rows, key.id));
  if (step === undefined) return invite(play, choice, key.text, by);
  const { method, path, body, learnt } = step;
  const answer = await send(play, key.text, method, path, body);
  if (answer.statusCode < 300) learnt?.(answer.json(), agent, play);
  return { status: answer.statusCode, who: agent.holder.name, by };
}

function send({ it }: Play, text: string, method: "POST" | "PATCH", path: string, body: object) {
  return it.app.inject({
    method,
    url: `/api/v1/${path}`,
    headers: { ...bearer(text), "content-type": "application/json" },
    payload: JSON.stringify(body),
  });
}

async function invite(
  play: Play,
  { on, to, role }: Choice,
  text: string,
  by: ReadonlySet<Power>,
): Promise<Taken> {
  const user_id = pick(play.people, on);
  const user = await play.it.store.find("users", { id: user_id });
  const body = { email: user?.email, organization_id: pick(play.organizations, to), role };
  const { statusCode } = await send(play, text, "POST", "memberships", body);
  if (statusCode === 202) {
    await play.outbox.settled();
    const letter = play.outbox.kept().find((each) => JSON.stringify(each).includes(String(user?.email)));
    const token = /invitation\?token=([A-Za-z0-9_.-]+)/.exec(JSON.stringify(letter))?.[1];
    if (token !== undefined) play.invitations.push({ user_id, token, by });
  }
  return { status: statusCode, who: "who invites", by };
}

/** Whoever was invited says yes. */
async function accept(play: Play, { on }: Choice): Promise<Taken | undefined> {
  const invitation = play.invitations[on % Math.max(1, play.invitations.length)];
  if (invitation === undefined) return undefined;
  const { token, user_id, by } = invitation;
  const { server, store } = play.it;
  const user = await store.find("users", { id: user_id });
  if (user === undefined) return undefined;
  const { memory, passwords, sealer, now, report } = server;
  const origin = { client_ip: null, user_agent: null, request_id: "attack" };
  const identity = { store, memory, passwords, sealer, now, report, throttle: false };
  const { type } = await acceptInvitation({ token, user, origin }, isInviterActive, identity);
  return { status: type === "joined" ? 200 : 403, who: "who was invited", by };
}
