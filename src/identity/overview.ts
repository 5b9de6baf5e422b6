import type { User } from "../records/definition.ts";
import type { IdentityContext } from "./context.ts";

/** What a person sees of their own account. */
export interface Overview {
  readonly user: User;
  /** The apps that may use the account now, by name. */
  readonly apps: readonly { readonly name: string; readonly since: Date }[];
}

/** A user's record as it stands now, and the apps they let use the account (requirements A-20). */
export async function overviewOf(user: User, { store }: IdentityContext): Promise<Overview> {
  const consents = await store.list("oauth_consents", { user_id: user.id, granted: true, revoked: false });
  const apps = await Promise.all(
    consents.map(async ({ app_id, granted_at }) => {
      const client = await store.findClientOfApp(app_id);
      return client === undefined ? [] : [{ name: client.app.name, since: granted_at }];
    }),
  );
  return {
    user: (await store.find("users", { id: user.id })) ?? user,
    apps: apps.flat().sort((a, b) => a.name.localeCompare(b.name, "en")),
  };
}
