import { localRedirect } from "../../../http/same_origin.ts";
import type { Params } from "../../../oauth/core/params.ts";
import type { HttpContext } from "../http_context.http.ts";

/** The page that continues the sign-in of a user who came to an account page in the middle of it. */
interface Continuation {
  /** Hidden fields for the forms of the page. */
  readonly fields: Readonly<Record<string, string>>;
  /** Path and query on this server; undefined if the user opened the account page directly. */
  readonly location: string | undefined;
}

export function continuationOf(params: Params, { server }: Pick<HttpContext, "server">): Continuation {
  const input = params.get("redirect");
  if (input === undefined) return { fields: {}, location: undefined };
  const { location } = localRedirect(input, server.issuer);
  return { fields: { redirect: location }, location };
}
