import { type DisownedAct, newDisownToken } from "../disown_token.ts";
import type { HttpContext } from "../http_context.http.ts";

export const disownPath = "/not-me";

/**
 * Returns a function that creates the URL of the "It was not me" link for the email about this change
 * (SS-15).
 */
export const disownLink =
  (act: DisownedAct, { server, identity }: Pick<HttpContext, "server" | "identity">) =>
  async (tx?: Parameters<typeof newDisownToken>[2]): Promise<string> =>
    `${server.issuer}${disownPath}?token=${await newDisownToken(act, identity, tx)}`;
