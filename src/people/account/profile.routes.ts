import type { FastifyInstance, FastifyReply } from "fastify";
import { permissionsOfActor } from "../../admin/access/actor.ts";
import { hiddenPictures } from "../../admin/changes/hidden_pictures.ts";
import { etagOf, getRecord, inState } from "../../admin/manage/manage.ts";
import { patchRecord } from "../../admin/manage/patch_record.ts";
import { users } from "../../admin/resources/people.ts";
import type { FieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { sendPage } from "../../http/page.ts";
import { shownPicture } from "../../http/pictures.ts";
import type { Params } from "../../oauth/core/params.ts";
import type { SignedIn } from "../../records/definition/request_origin.ts";
import { longestOf } from "../../records/definition/view.ts";
import { trimEmail } from "../../records/names/email.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import {
  type AccountPerson,
  accountPages,
  backTo,
  shown,
  timeOf,
} from "../core/pages/account_person.http.ts";
import { pendingEmail } from "./email/change_email.ts";
import { mayChangeOwnEmail, ownEmailPath } from "./email/own_email.routes.ts";
import { mayDeleteOwnAccount, ownDeletionPath } from "./endings/own_deletion.routes.ts";
import { attributesPatch, type OwnAttribute, ownAttributes, typedAttributes } from "./own_attributes.ts";
import { mayExport, ownDataPath } from "./own_data.routes.ts";
import { type ProfileError, type ProfilePage, profilePage } from "./profile.page.ts";

type Answer = Pick<ProfilePage, "errors" | "changed_meanwhile"> & {
  readonly status: number;
  readonly typed?: ProfilePage["typed"];
  readonly typed_attributes?: ReadonlyMap<string, string>;
  readonly attribute_errors?: readonly FieldError[];
};

async function sendProfile(
  person: AccountPerson,
  reply: FastifyReply,
  { status, typed, errors, changed_meanwhile, ...ofAttributes }: Answer,
  context: HttpContext,
): Promise<FastifyReply> {
  const { admin, page, done, csrf_token, signedIn } = person;
  const view = await getRecord(admin, users, signedIn.user.id);
  const user = shown(users, view);
  const { name, email, avatar_url } = user;
  const answer = profilePage({
    ...page,
    user: {
      ...user,
      avatar_url: shownPicture(avatar_url, context) ?? null,
      created_at: timeOf(user.created_at),
      last_login_at: timeOf(user.last_login_at),
    },
    typed: typed ?? { name, email, avatar_url: avatar_url ?? "" },
    longest_name: longestOf("users", "name"),
    email_is_theirs: await mayTypeEmail(person, context),
    email_href: mayChangeOwnEmail(context) ? ownEmailPath : undefined,
    pending_email: mayChangeOwnEmail(context)
      ? await pendingEmail(signedIn.user, context.identity)
      : undefined,
    data_href: mayExport(context) ? ownDataPath : undefined,
    deletion_href: mayDeleteOwnAccount(context) ? ownDeletionPath : undefined,
    has_password: signedIn.user.password_hash !== null,
    csrf_token,
    etag: etagOf(view),
    errors,
    attributes: shownAgain(await ownAttributes(user, context.identity.store), ofAttributes),
    changed_meanwhile,
    done,
    hidden_picture_host: hiddenPictures("users", user, context.picture_hosts ?? [])[0]?.host,
  });
  return sendPage(reply, answer, { status });
}

function shownAgain(
  attributes: readonly OwnAttribute[],
  { typed_attributes, attribute_errors = [] }: Pick<Answer, "typed_attributes" | "attribute_errors">,
): ProfilePage["attributes"] {
  const errorOf = ({ name }: OwnAttribute) =>
    attribute_errors.find(({ path }) => path === `/attributes/${name}`);
  const first = attributes.find((each) => errorOf(each) !== undefined);
  return attributes.map((each) => ({
    ...each,
    typed: typed_attributes?.get(each.name),
    error: errorOf(each),
    autofocus: each === first,
  }));
}

/**
 * The address is used for sign-in, so only platform administrators may type a new one without proving that
 * they own the mailbox. If users may change their addresses with a mailed link, administrators must do so
 * too.
 */
async function mayTypeEmail({ admin }: AccountPerson, context: HttpContext): Promise<boolean> {
  return !mayChangeOwnEmail(context) && (await permissionsOfActor(admin)).platform;
}

export function profileRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);
  pages.get("/account", (person, _, reply) =>
    sendProfile(person, reply, { status: 200, errors: [] }, context),
  );

  pages.post(
    "/account",
    async (person, _, reply) => {
      const { admin, params, signedIn } = person;
      const typed = {
        name: (params.get("name") ?? "").trim(),
        avatar_url: (params.get("avatar_url") ?? "").trim(),
        email: trimEmail(params.get("email") ?? ""),
      };
      const attributes = await ownAttributes(signedIn.user, context.identity.store);
      const typed_attributes = typedAttributes(attributes, params);
      const patch = attributesPatch(attributes, typed_attributes);
      const current_password = params.get("current_password") ?? "";
      const input = {
        name: typed.name,
        avatar_url: typed.avatar_url === "" ? null : typed.avatar_url,
        ...(patch !== undefined && { attributes: patch }),
        ...((await mayTypeEmail(person, context)) && { email: typed.email }),
        // Passes the password only with a changed email address, because browsers fill the field in
        // automatically.
        ...(current_password !== "" && typed.email !== signedIn.user.email && { current_password }),
      };
      try {
        const seen = await inState(admin, users, params.get("etag") ?? "");
        await patchRecord(admin, users, signedIn.user.id, input, seen);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (error.code === "stale") {
          return sendProfile(
            person,
            reply,
            { status: 412, typed, typed_attributes, errors: [], changed_meanwhile: true },
            context,
          );
        }
        const errors = error.errors.flatMap(({ path }) => errorAt(path, error.code));
        const attribute_errors = error.errors.filter(({ path }) => path.startsWith("/attributes/"));
        if (errors.length + attribute_errors.length === 0) throw error;
        const again = { status: 422, typed, typed_attributes, errors, attribute_errors };
        return sendProfile(person, reply, again, context);
      }
      return backTo(reply, "/account", "profile_saved");
    },
    { return_to: "/account", most_fields: 300, sudo: { when: changesEmail, asks_password: true } },
  );
}

/** The email address receives password reset links, so changing it requires reauthentication (sudo). */
function changesEmail(fields: Params, { user }: SignedIn): boolean {
  const email = trimEmail(fields.get("email") ?? "");
  return email !== "" && email !== user.email;
}

function errorAt(path: string, code: string): ProfileError[] {
  if (path === "/name") return ["name"];
  if (path === "/avatar_url") return ["avatar_url"];
  if (path === "/current_password") return ["current_password"];
  if (path === "/attributes") return ["attributes"];
  if (path === "/email") return [code === "conflict" ? "email_taken" : "email"];
  return [];
}
