import type { FastifyInstance, FastifyReply } from "fastify";
import { permissionsOfActor } from "../../admin/access/actor.ts";
import { grantableScopes } from "../../admin/access/grantable.ts";
import { listRecords } from "../../admin/manage/list_records.ts";
import { revokeRecord } from "../../admin/manage/manage.ts";
import { apiKeys } from "../../admin/resources/machines.ts";
import type { FieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { chosenPermissions } from "../../http/chosen_permissions.ts";
import { createOnce, formIdIn } from "../../http/create_once.ts";
import { sendPage } from "../../http/page.ts";
import { longestOf } from "../../records/definition/view.ts";
import { hasPassed } from "../../records/names/liveness.ts";
import { scopeDescriptions } from "../../web/scope_descriptions.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { type AccountPerson, accountPages, shown, timeOf } from "../core/pages/account_person.http.ts";
import { apiKeyMadePage, apiKeysPage } from "./api_keys.page.ts";
import {
  type KeyLifetime,
  keyLifetimes,
  type NewApiKeyError,
  type NewApiKeyPage,
  newApiKeyPage,
} from "./new_api_key.page.ts";
import { ownEnding } from "./own_ending.http.ts";

const path = "/account/api-keys";
const pageLength = "25";
const day = 86_400_000;
const usualLifetime: KeyLifetime = 90;

export function ownApiKeyRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = accountPages(app, context);
  const { now } = context.server;

  pages.get(path, async ({ admin, signedIn, page, params, done }, _, reply) => {
    const cursor = params.get("cursor");
    const { data, next_cursor } = await listRecords(admin, apiKeys, {
      user_id: signedIn.user.id,
      revoked: "false",
      limit: pageLength,
      ...(cursor !== undefined && { cursor }),
    });
    const keys = data.map((view) => {
      const { id, name, key_prefix: prefix, scopes, ...key } = shown(apiKeys, view);
      const expires_at = timeOf(key.expires_at);
      const expired = expires_at !== null && hasPassed(expires_at, now());
      return { id, name, prefix, scopes, expires_at, expired, last_used_at: timeOf(key.last_used_at) };
    });
    const first_href = cursor && path;
    const next_href = next_cursor === null ? undefined : `${path}?cursor=${next_cursor}`;
    return sendPage(reply, apiKeysPage({ ...page, keys, first_href, next_href, done }));
  });

  async function sendForm(
    { admin, signedIn, page, csrf_token }: AccountPerson,
    reply: FastifyReply,
    typed: NewApiKeyPage["typed"],
    errors: readonly NewApiKeyError[] = [],
    form_id = admin.store.newId(admin.now()),
  ): Promise<FastifyReply> {
    const owner = { user_id: signedIn.user.id, organization_id: null };
    const values = await grantableScopes(admin.store, await permissionsOfActor(admin), owner);
    const scopes = scopeDescriptions(values, page);
    const longest_name = longestOf("api_keys", "name");
    const answer = newApiKeyPage({ ...page, csrf_token, form_id, scopes, typed, errors, longest_name });
    return sendPage(reply, answer, { status: errors.length === 0 ? 200 : 422 });
  }

  pages.get(`${path}/new`, (person, _, reply) =>
    sendForm(person, reply, { name: "", lifetime: usualLifetime, scopes: [] }),
  );

  pages.post(
    `${path}/new`,
    async (person, _, reply) => {
      const { admin, signedIn, params, page } = person;
      const name = (params.get("name") ?? "").trim();
      const lifetime = readLifetime(params.get("lifetime"));
      const scopes = chosenPermissions(params, "scope", params.all("scope")) ?? [];
      const typed = { name, lifetime: lifetime ?? usualLifetime, scopes };
      const early: NewApiKeyError[] = [];
      if (name === "") early.push("name");
      if (lifetime === undefined) early.push("lifetime");
      if (scopes.length === 0) early.push("scopes");
      if (lifetime === undefined || early.length > 0) return sendForm(person, reply, typed, early);
      const expires_at = lifetime === null ? null : new Date(now().getTime() + lifetime * day).toISOString();
      try {
        const input = { name, scopes, expires_at, user_id: signedIn.user.id };
        const sent = { params, form_id: formIdIn(params), path: `${path}/new` };
        const { once } = await createOnce(admin, apiKeys, input, sent);
        const { key = "" } = once;
        return sendPage(reply, apiKeyMadePage({ ...page, return_to: path, name, key }));
      } catch (error) {
        const errors = error instanceof Problem ? errorsOf(error.errors) : [];
        if (errors.length === 0) throw error;
        return sendForm(person, reply, typed, errors);
      }
    },
    { return_to: `${path}/new`, sudo: true },
  );

  ownEnding<"api_keys">(pages, apiKeys, {
    path,
    verb: "revoke",
    ending: { kind: "api_key" },
    nameOf: ({ name }) => name,
    end: revokeRecord,
    done: "key_revoked",
    sudo: true,
  });
}

function readLifetime(text: string | undefined): KeyLifetime | undefined {
  return keyLifetimes.find((days) => String(days ?? "never") === text);
}

function errorsOf(errors: readonly FieldError[]): NewApiKeyError[] {
  const found = new Set<NewApiKeyError>();
  for (const { path: at } of errors) {
    if (at === "/name") found.add("name");
    else if (at === "/scopes" || at.startsWith("/scopes/")) found.add("scopes_refused");
    else if (at === "/expires_at") found.add("lifetime");
  }
  return [...found];
}
