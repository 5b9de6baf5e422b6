/** The dependencies of the API's routes, over HTTP and in process. */
import type { FastifyRequest } from "fastify";
import type { AdminContext } from "../admin/access/actor.ts";
import type { ApplyOptions } from "../admin/manifest/apply_manifest.ts";
import type { HttpLog } from "../http/context.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import type { HttpContext } from "../people/core/http_context.http.ts";

export interface ApiContext extends Pick<HttpContext, "store" | "brand" | "version" | "rate_limits"> {
  readonly log: Pick<HttpLog, "error">;
  readonly server: Pick<AuthorizationServer, "issuer" | "settings" | "now">;
  readonly sends_mail: boolean;
  /**
   * Returns the context of management with the caller as its actor: over HTTP the holder of the credential,
   * in process the operator who opened the database. Throws 401 `unauthorized`, 403 `forbidden`.
   */
  callerOf(request: FastifyRequest): Promise<AdminContext>;
  /** Sends a user a password reset link, and returns the response for the caller. */
  sendPasswordReset(caller: AdminContext, user_id: string, request: FastifyRequest): Promise<SentReset>;
  readonly onProgress?: ApplyOptions["onProgress"];
}

interface SentReset {
  readonly user_id: string;
  /** Seconds. */
  readonly expires_in: number;
  /** The link, if it is not sent by email. */
  readonly link?: string;
}
