import { localRedirect } from "../../../http/same_origin.ts";
import type { Params } from "../../../oauth/core/params.ts";
import type { HttpContext } from "../http_context.http.ts";

/** Where a person goes on who came to a page of the account in the middle of a sign-in. */
export interface Continuation {
  /** For the forms of the page. */
  readonly fields: Readonly<Record<string, string>>;
  /** Path and query on this server; undefined for a visit to the account pages themselves. */
  readonly location: string | undefined;
}

export function continuationOf(params: Params, { server }: Pick<HttpContext, "server">): Continuation {
  const input = params.get("redirect");
  if (input === undefined) return { fields: {}, location: undefined };
  const { location } = localRedirect(input, server.issuer);
  return { fields: { redirect: location }, location };
}
