/** `/account/linked-accounts`: somebody's accounts at other providers. */
import type { FastifyInstance } from "fastify";
import { listRecords, removeRecord } from "../../admin/manage.ts";
import { linkedAccounts } from "../../admin/resources/people.ts";
import { linkedAccountsPage } from "../../web/account/linked_accounts_page.ts";
import type { HttpContext } from "../context.ts";
import { sendPage } from "../page.ts";
import { accountPages, shown, timeOf } from "./account_person.ts";
import { ownEnding } from "./own_ending.ts";

const path = "/account/linked-accounts";
const pageLength = "25";

export function linkedAccountRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);
  pages.get(path, async ({ admin, signedIn, page, params, done }, _, reply) => {
    const cursor = params.get("cursor");
    const { data, next_cursor } = await listRecords(admin, linkedAccounts, {
      user_id: signedIn.user.id,
      limit: pageLength,
      ...(cursor !== undefined && { cursor }),
    });
    const accounts = data.map((view) => {
      const { id, provider, provider_user_id, created_at } = shown(linkedAccounts, view);
      return { id, provider, provider_user_id, linked_at: timeOf(created_at) };
    });
    const first_href = cursor && path;
    const next_href = next_cursor === null ? undefined : `${path}?cursor=${next_cursor}`;
    return sendPage(reply, linkedAccountsPage({ ...page, accounts, first_href, next_href, done }));
  });

  ownEnding<"oauth_accounts">(pages, linkedAccounts, {
    path,
    verb: "unlink",
    ending: { kind: "linked_account" },
    nameOf: ({ provider }) => provider,
    end: removeRecord,
    done: "account_unlinked",
    sudo: true,
  });
}
