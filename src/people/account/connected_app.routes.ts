import type { FastifyInstance } from "fastify";
import { notFound } from "../../admin/access/errors.ts";
import { countedTokens, countTokensOf, withdrawApp } from "../../admin/resources/withdraw_app.ts";
import { openClientOnPage } from "../../http/open_client.ts";
import { sendPage } from "../../http/page.ts";
import { shownPicture } from "../../http/pictures.ts";
import { isUuid } from "../../records/formats/check.ts";
import { describedIn, ownScopeDescription } from "../../records/formats/metadata.ts";
import { destination } from "../../records/formats/redirect_uris.ts";
import { releasesPhone } from "../../records/names/names.ts";
import { provenName } from "../../records/rules/open_clients.ts";
import { scopeDescriptions } from "../../web/scope_descriptions.ts";
import { codeOf } from "../../web/words/language.ts";
import type { PageLocale } from "../../web/words/page_locale.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { type AccountPerson, accountPages, backTo } from "../core/pages/account_person.http.ts";
import { connectedAppsPage, type ListedApp } from "./connected_apps.page.ts";
import {
  type ConnectedApp,
  connectedApps,
  findConnectedApp,
  type Places,
  placesOf,
} from "./connected_apps.ts";
import { endingPage } from "./ending.page.ts";

const path = "/account/apps";

async function listed(
  { app, scopes, scopes_by_place, owner_name, ...access }: ConnectedApp,
  { apis, organizations }: Places,
  locale: PageLocale,
  context: HttpContext,
): Promise<ListedApp> {
  const { id } = app;
  const open = await openClientOnPage(app, context);
  const language = codeOf(locale.language);
  const own = (scope: string) => ownScopeDescription(app, scope, language);
  const at = <T>(scope: string, places: ReadonlyMap<string, T>): T[] =>
    Object.entries(scopes_by_place).flatMap(([place, its]) => {
      const found = its.includes(scope) ? places.get(place) : undefined;
      return found === undefined ? [] : [found];
    });
  const ofApi = (scope: string) =>
    releasesPhone(app, scope)
      ? undefined
      : at(scope, apis)
          .map((api) => describedIn(api.scopes, scope, language))
          .find((description) => description !== undefined);
  const names = (scope: string) => [...new Set(at(scope, organizations))].join(", ") || undefined;
  return {
    id,
    name: provenName(app),
    ...access,
    logo_url: open === undefined ? (shownPicture(app.logo_url, context) ?? null) : null,
    owner_name: open === undefined ? owner_name : undefined,
    open: open && { ...open, answers_at: [...new Set(app.redirect_uris.map(destination))] },
    scopes: scopes.flatMap((scope) => scopeDescriptions([scope], locale, own, ofApi, names(scope))),
  };
}

export function connectedAppRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);
  const { identity } = context;

  async function connected({ signedIn, id }: AccountPerson): Promise<ConnectedApp> {
    const found = isUuid(id) ? await findConnectedApp(signedIn.user, id.toLowerCase(), identity) : undefined;
    if (found === undefined) throw notFound("oauth_apps", id);
    return found;
  }

  pages.get(path, async ({ admin, signedIn, page, done }, _, reply) => {
    const apps = await connectedApps(signedIn.user, identity);
    const places = await placesOf(apps, signedIn.user, admin);
    return sendPage(
      reply,
      connectedAppsPage({
        ...page,
        apps: await Promise.all(apps.map((each) => listed(each, places, page, context))),
        done,
      }),
    );
  });

  pages.get(`${path}/:id/withdraw`, async (person, _request, reply) => {
    const { admin, signedIn, page, csrf_token } = person;
    const { app: theirs, unasked } = await connected(person);
    const tokens = await countTokensOf(admin, { user_id: signedIn.user.id, app_id: theirs.id });
    const answer = endingPage({
      ...page,
      ending: { kind: unasked ? "unasked_app" : "app", tokens, limit: countedTokens },
      name: provenName(theirs) ?? page.words.openConsent.unknown,
      action: `${path}/${theirs.id}/withdraw`,
      csrf_token,
      keep_href: path,
    });
    return sendPage(reply, answer);
  });

  pages.post(`${path}/:id/withdraw`, async (person, _request, reply) => {
    const { app: theirs } = await connected(person);
    await withdrawApp(person.admin, { user_id: person.signedIn.user.id, app_id: theirs.id });
    return backTo(reply, path, "app_withdrawn");
  });
}
