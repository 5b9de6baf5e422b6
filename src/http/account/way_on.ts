import { describePending } from "../../oauth/authorize/pending_request.ts";
import type { Params } from "../../oauth/params.ts";
import type { HttpContext } from "../context.ts";
import { localRedirect } from "../same_origin.ts";

/** Where a person goes on who came to a page of the account in the middle of a sign-in. */
export interface WayOn {
  /** For the forms of the page. */
  readonly fields: Readonly<Record<string, string>>;
  /** Path and query here; undefined for somebody who came to the account itself. */
  readonly location: string | undefined;
  /** Where the application's answer leads from there, for the policy of the page. */
  readonly leads_to: string | undefined;
}

export async function wayOn(params: Params, { server }: Pick<HttpContext, "server">): Promise<WayOn> {
  const given = params.get("redirect");
  if (given === undefined) return { fields: {}, location: undefined, leads_to: undefined };
  const { location, url } = localRedirect(given, server.issuer);
  const { redirect_uri } = await describePending(url, server);
  return { fields: { redirect: location }, location, leads_to: redirect_uri };
}
