/** The stored copy of a client's metadata document (PR-20). */

import type { OAuthApp } from "../../records/definition/definition.ts";
import type { RequestOrigin } from "../../records/definition/request_origin.ts";
import type { Rate } from "../../records/names/leaky_buckets.ts";
import { recordLock } from "../../records/names/lock_names.ts";
import type { ClientRecord } from "../../records/rules/client_record.ts";
import type { Transaction } from "../../storage/ports.ts";
import { type ClientDocument, securityHash, securityMembers } from "../client_metadata/client_document.ts";
import type { FetchedDocument } from "../client_metadata/client_documents.ts";
import { isAdmitted } from "../core/memory.ts";
import { isRegistered } from "../core/redirect_uri.ts";
import { rulesFor } from "../core/rules_for.ts";
import type { AuthorizationServer } from "../core/server.ts";
import { refuse } from "../refusals/refuse.ts";
import { appOfDocument, columnsOfDocument } from "./app_of_document.ts";
import type { Requester } from "./client_source.ts";
import { ownerOfOpenClients } from "./impersonal_user.ts";

const rates = {
  person: { size: 20, every: 60_000 },
  all: { size: 500, every: 5000 },
} as const satisfies Record<string, Rate>;

function refuseTooMany({ signedIn }: Requester, server: AuthorizationServer): void {
  const shares = [
    [`person ${signedIn.user.id}`, rates.person],
    ["all", rates.all],
  ] as const;
  if (!isAdmitted("client_documents", shares, server))
    throw refuse("client_document_throttled", { retry_after: 60 });
}

/**
 * Stores a client when a signed-in user requests it. If several processes try at the same time, only one
 * stores it.
 */
export async function storeClient(
  client_id: string,
  { document, fetched_at, expires_at }: FetchedDocument,
  requester: Requester,
  server: AuthorizationServer,
): Promise<ClientRecord> {
  const { store, report } = server;
  refuseTooMany(requester, server);
  const at = server.now();
  const id = store.newId(at);
  const made = await store.transaction(async (tx) => {
    const owner_id = await ownerOfOpenClients(tx, store, at);
    await tx.lock(recordLock("client_documents", client_id));
    if ((await tx.find("oauth_apps", { client_id })) !== undefined) return false;
    await tx.insert("oauth_apps", appOfDocument(document, { id, client_id, owner_id, at }));
    const app_id = id;
    await tx.insert("client_documents", {
      id: store.newId(at),
      app_id,
      fetched_at,
      expires_at,
      created_at: at,
    });
    return true;
  });
  if (made) {
    report({
      type: "client_document_stored",
      outcome: "success",
      actor: { kind: "user", id: requester.signedIn.user.id },
      target: { table: "oauth_apps", id },
      origin: requester.origin,
      details: { client_id, ...saidOf(document) },
    });
  }
  const client = await store.findClient(client_id);
  if (client === undefined) throw refuse("client_document_unavailable", { retry_after: 1 });
  return client;
}

function saidOf(said: Pick<ClientDocument, (typeof securityMembers)[number]>): Record<string, string> {
  return Object.fromEntries(
    securityMembers.map((name) => {
      const value = said[name];
      return [name, typeof value === "string" ? value : JSON.stringify(value)];
    }),
  );
}

/** Updates the client from a document that was fetched again. */
export async function renewClient(
  { id, client_id }: OAuthApp,
  { document, fetched_at, expires_at }: FetchedDocument,
  origin: RequestOrigin,
  server: AuthorizationServer,
): Promise<ClientRecord> {
  const { store, report } = server;
  const document_hash = securityHash(document);
  const columns = columnsOfDocument(document);
  const before = await store.findClientOfApp(id);
  const isSame = (app: OAuthApp) =>
    app.document_hash === document_hash &&
    app.gone_at === null &&
    app.dpop_bound_access_tokens === columns.dpop_bound_access_tokens &&
    app.token_endpoint_auth_signing_alg === columns.token_endpoint_auth_signing_alg &&
    app.allowed_grants.join() === columns.allowed_grants.join();
  const fetched = { fetched_at, expires_at };
  if (before !== undefined && isSame(before.app)) {
    await store.update("client_documents", { app_id: id }, fetched);
    return before;
  }
  const changed = await store.transaction(async (tx) => {
    await tx.lock(recordLock("oauth_apps", id));
    const app = await tx.find("oauth_apps", { id });
    if (app === undefined || app.provenance !== "metadata_document") return undefined;
    await tx.update("client_documents", { app_id: id }, fetched);
    if (isSame(app)) return undefined;
    const [row] = await tx.change("oauth_apps", { id }, { ...columns, updated_at: server.now() });
    if (row !== undefined) await endCodes(tx, row, server);
    return app;
  });
  if (changed !== undefined && changed.document_hash !== document_hash) {
    const [was, is] = [saidOf(changed as ClientDocument & OAuthApp), saidOf(document)];
    const names = securityMembers.filter((name) => was[name] !== is[name]);
    report({
      type: "client_document_changed",
      outcome: "success",
      actor: { kind: "system" },
      target: { table: "oauth_apps", id },
      origin,
      details: Object.fromEntries(
        names.flatMap((name) => [
          [`${name}_before`, was[name] ?? ""],
          [`${name}_after`, is[name] ?? ""],
        ]),
      ),
    });
  }
  const client = await store.findClient(client_id);
  if (client === undefined) throw refuse("client_id", { client_id });
  return client;
}

/** Milliseconds. No setting lets an authorization code live longer. */
const longestCode = 601_000;

async function endCodes(tx: Transaction, app: OAuthApp, server: AuthorizationServer): Promise<void> {
  const { any_port } = rulesFor(app, server).redirect_uris;
  // Ids begin with the time, so this reads only codes that may still be redeemed.
  const after = server.store.newId(new Date(server.now().getTime() - longestCode));
  const codes = await tx.list("oauth_auth_codes", { app_id: app.id, used: false }, { order_by: "id", after });
  for (const { id, redirect_uri } of codes) {
    if (!isRegistered(redirect_uri, app.redirect_uris, any_port))
      await tx.remove("oauth_auth_codes", { id, used: false });
  }
}

/** Records that the client withdrew its document. After the time `from`, the client counts as unknown. */
export async function noteGone(
  { id, gone_at, client_id }: OAuthApp,
  from: Date,
  origin: RequestOrigin,
  { store, report }: AuthorizationServer,
): Promise<void> {
  if (gone_at !== null) return;
  const changed = await store.update(
    "oauth_apps",
    { id, gone_at: null, provenance: "metadata_document" },
    { gone_at: from },
  );
  if (changed === 0) return;
  report({
    type: "client_document_gone",
    outcome: "success",
    actor: { kind: "system" },
    target: { table: "oauth_apps", id },
    origin,
    details: { client_id, gone_at: from.toISOString() },
  });
}
