import type { AdminContext } from "../../admin/access/actor.ts";
import { seenRows } from "../../admin/access/seen_rows.ts";
import { listRecords } from "../../admin/manage/list_records.ts";
import { needsSecret } from "../../admin/records/provider_secrets.ts";
import { type Exposed, type RecoveryView, readSignInMethods } from "../../admin/records/sign_in_methods.ts";
import { risksOfApi } from "../../admin/reports/api_risks.ts";
import { appState } from "../../admin/reports/app_state.ts";
import { namedRoles } from "../../admin/resources/member_values.ts";
import { resourceOf } from "../../admin/resources/resources.ts";
import type { AuthorizationServer } from "../../oauth/core/server.ts";
import type { ResourceType } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { feedEventTypes } from "../../records/names/feed_events.ts";
import { callbackOf } from "../../records/names/provider_paths.ts";
import {
  type Acr,
  federatedAcr,
  mfaAcr,
  passwordAcr,
  phishingResistantAcr,
} from "../../records/names/sign_in_methods.ts";
import type { Html } from "../../web/html/html.ts";
import { cautions } from "../../web/html/notice.ts";
import type { SideLink } from "../../web/side_frame.ts";
import { apisOfApp } from "../apps/apis_of_app.http.ts";
import { appApisCard } from "../apps/app_apis.card.ts";
import { appHead } from "../apps/app_checks.http.ts";
import { appTabs } from "../apps/app_tabs.view.ts";
import { readableApps, snippetApi } from "../apps/snippet_api.http.ts";
import { verifyCard } from "../apps/verify.card.ts";
import type { ConsoleLocale } from "../frame/console_frame.view.ts";
import { endpointCards } from "./endpoint.card.ts";
import { groupsCard } from "./groups.card.ts";
import { providerCard } from "./provider_check.page.ts";
import { type SignInMethodsCard, signInMethodsCard } from "./sign_in_methods.card.ts";

interface ShownRecord {
  readonly admin: AdminContext;
  readonly view: PublicView;
  readonly page: ConsoleLocale;
  readonly server: AuthorizationServer;
  readonly csrf_token: string | undefined;
  readonly reaches_out: boolean;
}

async function providerParts({ view, page, server, csrf_token, reaches_out }: ShownRecord): Promise<Html[]> {
  const provider = await server.store.find("providers", { id: String(view.id) });
  if (provider === undefined) return [];
  const card = {
    id: provider.id,
    redirect_uri: callbackOf(server.issuer, provider),
    is_ready: provider.client_secret !== "" || !needsSecret(provider),
    csrf_token: reaches_out ? csrf_token : undefined,
  };
  return [providerCard(card, page.words)];
}

const levels: Readonly<Record<Acr, NonNullable<SignInMethodsCard["level"]>>> = {
  [passwordAcr]: "password",
  [federatedAcr]: "federated",
  [mfaAcr]: "mfa",
  [phishingResistantAcr]: "phr",
};

const endsOf = ({ lost, due_at, expires_at }: RecoveryView) => ({
  lost,
  due_at: new Date(due_at),
  expires_at: new Date(expires_at),
});

/**
 * Shown only to the user and to platform administrators, because sign-in methods show how to attack an
 * account.
 */
async function userParts({ admin, view, page }: ShownRecord): Promise<Html[]> {
  const id = String(view.id);
  const isOwn = admin.actor.kind === "user" && admin.actor.user.id === id;
  const { is_platform_admin } = page.viewer;
  if (!is_platform_admin && !isOwn) return [];
  const methods = await readSignInMethods(admin, id);
  const times = ({ created_at, last_used_at }: Exposed<"passkeys"> | Exposed<"totp_authenticators">) => ({
    added_at: new Date(created_at),
    used_at: last_used_at === null ? null : new Date(last_used_at),
  });
  const factors = [
    ...methods.passkeys.map((passkey) => {
      const { signs_in, uv_initialized, backed_up } = passkey;
      const kind = !(signs_in && uv_initialized) ? "security_key" : backed_up ? "synced" : "device";
      return { ...passkey, ...times(passkey), kind } as const;
    }),
    ...methods.authenticator_apps.map((app) => ({ ...app, ...times(app), kind: "app" }) as const),
  ];
  const card: SignInMethodsCard = {
    ...methods,
    is_imported: (await admin.store.count("foreign_passwords", { user_id: id })) > 0,
    linked_accounts: methods.linked_accounts.length,
    recovery: methods.recovery === null ? undefined : endsOf(methods.recovery),
    level: methods.highest_acr === null ? undefined : levels[methods.highest_acr],
    factors,
    may_remove: is_platform_admin && !isOwn && factors.length > 1,
  };
  return [signInMethodsCard(card, page)];
}

const mostGroups = "200";

async function membershipParts({ admin, view, page }: ShownRecord): Promise<Html[]> {
  if (!page.viewer.resourceTypes.has("group_members")) return [];
  const query = { user_id: String(view.user_id), limit: mostGroups };
  const { data } = await listRecords(admin, resourceOf("group_members"), query);
  const ids = data.flatMap(({ membership_id, group_id }) =>
    membership_id === view.id ? [String(group_id)] : [],
  );
  const [groups, roles] = await Promise.all([seenRows(admin, "groups", ids), namedRoles(admin, [view])]);
  const card = groupsCard({ groups, roles: roles.get(view.id)?.through_groups ?? [] }, page.words);
  return card === undefined ? [] : [card];
}

const ofResourceType: Readonly<Partial<Record<ResourceType, (shown: ShownRecord) => Promise<Html[]>>>> = {
  apps: async ({ admin, view, page }) => {
    const card = appApisCard(await apisOfApp(view as PublicView<"oauth_apps">, admin), page.words);
    return card === undefined ? [] : [card];
  },
  memberships: membershipParts,
  providers: providerParts,
  async webhook_endpoints({ view, page, server, csrf_token }) {
    const id = String(view.id);
    const position = await server.store.webhookStoppedAt(id);
    return [
      ...endpointCards(
        { id, active: view.active === true, position, types: feedEventTypes, csrf_token },
        page.words,
      ),
    ];
  },
  users: userParts,
  async resources({ admin, view, page, server }) {
    const api = view as PublicView<"resources">;
    const apps = await readableApps(api, admin);
    const { risk: said } = page.words.appApis;
    const sentences = risksOfApi(api, apps, server.settings).map(({ kind, about }) => {
      const sentence = said[kind];
      return typeof sentence === "string" ? sentence : sentence(about.join(", "));
    });
    const errors = cautions(sentences);
    return [...(errors === false ? [] : [errors]), verifyCard(snippetApi(api, apps, server), page.words)];
  },
};

export async function partsOf(resourceType: ResourceType, shown: ShownRecord): Promise<readonly Html[]> {
  return (await ofResourceType[resourceType]?.(shown)) ?? [];
}

/** Returns the links to the pages of a record, its own first; undefined if it has no other pages. */
export async function tabsOf(
  resourceType: ResourceType,
  { admin, view, page, server }: ShownRecord,
): Promise<readonly SideLink[] | undefined> {
  if (resourceType !== "apps") return undefined;
  const state = await appState(admin, String(view.id), "apps:read");
  return appTabs(appHead(state, server), page.words, "overview");
}
