import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { notFound } from "../../admin/access/errors.ts";
import { listRecords } from "../../admin/manage/list_records.ts";
import { linkedAccounts } from "../../admin/resources/people.ts";
import { readCookie } from "../../http/cookies.ts";
import { sendPage } from "../../http/page.ts";
import { originOf } from "../../http/request_origin.ts";
import { signsIn } from "../../records/rules/provider_reach.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { postNotice } from "../core/notices/account_notices.http.ts";
import { disownLink } from "../core/notices/disown_link.http.ts";
import {
  type AccountPerson,
  accountPages,
  backTo,
  ownRecord,
  shown,
  timeOf,
} from "../core/pages/account_person.http.ts";
import { toSignedOut } from "../core/pages/to_signed_out.http.ts";
import type { Provider } from "../core/proofs/provider_account.ts";
import { offeredProviders } from "../providers/active_providers.ts";
import { unlinkAccount } from "../providers/linked_accounts.ts";
import { linkedAccountsPath as path } from "../providers/provider_answers.http.ts";
import { addressAt, offered } from "../providers/provider_view.http.ts";
import { sendToProvider } from "../providers/send_to_provider.http.ts";
import { endingPage } from "./ending.page.ts";
import { linkedAccountsPage } from "./linked_accounts.page.ts";

const pageLength = "25";
/**
 * Allows form redirects to any host, because the user may reauthenticate at any provider. `formAction` uses
 * only the scheme of this URL, and allows `https:` together with `http:`.
 */
const anyProvider = "http://provider.invalid";

export function linkedAccountRoutes(app: FastifyInstance, context: HttpContext): void {
  const { identity, secure } = context;
  const pages = accountPages(app, context);

  async function linkable({ signedIn }: AccountPerson): Promise<readonly Provider[]> {
    const own = await offeredProviders(undefined, identity);
    if (identity.provider_client === undefined) return own;
    const memberships = await identity.store.list(
      "memberships",
      { user_id: signedIn.user.id },
      { limit: 20 },
    );
    const others = await Promise.all(
      memberships.map(({ organization_id }) => offeredProviders(organization_id, identity)),
    );
    const found = new Map([...own, ...others.flat()].map((provider) => [provider.id, provider]));
    const { user } = signedIn;
    return [...found.values()].filter((provider) => signsIn(provider, user, memberships));
  }

  async function sendList(
    person: AccountPerson,
    reply: FastifyReply,
    { last_way = false, status = 200 } = {},
  ): Promise<FastifyReply> {
    const { admin, signedIn, page, params, done, csrf_token } = person;
    const cursor = params.get("cursor");
    const { data, next_cursor } = await listRecords(admin, linkedAccounts, {
      user_id: signedIn.user.id,
      limit: pageLength,
      ...(cursor !== undefined && { cursor }),
    });
    const providers = await linkable(person);
    const labels = new Map(providers.map(({ slug, label }) => [slug, label]));
    const accounts = data.map((view) => {
      const { id, provider, provider_user_id, email, created_at } = shown(linkedAccounts, view);
      return {
        id,
        provider: labels.get(provider) ?? provider,
        identifier: email ?? provider_user_id,
        linked_at: timeOf(created_at),
      };
    });
    const list = {
      accounts,
      linkable: providers.map(offered),
      csrf_token,
      last_way,
      first_href: cursor && path,
      next_href: next_cursor === null ? undefined : `${path}?cursor=${next_cursor}`,
      done,
    };
    return sendPage(reply, linkedAccountsPage({ ...page, ...list }), {
      status,
      leads_to: providers.map(addressAt),
    });
  }

  pages.get(path, async (person, _request, reply) => sendList(person, reply));

  pages.post(
    `${path}/link`,
    async (person, request, reply) => {
      const { signedIn, params } = person;
      const provider = (await linkable(person)).find(({ slug }) => slug === params.get("provider"));
      if (provider === undefined) throw notFound("providers", params.get("provider") ?? "");
      const form_cookie = readCookie(request, "form", secure);
      const browser = { signedIn, has_session_cookie: true, form_cookie };
      return sendToProvider({ provider, url: path, browser, request, reply }, { purpose: "link" }, context);
    },
    { return_to: path, sudo: { leads_to: anyProvider } },
  );

  pages.get(`${path}/:id/unlink`, async (person, _request, reply) => {
    const { page, csrf_token } = person;
    const { id, provider: name } = await ownRecord(person, linkedAccounts);
    const requested = { ending: { kind: "linked_account" }, name, csrf_token, keep_href: path } as const;
    return sendPage(reply, endingPage({ ...page, ...requested, action: `${path}/${id}/unlink` }));
  });

  pages.post(`${path}/:id/unlink`, unlink, { return_to: path, sudo: true });

  async function unlink(
    person: AccountPerson,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const { signedIn } = person;
    const link = await ownRecord(person, linkedAccounts);
    const outcome = await unlinkAccount(link, signedIn, originOf(request), identity);
    if (outcome.type === "last_way") return sendList(person, reply, { last_way: true, status: 409 });
    const { user, session } = signedIn;
    const not_me_href = disownLink({ user, since: session.created_at }, context);
    postNotice(context, { kind: "link_removed", user, request, name: link.provider, not_me_href });
    if (outcome.here === "goes_on") return backTo(reply, path, "account_unlinked");
    return toSignedOut(reply, context);
  }
}
