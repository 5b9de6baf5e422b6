/** Firebase: the JSON of `firebase auth:export`, and the hash parameters that Firebase's console shows. */
import { type Members, membersOf } from "../core/members.ts";
import type { ImportMap, Sink } from "../core/moved.ts";
import { addPerson } from "../core/people.ts";
import { linkedAccount } from "../core/providers.ts";
import type { Source } from "../core/source.ts";

const providers: Readonly<Record<string, string>> = {
  "google.com": "google",
  "github.com": "github",
  "facebook.com": "facebook",
  "apple.com": "apple",
};

export const firebase: Source = {
  name: "firebase",
  signs: ["localId"],
  arrays: ["users"],
  begin: (sink, map) => ({
    element(value) {
      let called = "user ?";
      const user = membersOf(value, () => called, sink.lose);
      const email = user.text("email");
      const external_id = user.text("localId");
      called = `user ${email ?? external_id ?? "?"}`;
      const created_at = user.moment("createdAt");
      const isAdded = addPerson(
        {
          external_id,
          email,
          email_verified_at: user.flag("emailVerified") ? (created_at ?? map.exported_at) : undefined,
          name: user.text("displayName"),
          avatar_url: user.text("photoUrl"),
          active: user.flag("disabled", true) !== true,
          created_at,
          hash: hashOf(user, called, map, sink),
          linked_accounts: user.list("providerUserInfo").flatMap((each) => {
            const account = membersOf(each, called, sink.lose, "providerUserInfo");
            const kind = account.text("providerId") ?? "?";
            if (["password", "phone"].includes(kind)) return [];
            const alias = (Object.hasOwn(providers, kind) ? providers[kind] : undefined) ?? kind;
            return linkedAccount({ alias, kind, id: account.text("rawId") }, map, (member, reason) =>
              sink.lose({ object: called, member, reason }),
            );
          }),
        },
        called,
        sink,
      );
      if (!isAdded) return;
      user.pass(
        "lastSignedInAt",
        "lastLoginAt",
        "lastRefreshAt",
        "validSince",
        "passwordUpdatedAt",
        "salt",
        "version",
      );
      user.lose("customAttributes", "user attributes are not supported");
      user.lose("mfaInfo", "phones are not supported as second factors: users enroll again");
      user.lose("phoneNumber", "phone numbers are not supported");
      user.end();
    },
  }),
};

function hashOf(user: Members, called: string, { firebase }: ImportMap, sink: Sink): string | undefined {
  const hash = user.text("passwordHash");
  if (hash === undefined) return undefined;
  if (firebase === undefined) {
    const reason = "the project's hash parameters are missing: set firebase in --map";
    sink.lose({ object: called, member: "passwordHash", reason });
    return undefined;
  }
  const { signer_key, salt_separator, rounds, mem_cost } = firebase;
  const cost = `ln=${mem_cost},r=${rounds},p=1`;
  return `$firescrypt$${cost}$${user.text("salt") ?? ""}$${hash}$${salt_separator}$${signer_key}`;
}
