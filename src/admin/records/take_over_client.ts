import { fieldError } from "../../errors/field_errors.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import { checkChange } from "../../records/formats/check.ts";
import { scopesOf } from "../../records/formats/resource_scopes.ts";
import { isReservedScope } from "../../records/names/names.ts";
import { isOpenClient } from "../../records/rules/client_record.ts";
import { withinLimits } from "../../records/rules/open_clients.ts";
import { requirePlatform } from "../access/access.ts";
import { withPerson } from "../access/acting_person.ts";
import type { AdminContext } from "../access/actor.ts";
import { assertValid, type Input } from "../access/errors.ts";
import { changeRecord, type Expected, type Transaction } from "../changes/changes.ts";
import { referenceErrors } from "../changes/references.ts";

const mostApis = 200;

/**
 * Turns a client that registered itself by a metadata document into an app with a name and an owner. Throws
 * 403 `forbidden`, 404 `not_found`, 422 `invalid_record`, 409 `conflict`.
 */
export async function takeOverClient(
  context: AdminContext,
  id: string,
  values: Input,
  expected?: Expected<"oauth_apps">,
): Promise<OAuthApp> {
  await requirePlatform(context);
  const input = await withPerson(context, values, "owner_id");
  return changeRecord(
    context,
    "oauth_apps",
    id,
    async (current, tx) => {
      const { errors, record } = checkChange("oauth_apps", current, input);
      const all = [...errors, ...(await referenceErrors(context, tx, "oauth_apps", record))];
      if (current.provenance !== "metadata_document") all.push(fieldError("/provenance", "not_by_document"));
      for (const name of ["name", "owner_id"]) {
        if (!Object.hasOwn(input, name)) all.push(fieldError(`/${name}`, "required"));
      }
      assertValid("oauth_apps", { errors: all, record });
      return { ...(await registeredMembers(tx, current)), ...record };
    },
    { expected, verb: "registered", also: (tx) => tx.remove("client_documents", { app_id: id }) },
  );
}

/**
 * Returns the client's record as a registered app. It then contains the limits and scopes that applied to it
 * only as an open client.
 */
async function registeredMembers(tx: Transaction, current: OAuthApp): Promise<Partial<OAuthApp>> {
  const app = withinLimits(current);
  const apis = await tx.list("resources", { who_may_ask: "any", active: true }, { limit: mostApis });
  const isTheirs = (name: string) => !isReservedScope(name);
  const scopes = [...new Set([...app.allowed_scopes, ...apis.flatMap(scopesOf)])].filter(isTheirs);
  const unasked = [...new Set(apis.flatMap(({ default_scopes }) => default_scopes))].filter(isTheirs);
  return {
    ...app,
    provenance: "registered",
    allowed_scopes: scopes,
    default_scopes: unasked.length > 0 ? unasked : ["openid"],
    localhost_any_port: app.redirect_uris.some((uri) => URL.parse(uri)?.hostname === "localhost"),
    gone_at: null,
  };
}

/**
 * Returns whether the app registered itself by a metadata document and an administrator later took it over.
 */
export function wasRegisteredFromDocument(app: Pick<OAuthApp, "provenance" | "document_hash">): boolean {
  return !isOpenClient(app) && app.document_hash !== null;
}
