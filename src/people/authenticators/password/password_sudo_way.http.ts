import { sudoPasswordField } from "../sudo/sudo.page.ts";
import type { SudoWay } from "../sudo/sudo_way.http.ts";

/** The password of the account, once more. */
export const passwordWay: SudoWay = {
  kinds: ["password"],
  fields: ["sudo_password"],
  guessable: true,
  part: async ({ signedIn, locale }, wrong) => sudoPasswordField(signedIn.user, wrong, locale),
  async prove({ signedIn, proof }, { identity }) {
    const { id, password_hash } = signedIn.user;
    const password = proof.get("sudo_password");
    if (password_hash === null || password === undefined) return "wrong";
    const right = await identity.passwords.verify(password_hash, password, "management", id);
    const at = identity.now().getTime();
    return right ? { method: { kind: "password", credential: null, at } } : "wrong";
  },
};
