/** Another Postern server: the lines of `postern export --people`. */
import { membersOf } from "../core/members.ts";
import type { MovedPerson } from "../core/moved.ts";
import type { Source } from "../core/source.ts";

/** Fields that are passed on unchanged, because the server validates them. */
const carried = [
  ...["id", "email_verified_at", "name", "avatar_url", "active", "created_at", "webauthn_user_handle"],
  ...["password", "totp", "passkeys", "linked_accounts", "memberships", "attributes"],
  "is_platform_admin",
];

export const postern: Source = {
  name: "postern",
  signs: ["webauthn_user_handle", "linked_accounts"],
  arrays: [],
  of_postern: true,
  begin: (sink) => ({
    element(value) {
      let called = "user ?";
      const person = membersOf(value, () => called, sink.lose);
      const external_id = person.text("external_id");
      const email = person.text("email");
      called = `user ${email ?? external_id ?? "?"}`;
      if (external_id === undefined || email === undefined) {
        sink.omit(called, "no email address or id");
        return;
      }
      const found = carried.flatMap((name) => {
        const member = person.raw(name);
        return member === undefined ? [] : [[name, member]];
      });
      sink.person({ ...(Object.fromEntries(found) as Partial<MovedPerson>), external_id, email });
      person.end();
    },
  }),
};
