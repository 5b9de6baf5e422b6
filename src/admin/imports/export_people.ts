/**
 * Exports all users with their sign-in methods, in the format that `POST /api/v1/import/people` accepts
 * (MG-10).
 */
import { detail } from "../../errors/details.ts";
import { Problem } from "../../errors.ts";
import type { Membership, User } from "../../records/definition/definition.ts";
import type { AdminContext } from "../access/actor.ts";
import { sealerOf } from "../access/actor.ts";
import { logEvent, recordEvent } from "../changes/audit.ts";

/** Bounds the memory of an export. */
const pageSize = 200;

/** Yields one object for each user. Throws 403 `forbidden` unless called from the command line. */
export async function* exportPeople(
  context: AdminContext,
  { with_hashes }: { readonly with_hashes: boolean },
): AsyncGenerator<object> {
  const { store, actor } = context;
  if (actor.kind !== "system") throw new Problem("forbidden", detail("platform_only"));
  const event = {
    type: "records_exported",
    target_table: "users",
    details: { format: "people", with_hashes },
  } as const;
  await recordEvent(context, event);
  logEvent(context, event);
  let after: string | undefined;
  for (;;) {
    const options = { order_by: "id", limit: pageSize, ...(after !== undefined && { after }) } as const;
    const users = await store.list("users", {}, options);
    for (const user of users) yield await personOf(user, with_hashes, context);
    after = users.at(-1)?.id;
    if (users.length < pageSize || after === undefined) return;
  }
}

async function personOf(user: User, with_hashes: boolean, context: AdminContext): Promise<object> {
  const { store } = context;
  const { id, email, email_verified_at, name, avatar_url, active, created_at, webauthn_handle } = user;
  const of = { user_id: id };
  const [passkeys, linked, memberships, apps, stored] = await Promise.all([
    store.list("passkeys", of),
    store.list("oauth_accounts", of),
    store.list("memberships", of),
    with_hashes ? store.list("totp_authenticators", of) : [],
    with_hashes ? store.storedPassword(user) : undefined,
  ]);
  const { text, scheme } = stored ?? {};
  return {
    ...{ external_id: id, id, email, name, active, created_at },
    ...(email_verified_at && { email_verified_at }),
    ...(avatar_url && { avatar_url }),
    ...(Object.keys(user.attributes ?? {}).length > 0 && { attributes: user.attributes }),
    ...(user.is_platform_admin && { is_platform_admin: true }),
    ...(webauthn_handle && { webauthn_user_handle: Buffer.from(webauthn_handle).toString("base64url") }),
    ...(text !== undefined && { password: scheme === undefined ? { argon2id: text } : { hash: text } }),
    ...(apps.length > 0 && {
      totp: apps.map(({ id: app_id, name: called, secret_sealed }) => ({
        name: called,
        otpauth: otpauthOf(email, sealerOf(context).open("totp_authenticator", secret_sealed, app_id)),
      })),
    }),
    ...(passkeys.length > 0 && {
      passkeys: passkeys.map(({ signs_in, uv_initialized, ...passkey }) => ({
        ...{ credential_id: passkey.credential_id, public_key: passkey.public_key, name: passkey.name },
        ...{ counter: passkey.counter, rp_id: passkey.rp_id, transports: passkey.transports },
        ...{ aaguid: passkey.aaguid, backup_eligible: passkey.backup_eligible, backed_up: passkey.backed_up },
        ...{ discoverable: signs_in, user_verified: uv_initialized },
      })),
    }),
    ...(linked.length > 0 && {
      linked_accounts: linked.map(({ provider, provider_user_id }) => ({ provider, provider_user_id })),
    }),
    ...(memberships.length > 0 && {
      memberships: await Promise.all(memberships.map((membership) => membershipOf(membership, store))),
    }),
  };
}

/** Some authenticator apps support no other values of these parameters. */
const otpauthOf = (email: string, secret: string) =>
  `otpauth://totp/${encodeURIComponent(email)}?secret=${secret}&algorithm=SHA1&digits=6&period=30`;

async function membershipOf(
  { id, user_id, organization_id, role, permissions, role_ids, app_role_ids }: Membership,
  store: AdminContext["store"],
): Promise<object> {
  const [organization, members] = await Promise.all([
    store.find("organizations", { id: organization_id }),
    store.list("group_members", { user_id }),
  ]);
  const groups = await Promise.all(
    members
      .filter(({ membership_id }) => membership_id === id)
      .map(({ group_id }) => store.find("groups", { id: group_id })),
  );
  const roles = await Promise.all(role_ids.map((role_id) => store.find("roles", { id: role_id })));
  const app_roles = await Promise.all(
    app_role_ids.map(async (role_id) => {
      const found = await store.find("app_roles", { id: role_id });
      const api = found && (await store.find("resources", { id: found.resource_id }));
      return api && `${api.identifier}#${found.name}`;
    }),
  );
  const given = {
    permissions,
    role_ids: roles.flatMap((found) => found?.name ?? []),
    app_role_ids: app_roles.flatMap((found) => found ?? []),
    groups: groups.flatMap((found) => found?.display_name ?? []),
  };
  const filled = Object.entries(given).filter(([, names]) => (names?.length ?? 0) > 0);
  return { organization: organization?.slug ?? organization_id, role, ...Object.fromEntries(filled) };
}
