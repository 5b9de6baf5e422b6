import { requirePermission } from "../../../admin/access/access.ts";
import { type AdminContext, permissionsOfActor } from "../../../admin/access/actor.ts";
import { notFound } from "../../../admin/access/errors.ts";
import { detail } from "../../../errors/details.ts";
import { Problem } from "../../../errors.ts";
import { storedLanguage } from "../../../http/language.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { RequestOrigin } from "../../../records/definition/request_origin.ts";
import { wordsOf } from "../../../web/words/words.ts";
import type { HttpContext } from "../../core/http_context.http.ts";
import { countOperatorsMail } from "../../core/throttle.ts";
import { resetMailFor } from "./reset_mail.http.ts";

/**
 * Emails a user the link for a new password, or the reason why there is none (`resetMailFor`). Throws 403
 * `forbidden`, 404 `not_found`, 409 `mail_off`, 429 `throttled`.
 */
export async function sendPasswordReset(
  caller: AdminContext,
  id: string,
  origin: RequestOrigin,
  context: HttpContext,
): Promise<User> {
  await requirePermission(caller, "users:write", "users", id);
  const { platform } = await permissionsOfActor(caller);
  const actor = askingFor(caller);
  if (!platform || actor === undefined) throw new Problem("forbidden", detail("platform_only"));
  const user = await caller.store.find("users", { id: id.toLowerCase() });
  if (user === undefined) throw notFound("users", id);
  const { mail, identity } = context;
  if (mail === undefined) throw new Problem("mail_off", detail("reset_mail_off"));
  const requested = { email: user.email, origin, actor };
  const retry_after = await countOperatorsMail("password reset", user, identity);
  if (retry_after !== undefined)
    throw new Problem("throttled", detail("reset_mails_throttled"), [], { retry_after });
  const language = storedLanguage(user, context);
  mail.post(() => resetMailFor(requested, { words: wordsOf(language), language }, context));
  return user;
}

function askingFor({ actor }: AdminContext) {
  if (actor.kind === "user") return { kind: "user", id: actor.user.id } as const;
  return actor.kind === "client" ? ({ kind: "client", id: actor.app.id } as const) : undefined;
}
