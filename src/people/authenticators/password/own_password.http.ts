import type { SecurityCard } from "../../account/security_card.http.ts";
import { passwordCard } from "./password.card.ts";

/** The password of the person, and a warning where they have one way in at most beside it. */
export const ownPassword: SecurityCard = async ({ signedIn, page }, { identity }) => {
  const { user } = signedIn;
  const { password, passkeys, providers } = await identity.store.enrolledMethods(user);
  const [only] = passkeys;
  // Of a passkey on one device its own card warns.
  const told =
    only !== undefined && (await identity.store.find("passkeys", { id: only }))?.backed_up === false;
  const is_single_way = !password && passkeys.length + providers.length < 2 && !told;
  return passwordCard({ ...page, has_password: password, is_single_way });
};
