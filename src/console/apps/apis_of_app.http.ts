import { mayDo } from "../../admin/access/access.ts";
import type { AdminContext } from "../../admin/access/actor.ts";
import { mayRequest } from "../../oauth/resources/who_may_ask.ts";
import type { ApiResource, OAuthApp } from "../../records/definition/definition.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import type { ApisOfApp, NamedApi } from "./app_apis.card.ts";

const mostNamed = 20;

/**
 * `asks`: the APIs that the app may request or lists in `resources`. `is`: the APIs whose resource server is
 * the app.
 */
export async function apisOfApp(
  app: Pick<OAuthApp, "id" | "provenance" | "resources" | "organization_id">,
  admin: AdminContext,
): Promise<ApisOfApp> {
  const { store } = admin;
  const [near, own, listed] = await Promise.all([
    store.resourcesNear(app),
    store.resourcesOfApp(app),
    Promise.all(app.resources.map((identifier) => store.findResource(identifier))),
  ]);
  const whyOf = ({ identifier, who_may_ask }: ApiResource) =>
    app.resources.includes(identifier) ? "listed" : who_may_ask;
  const off = listed.filter((api): api is ApiResource => api?.active === false);
  const asks = [
    ...near
      .filter((api) => mayRequest(api, { app }))
      .map((api) => ({ api, why: whyOf(api) }))
      .toSorted(byReasonAndName),
    ...off.map((api) => ({ api, why: "off" as const })),
  ];
  return {
    asks: await Promise.all(
      asks.slice(0, mostNamed).map(async ({ api, why }) => ({ ...(await named(api, admin)), why })),
    ),
    more: Math.max(0, asks.length - mostNamed),
    is: await Promise.all(own.slice(0, mostNamed).map((api) => named(api, admin))),
  };
}

const reasons: readonly string[] = ["listed", "registered", "any"];

function byReasonAndName(one: RequestableApi, other: RequestableApi): number {
  const byReason = reasons.indexOf(one.why) - reasons.indexOf(other.why);
  if (byReason !== 0) return byReason;
  const [first, second] = [one, other].map(({ api }) => `${api.name}\n${api.identifier}`);
  return (first ?? "") < (second ?? "") ? -1 : 1;
}

interface RequestableApi {
  readonly api: ApiResource;
  readonly why: string;
}

async function named({ id, name, identifier }: ApiResource, admin: AdminContext): Promise<NamedApi> {
  const isReadable = await mayDo(admin, "resources:read", "resources", id);
  return { name, identifier, href: isReadable ? `${resourceTypeHref("resources")}/${id}` : undefined };
}
