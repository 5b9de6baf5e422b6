import type { AdminContext } from "./actor.ts";
import type { Input } from "./errors.ts";

async function actingPerson({ actor, store }: AdminContext): Promise<string | undefined> {
  switch (actor.kind) {
    case "system":
      return undefined;
    case "user":
      return actor.user.id;
    case "service_account":
      return actor.account.created_by;
    case "client":
      return actor.app.owner_id;
    case "organization": {
      const where = { organization_id: actor.organization.id, role: "owner" };
      const [owner] = await store.list("memberships", where, { limit: 1 });
      return owner?.user_id;
    }
    default:
      return actor satisfies never;
  }
}

/**
 * Returns the input with the field that `name` names set to the id of the user for whom the actor acts. The
 * input is unchanged if it has the field, or if there is no such user.
 */
export async function withPerson(context: AdminContext, input: Input, name: string): Promise<Input> {
  if (Object.hasOwn(input, name)) return input;
  const person = await actingPerson(context);
  return person === undefined ? input : { ...input, [name]: person };
}
