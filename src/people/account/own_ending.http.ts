import type { AdminContext } from "../../admin/access/actor.ts";
import type { Resource } from "../../admin/manage/resource.ts";
import { sendPage } from "../../http/page.ts";
import type { AccountDone } from "../core/pages/account_frame.view.ts";
import {
  type accountPages,
  backTo,
  type Owned,
  ownRecord,
  type Shown,
} from "../core/pages/account_person.http.ts";
import type { SudoRequirement } from "../core/sudo/require_sudo.http.ts";
import { type EndingPage, endingPage } from "./ending.page.ts";

interface OwnEnding<T extends Owned> {
  readonly path: string;
  readonly verb: string;
  readonly ending: EndingPage["ending"];
  nameOf(record: Shown<T>): string;
  end(admin: AdminContext, resource: Resource<T>, id: string): Promise<unknown>;
  readonly done: AccountDone;
  readonly sudo?: SudoRequirement;
}

/** Registers the GET route of the confirmation page and the POST route that ends the record. */
export function ownEnding<T extends Owned>(
  pages: ReturnType<typeof accountPages>,
  resource: Resource<T>,
  { path, verb, ending, nameOf, end, done, sudo }: OwnEnding<T>,
): void {
  pages.get(`${path}/:id/${verb}`, async (person, _request, reply) => {
    const { page, csrf_token } = person;
    const record = await ownRecord(person, resource);
    const action = `${path}/${record.id}/${verb}`;
    const requested = { ending, name: nameOf(record), action, csrf_token, keep_href: path };
    return sendPage(reply, endingPage({ ...page, ...requested }));
  });

  pages.post(
    `${path}/:id/${verb}`,
    async (person, _request, reply) => {
      const { id } = await ownRecord(person, resource);
      await end(person.admin, resource, String(id));
      return backTo(reply, path, done);
    },
    { return_to: path, ...(sudo !== undefined && { sudo }) },
  );
}
