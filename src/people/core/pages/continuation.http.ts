import { localRedirect } from "../../../http/same_origin.ts";
import type { Params } from "../../../oauth/core/params.ts";
import type { HttpContext } from "../http_context.http.ts";

interface Continuation {
  readonly fields: Readonly<Record<string, string>>;
  readonly location: string | undefined;
}

export function continuationOf(params: Params, { server }: Pick<HttpContext, "server">): Continuation {
  const input = params.get("redirect");
  if (input === undefined) return { fields: {}, location: undefined };
  const { location } = localRedirect(input, server.issuer);
  return { fields: { redirect: location }, location };
}
