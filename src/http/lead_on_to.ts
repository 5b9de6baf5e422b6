import type { FastifyReply } from "fastify";
import { waitingClient } from "../oauth/authorize/pending_request.ts";
import type { ShellContext } from "./context.ts";
import { localRedirect } from "./same_origin.ts";
import { leadOn } from "./security_headers.ts";

/**
 * Removes the header `Cross-Origin-Opener-Policy` from an account page that is a step of a sign-in.
 */
export async function leadOnTo(
  redirect: string,
  reply: FastifyReply,
  { server }: Pick<ShellContext, "server">,
): Promise<void> {
  const { url } = localRedirect(redirect, server.issuer);
  if ((await waitingClient(url, server)) !== undefined) leadOn(reply);
}
