import { isForeignOver } from "../../../records/names/foreign_marker.ts";
import type { Authenticator } from "../../core/http_context.http.ts";
import { passwordCard, passwordField } from "./password.card.ts";

export const passwordAuthenticator: Authenticator = {
  kind: "password",
  fields: { sudo: "sudo_password" },
  guessable: true,
  part: async ({ user, locale, error }) => ({ html: passwordField(user, error === "wrong", locale) }),
  async prove({ user, answer }, { identity }) {
    const { passwords, store, settings } = identity;
    const stored = answer === undefined ? undefined : await store.storedPassword(user);
    if (stored === undefined || answer === undefined) return { type: "wrong" };
    const verified = await passwords.verify(stored.text, answer, "management", user.id);
    const right = verified && !isForeignOver(stored, settings, identity.now());
    const at = identity.now().getTime();
    return right ? { type: "proved", method: { kind: "password", credential: null, at } } : { type: "wrong" };
  },
  async card({ signedIn, page }, { identity }) {
    const { password, passkeys, providers } = await identity.store.enrolledMethods(signedIn.user);
    const [only] = passkeys;
    // The passkey card already warns about a passkey on a single device.
    const isWarned =
      only !== undefined && (await identity.store.find("passkeys", { id: only }))?.backed_up === false;
    const is_only_method = !password && passkeys.length + providers.length < 2 && !isWarned;
    return passwordCard({ ...page, has_password: password, is_only_method });
  },
};
