import { passwordCard } from "../../../web/account/password_card.ts";
import type { SecurityCard } from "./security_card.ts";

/** The password of the person. */
export const ownPassword: SecurityCard = async ({ signedIn, page }) =>
  passwordCard({ ...page, has_password: signedIn.user.password_hash !== null });
