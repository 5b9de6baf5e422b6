/** What pages of records show beside fields and what hangs on the record. */
import type { AdminContext } from "../../admin/access/actor.ts";
import type { AuthorizationServer } from "../../oauth/server.ts";
import type { ApiResource, OAuthApp } from "../../records/definition.ts";
import type { ResourceType } from "../../records/permissions.ts";
import type { PublicView } from "../../records/view.ts";
import { appApisCard } from "../../web/console/app_apis_card.ts";
import type { ConsoleLocale } from "../../web/console/console_frame.ts";
import { verifyCard } from "../../web/console/verify_card.ts";
import type { Html } from "../../web/html.ts";
import { apisOfApp } from "./apis_of_app.ts";
import { snippetApi } from "./snippet_api.ts";

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
  resources: async ({ admin, view, page, server }) => [
    verifyCard(await snippetApi(view as unknown as ApiResource, admin, server), page.words),
  ],
};

/** The further parts of the page of this record. */
export async function partsOf(resourceType: ResourceType, shown: ShownRecord): Promise<readonly Html[]> {
  return (await ofResourceType[resourceType]?.(shown)) ?? [];
}
