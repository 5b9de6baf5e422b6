import type { FastifyReply } from "fastify";
import { waitingClient } from "../oauth/authorize/pending_request.ts";
import type { ShellContext } from "./context.ts";
import { localRedirect } from "./same_origin.ts";
import { leadOn } from "./security_headers.ts";

/**
 * Makes a page of the account a step of a sign-in where its `redirect` is an authorization request that waits
 * here: its client and redirect URI are proven. Any other value leaves the strict headers.
 */
export async function leadOnTo(
  redirect: string,
  reply: FastifyReply,
  { server }: Pick<ShellContext, "server">,
): Promise<void> {
  const { url } = localRedirect(redirect, server.issuer);
  if ((await waitingClient(url, server)) !== undefined) leadOn(reply);
}
