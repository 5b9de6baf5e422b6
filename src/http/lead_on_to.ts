import type { FastifyReply } from "fastify";
import { waitingClient } from "../oauth/authorize/pending_request.ts";
import type { ShellContext } from "./context.ts";
import { localRedirect } from "./same_origin.ts";
import { leadOn } from "./security_headers.ts";

/**
 * Treats an account page as a step of a sign-in if its `redirect` is an authorization request that is pending
 * on this server, with a verified client and redirect URI. For any other value, the page keeps the strict
 * headers.
 */
export async function leadOnTo(
  redirect: string,
  reply: FastifyReply,
  { server }: Pick<ShellContext, "server">,
): Promise<void> {
  const { url } = localRedirect(redirect, server.issuer);
  if ((await waitingClient(url, server)) !== undefined) leadOn(reply);
}
