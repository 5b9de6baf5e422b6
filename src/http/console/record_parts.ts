/** What pages of records show beside fields and what hangs on the record. */
import type { AdminContext } from "../../admin/access/actor.ts";
import { risksOfApi } from "../../admin/api_risks.ts";
import { needsSecret } from "../../admin/records/provider_secrets.ts";
import { callbackOf } from "../../identity/providers/look_at_provider.ts";
import type { AuthorizationServer } from "../../oauth/server.ts";
import type { ApiResource, OAuthApp } from "../../records/definition.ts";
import type { ResourceType } from "../../records/permissions.ts";
import type { PublicView } from "../../records/view.ts";
import { appApisCard } from "../../web/console/app_apis_card.ts";
import type { ConsoleLocale } from "../../web/console/console_frame.ts";
import { providerCard } from "../../web/console/provider_check_page.ts";
import { verifyCard } from "../../web/console/verify_card.ts";
import type { Html } from "../../web/html.ts";
import { cautions } from "../../web/notice.ts";
import { apisOfApp } from "./apis_of_app.ts";
import { readableApps, snippetApi } from "./snippet_api.ts";

export interface ShownRecord {
  readonly admin: AdminContext;
  readonly view: PublicView;
  readonly page: ConsoleLocale;
  readonly server: AuthorizationServer;
  /** For forms of the page; undefined where the viewer may not write the record. */
  readonly csrf_token: string | undefined;
  /** The server makes requests to providers. */
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

const ofResourceType: Readonly<Partial<Record<ResourceType, (shown: ShownRecord) => Promise<Html[]>>>> = {
  apps: async ({ admin, view, page }) => {
    const card = appApisCard(await apisOfApp(view as unknown as OAuthApp, admin), page.words);
    return card === undefined ? [] : [card];
  },
  providers: providerParts,
  async resources({ admin, view, page, server }) {
    const api = view as unknown as ApiResource;
    const apps = await readableApps(api, admin);
    const { risk: said } = page.words.appApis;
    const sentences = risksOfApi(api, apps, server.settings).map(({ kind, about }) => {
      const sentence = said[kind];
      return typeof sentence === "string" ? sentence : sentence(about.join(", "));
    });
    const faults = cautions(sentences);
    return [...(faults === false ? [] : [faults]), verifyCard(snippetApi(api, apps, server), page.words)];
  },
};

/** The further parts of the page of this record. */
export async function partsOf(resourceType: ResourceType, shown: ShownRecord): Promise<readonly Html[]> {
  return (await ofResourceType[resourceType]?.(shown)) ?? [];
}
