/**
 * Amazon Cognito: `list-users` as JSON, or CSV with the header of Cognito's import jobs. Exports of Cognito
 * contain no hashes.
 */
import { isObject } from "../../records/names/json_shapes.ts";
import { membersOf } from "../core/members.ts";
import { addPerson, joinedName } from "../core/people.ts";
import { linkedAccount } from "../core/providers.ts";
import type { Source } from "../core/source.ts";

function flattened(value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, "Attributes")) return value;
  const { Attributes: attributes, ...members } = value;
  const pairs = (Array.isArray(attributes) ? attributes : []).flatMap((each: unknown) =>
    isObject(each) && typeof each.Name === "string" ? [[each.Name, each.Value] as const] : [],
  );
  return { ...members, ...Object.fromEntries(pairs) };
}

export const cognito: Source = {
  name: "cognito",
  signs: ["Users", "UserStatus", "cognito:username"],
  arrays: ["Users"],
  begin: (sink, map) => ({
    element(value) {
      let called = "user ?";
      const user = membersOf(flattened(value), () => called, sink.lose);
      const email = user.text("email");
      const username = user.text("Username") ?? user.text("cognito:username");
      // Applications identify users by `sub`. In some pools, the username differs from it.
      const external_id = user.text("sub") ?? username;
      called = `user ${email ?? external_id ?? "?"}`;
      const lose = (member: string, reason: string) => sink.lose({ object: called, member, reason });
      const created_at = user.moment("UserCreateDate");
      const isAdded = addPerson(
        {
          external_id,
          email,
          email_verified_at: user.flag("email_verified") ? (created_at ?? map.exported_at) : undefined,
          name: user.text("name") ?? joinedName(user.text("given_name"), user.text("family_name")),
          avatar_url: user.text("picture"),
          active: user.flag("Enabled", false),
          created_at,
          linked_accounts: identitiesIn(user.raw("identities")).flatMap((each) => {
            const identity = membersOf(each, called, sink.lose, "identities");
            const alias = identity.text("providerName") ?? "?";
            return linkedAccount({ alias, id: identity.text("userId") }, map, lose);
          }),
        },
        called,
        sink,
      );
      if (!isAdded) return;
      if (user.text("UserStatus") !== "EXTERNAL_PROVIDER")
        lose("password", "Cognito does not export password hashes: users need a new password");
      user.pass("UserLastModifiedDate", "updated_at", "given_name", "family_name");
      if (username !== email && username !== external_id)
        user.lose("Username", "usernames are not supported: users sign in with their email address");
      user.lose("MFAOptions", "Cognito does not export second factors: users enroll again");
      user.lose("cognito:mfa_enabled", "Cognito does not export second factors: users enroll again");
      for (const name of ["phone_number", "phone_number_verified"])
        user.lose(name, "phone numbers are not supported");
      user.end("user attributes are not supported");
    },
  }),
};

function identitiesIn(value: unknown): unknown[] {
  if (typeof value !== "string") return [];
  try {
    const found: unknown = JSON.parse(value);
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}
