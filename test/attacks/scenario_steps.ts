/** Steps that an actor takes over HTTP with one key, and what the actor gains if a step succeeds. */
import { isInviterActive } from "../../src/admin/changes/inviters.ts";
import { acceptInvitation } from "../../src/people/entry/invitations.ts";
import { bearer } from "../http/api/server.ts";
import { word } from "./attack_fixture.ts";
import type { Actor, Scenario } from "./attack_scenario.ts";
import { carriedBy } from "./permission_model.ts";
import { type Permission, permissionsOfKey, type Rows, readRows } from "./permission_oracle.ts";

export interface Choice {
  /** Selects one of the keys whose scopes permit the step. */
  readonly by: number;
  readonly kind: (typeof stepKinds)[number];
  readonly on: number;
  readonly to: number;
  readonly scopes: readonly string[];
  readonly role: string;
  readonly flag: boolean;
}

type Learnt = (answer: Readonly<Record<string, string>>, actor: Actor, scenario: Scenario) => void;

/** One request: `$app` and other placeholders represent the chosen records. */
type Step = readonly [request: string, body: Readonly<Record<string, unknown>>, learnt?: Learnt | Known];

/** The result of a successful step: the actor controls the record `of`, which is added to their `set`. */
interface Known {
  readonly set: "secrets" | "redirects" | "accounts" | "people";
  readonly of: string;
}

const pick = (from: readonly string[], index: number): string => from[index % from.length] ?? "";

/** Returns the values of a step's placeholders. */
function chosenBy(
  { on, to, scopes, role, flag }: Choice,
  scenario: Scenario,
): Readonly<Record<string, unknown>> {
  const { people, organizations, apps, accounts, keys, memberships, roles, groups, apis, app_roles } =
    scenario;
  return {
    $person: pick(people, on),
    $organization: pick(organizations, on),
    $other_organization: pick(organizations, to),
    $key: pick(keys, on),
    $app: pick(apps, on),
    $other_app: pick(apps, to),
    $account: pick(accounts, on),
    $membership: pick(memberships, on),
    $custom_role: pick(roles, to),
    $app_role: pick(app_roles, to),
    $group: pick(groups, to),
    $api: pick(apis, on),
    $role_ids: [pick(roles, to)],
    $app_role_ids: [pick(app_roles, to)],
    $name: `role ${word()}`,
    $api_scopes: flag ? ["postern:manage"] : ["orders:read"],
    $scopes: scopes,
    $openid_and_scopes: ["openid", ...scopes],
    $permissions: scopes.map((scope) => scope.replace(/^postern:/, "")),
    $role: role,
    $flag: flag,
    $grants: flag ? ["client_credentials"] : ["auth_code"],
    $more_grants: flag ? ["auth_code", "client_credentials"] : ["client_credentials"],
    $machine_email: `${word()}@machines.example`,
    $evil_email: `evil-${word()}@example.com`,
    $evil_uris: [`https://evil-${word()}.example/cb`],
  };
}

const learnKey: Learnt = ({ id = "", key = "" }, { holder, texts }, { keys }) => {
  holder.keys.add(id);
  texts.push({ id, text: key });
  keys.push(id);
};

const learnApp: Learnt = ({ id = "", secret }, { holder }, { apps }) => {
  apps.push(id);
  holder.redirects.add(id);
  if (secret !== undefined) holder.secrets.add(id);
};

const learnId =
  (list: "accounts" | "memberships" | "roles" | "groups" | "app_roles"): Learnt =>
  ({ id = "" }, _, scenario) => {
    scenario[list].push(id);
  };

const machine = { name: "x", email: "$machine_email", allowed_scopes: "$scopes" };
const newApp = {
  name: "x",
  organization_id: "$organization",
  allowed_scopes: "$openid_and_scopes",
  allowed_grants: "$grants",
  redirect_uris: "$evil_uris",
};
const membership = { user_id: "$person", organization_id: "$other_organization", role: "$role" };
const pair = { service_account_id: "$account", key_type: "ec", algorithm: "ES256" };
const consent = { user_id: "$person", app_id: "$other_app", scopes: "$openid_and_scopes" };
const newRole = { name: "$name", permissions: "$permissions" };
const givenRoles = { role_ids: "$role_ids", app_role_ids: "$app_role_ids" };
const takesPerson: Known = { set: "people", of: "$person" };

const steps = {
  "key of a person": ["POST api-keys", { name: "x", user_id: "$person", scopes: "$scopes" }, learnKey],
  "key of an organization": [
    "POST api-keys",
    { name: "x", organization_id: "$organization", scopes: "$scopes" },
    learnKey,
  ],
  "widen a key": ["PATCH api-keys/$key", { scopes: "$scopes" }],
  "an app": ["POST apps", newApp, learnApp],
  "redirect an app": ["PATCH apps/$app", { redirect_uris: "$evil_uris" }, { set: "redirects", of: "$app" }],
  "scopes of an app": ["PATCH apps/$app", { allowed_scopes: "$openid_and_scopes" }],
  "grants of an app": ["PATCH apps/$app", { allowed_grants: "$more_grants" }],
  "vouch for an app": ["PATCH apps/$app", { first_party: "$flag" }],
  "move an app": ["PATCH apps/$app", { organization_id: "$other_organization" }],
  "switch an app": ["PATCH apps/$app", { active: "$flag" }],
  "a secret": ["POST app-secrets", { app_id: "$app" }, { set: "secrets", of: "$app" }],
  "a service account": [
    "POST service-accounts",
    { ...machine, organization_id: "$organization" },
    learnId("accounts"),
  ],
  "scopes of an account": ["PATCH service-accounts/$account", { allowed_scopes: "$scopes" }],
  "switch an account": ["PATCH service-accounts/$account", { active: "$flag" }],
  "move an account": ["PATCH service-accounts/$account", { organization_id: "$other_organization" }],
  "a key pair": ["POST key-pairs", pair, { set: "accounts", of: "$account" }],
  "add a member": ["POST memberships", membership, learnId("memberships")],
  "promote or demote": ["PATCH memberships/$membership", { role: "$role" }],
  "permissions of a member": ["PATCH memberships/$membership", { permissions: "$permissions" }],
  "e-mail of a person": ["PATCH users/$person", { email: "$evil_email" }, takesPerson],
  "password of a person": ["PATCH users/$person", { password: "a password of the attacker" }, takesPerson],
  "make an administrator": ["PATCH users/$person", { is_platform_admin: "$flag" }],
  "switch a person": ["PATCH users/$person", { active: "$flag" }],
  "a consent": ["POST consents", consent],
  "a role": ["POST roles", { ...newRole, organization_id: "$organization" }, learnId("roles")],
  "a role of the server": ["POST roles", newRole, learnId("roles")],
  "permissions of a role": ["PATCH roles/$custom_role", { permissions: "$permissions" }],
  "a group": [
    "POST groups",
    { organization_id: "$organization", display_name: "$name", ...givenRoles },
    learnId("groups"),
  ],
  "roles of a group": ["PATCH groups/$group", givenRoles],
  "a member of a group": ["POST group-members", { group_id: "$group", user_id: "$person" }],
  "an app role": [
    "POST app-roles",
    { resource_id: "$api", name: "$name", scopes: "$api_scopes" },
    learnId("app_roles"),
  ],
  "scopes of an app role": ["PATCH app-roles/$app_role", { scopes: "$api_scopes" }],
  "roles of a member": ["PATCH memberships/$membership", { role_ids: "$role_ids" }],
  "app roles of a member": ["PATCH memberships/$membership", { app_role_ids: "$app_role_ids" }],
} as const satisfies Readonly<Record<string, Step>>;

export const stepKinds = [...(Object.keys(steps) as (keyof typeof steps)[]), "invite", "accept"] as const;

export interface Taken {
  readonly status: number;
  readonly who: string;
  /** The permissions of the grantor's key. */
  readonly by: ReadonlySet<Permission>;
}

/** Returns whether the key's scopes permit writing such records. The other keys would only be refused. */
function isAble({ keys }: Rows, id: string, resourceType: string): boolean {
  const scopes = keys.find((each) => each.id === id)?.scopes ?? [];
  return carriedBy(scopes).has(`${resourceType}:write`);
}

/** Takes a step; returns undefined if no key permits it. */
export async function takeStep(scenario: Scenario, choice: Choice): Promise<Taken | undefined> {
  if (choice.kind === "accept") return accept(scenario, choice);
  const step: Step | undefined = choice.kind === "invite" ? undefined : steps[choice.kind];
  const [request, input, learnt] = step ?? ["POST memberships", {}];
  const chosenFor = chosenBy(choice, scenario);
  const fill = (value: unknown) => chosenFor[String(value)] ?? value;
  const [method = "", path = ""] = request.replace(/\$\w+/, (name) => String(fill(name))).split(" ");
  const [resourceType = ""] = path.split("/");
  const rows = await readRows(scenario.it.store);
  const able = scenario.actors.flatMap((actor) =>
    actor.texts
      .filter(({ id }) => isAble(rows, id, resourceType.replaceAll("-", "_")))
      .map((key) => ({ actor, key })),
  );
  const chosen = able[choice.by % Math.max(1, able.length)];
  if (chosen === undefined) return undefined;
  const { actor, key } = chosen;
  const by = new Set(permissionsOfKey(rows, key.id));
  if (step === undefined) return invite(scenario, choice, key.text, by);
  const body = Object.fromEntries(Object.entries(input).map(([name, value]) => [name, fill(value)]));
  const answer = await send(scenario, key.text, method as "POST", path, body);
  if (answer.statusCode < 300) {
    if (typeof learnt === "function") learnt(answer.json(), actor, scenario);
    else if (learnt !== undefined) actor.holder[learnt.set].add(String(fill(learnt.of)));
  }
  return { status: answer.statusCode, who: actor.holder.name, by };
}

function send({ it }: Scenario, text: string, method: "POST" | "PATCH", path: string, body: object) {
  return it.app.inject({
    method,
    url: `/api/v1/${path}`,
    headers: { ...bearer(text), "content-type": "application/json" },
    payload: JSON.stringify(body),
  });
}

async function invite(
  scenario: Scenario,
  { on, to, role, flag }: Choice,
  text: string,
  by: ReadonlySet<Permission>,
): Promise<Taken> {
  const user_id = pick(scenario.people, on);
  const user = await scenario.it.store.find("users", { id: user_id });
  const further = flag && {
    role_ids: [pick(scenario.roles, to)],
    app_role_ids: [pick(scenario.app_roles, to)],
  };
  const body = { email: user?.email, organization_id: pick(scenario.organizations, to), role, ...further };
  const { statusCode } = await send(scenario, text, "POST", "memberships", body);
  if (statusCode === 202) {
    await scenario.outbox.settled();
    const letter = scenario.outbox.kept().find((each) => JSON.stringify(each).includes(String(user?.email)));
    const token = /invitation\?token=([A-Za-z0-9_.-]+)/.exec(JSON.stringify(letter))?.[1];
    if (token !== undefined) scenario.invitations.push({ user_id, token, by });
  }
  return { status: statusCode, who: "who invites", by };
}

/** Accepts an invitation as the invited user. */
async function accept(scenario: Scenario, { on }: Choice): Promise<Taken | undefined> {
  const invitation = scenario.invitations[on % Math.max(1, scenario.invitations.length)];
  if (invitation === undefined) return undefined;
  const { token, user_id, by } = invitation;
  const { server, store } = scenario.it;
  const user = await store.find("users", { id: user_id });
  if (user === undefined) return undefined;
  const { memory, passwords, sealer, now, report } = server;
  const origin = { client_ip: null, user_agent: null, request_id: "attack" };
  const identity = { store, memory, passwords, sealer, now, report, throttle: false };
  const { type } = await acceptInvitation({ token, user, origin }, isInviterActive, identity);
  return { status: type === "joined" ? 200 : 403, who: "who was invited", by };
}
