import type { FastifyInstance, FastifyReply } from "fastify";
import { permissionsOfActor } from "../../../admin/access/actor.ts";
import { administers } from "../../../admin/access/administers.ts";
import { notFound } from "../../../admin/access/errors.ts";
import { getRecord } from "../../../admin/manage/manage.ts";
import type { Resource } from "../../../admin/manage/resource.ts";
import { readCookie } from "../../../http/cookies.ts";
import type { ColumnOf, Row, TableName } from "../../../records/definition/definition.ts";
import type { SignedIn } from "../../../records/definition/request_origin.ts";
import type { PublicView } from "../../../records/definition/view.ts";
import { isUuid } from "../../../records/formats/check.ts";
import type { Html } from "../../../web/html/html.ts";
import { lostIn, waitingRecovery } from "../delayed_recovery.ts";
import type { HttpContext } from "../http_context.http.ts";
import type { AccountDone, AccountLocale } from "./account_frame.view.ts";
import { type PageContext, personPages } from "./person_pages.http.ts";

export interface AccountPerson extends PageContext {
  readonly page: AccountLocale;
  readonly done: AccountDone | undefined;
  readonly browser_marks: string | undefined;
}

/** Returns the functions of `personPages` for the account pages. */
export function accountPages(app: FastifyInstance, context: HttpContext) {
  return personPages<AccountPerson>(app, context, async (person, request, return_to) => {
    const { locale, admin, params } = person;
    const recovery = await waitingRecovery(person.signedIn.user, context.identity);
    const { name, email } = person.signedIn.user;
    const page: AccountLocale = {
      ...locale,
      person: { name, email },
      ...(recovery && {
        recovery: { due_at: recovery.due_at, lost: lostIn(recovery), csrf_token: person.csrf_token },
      }),
      ...(request.method === "POST" && return_to !== undefined && { return_to }),
      administers: administers(await permissionsOfActor(admin)),
      ...(request.method === "GET" && { signals: await signalsFor(person.signedIn, context) }),
    };
    const word = request.method === "GET" ? params.get("done") : undefined;
    const done = word !== undefined && Object.hasOwn(page.words.account.done, word) ? word : undefined;
    const browser_marks = readCookie(request, "browser", context.secure);
    return { ...person, page, done: done as AccountDone | undefined, browser_marks };
  });
}

async function signalsFor(signedIn: SignedIn, context: HttpContext): Promise<readonly Html[]> {
  const signals = await Promise.all(context.authenticators.map((each) => each.signal?.(signedIn, context)));
  return signals.filter((signal) => signal !== undefined);
}

export const securityPath = "/account/security";

/** Redirects to an account page, which confirms the action. */
export function backTo(reply: FastifyReply, path: string, done: AccountDone): FastifyReply {
  return reply.redirect(`${path}?done=${done}`, 303);
}

export type Shown<T extends TableName> = { readonly [K in ColumnOf<T>]: Timeless<Row<T>[K & keyof Row<T>]> };
type Timeless<V> = V extends Date ? string : V;

/** Returns a management result with the column types of its table. */
export function shown<T extends TableName>(_resource: Resource<T>, view: PublicView): Shown<T> {
  return view as Shown<T>;
}

export type Owned = "sessions" | "oauth_accounts" | "api_keys" | "memberships";

/**
 * Returns one of the user's own records. Throws 404 `not_found` for other users' records, whatever
 * permissions the user has, because administrators manage those in the console.
 */
export async function ownRecord<T extends Owned>(
  { admin, signedIn, id }: AccountPerson,
  resource: Resource<T>,
): Promise<Shown<T>> {
  if (!isUuid(id)) throw notFound(resource.table, id);
  const view = await getRecord(admin, resource, id);
  if (view.user_id !== signedIn.user.id) throw notFound(resource.table, id);
  return shown(resource, view);
}

export function timeOf(text: string): Date;
export function timeOf(text: string | null): Date | null;
export function timeOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
