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
   * Returns the management context of the caller. Over HTTP, its actor is the holder of the credential; in
   * process, it is the operator who opened the database.
   */
  callerOf(request: FastifyRequest): Promise<AdminContext>;
  sendPasswordReset(caller: AdminContext, user_id: string, request: FastifyRequest): Promise<SentReset>;
  readonly onProgress?: ApplyOptions["onProgress"];
}

interface SentReset {
  readonly user_id: string;
  /** Seconds for which the reset link is valid. */
  readonly expires_in: number;
  /** The reset link; set only if it is not emailed. */
  readonly link?: string;
}
