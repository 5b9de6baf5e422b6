/** What pages of records show beside fields and what hangs on the record. */
import type { AdminContext } from "../../admin/access/actor.ts";
import { risksOfApi } from "../../admin/api_risks.ts";
import type { AuthorizationServer } from "../../oauth/server.ts";
import type { ApiResource, OAuthApp } from "../../records/definition.ts";
import type { ResourceType } from "../../records/permissions.ts";
import type { PublicView } from "../../records/view.ts";
import { appApisCard } from "../../web/console/app_apis_card.ts";
import type { ConsoleLocale } from "../../web/console/console_frame.ts";
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
}

const ofResourceType: Readonly<Partial<Record<ResourceType, (shown: ShownRecord) => Promise<Html[]>>>> = {
  apps: async ({ admin, view, page }) => {
    const card = appApisCard(await apisOfApp(view as unknown as OAuthApp, admin), page.words);
    return card === undefined ? [] : [card];
  },
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
