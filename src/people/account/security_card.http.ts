import type { HttpContext } from "../../http/context.ts";
import type { Html } from "../../web/html/html.ts";
import type { AccountPerson } from "./account_person.http.ts";

/** A card of the page about signing in; undefined where it has nothing to say to this person. */
export type SecurityCard = (person: AccountPerson, context: HttpContext) => Promise<Html | undefined>;
