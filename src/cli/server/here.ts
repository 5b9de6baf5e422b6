/**
 * The server on this machine: its management API runs in this process, with the local database and settings,
 * and with the operator as the caller.
 */
import { type AdminContext, sealerOf } from "../../admin/access/actor.ts";
import { notFound } from "../../admin/access/errors.ts";
import { recordEvent } from "../../admin/changes/audit.ts";
import { resources } from "../../admin/resources/resources.ts";
import type { ApiContext } from "../../api/api_context.ts";
import { answerInProcess } from "../../api/in_process.ts";
import { exchange } from "../../client/exchange.ts";
import { serverMemory } from "../../oauth/core/memory.ts";
import type { Environment } from "../../server/environment.ts";
import { readVersion } from "../../server/version.ts";
import { WrongUsage } from "../core/terminal.ts";
import { type Server, serverOf } from "./server.ts";

/**
 * The longest delay that a timer supports, in milliseconds, because calls within this process have no time
 * limit.
 */
const noTimeout = 2 ** 31 - 1;

export interface Hearing {
  readonly onNotice: (notice: string) => void;
  readonly onProgress?: ApiContext["onProgress"];
}

export function serverHere(
  operator: AdminContext,
  { config, store }: Pick<Environment, "config" | "store">,
  hearing: Hearing,
): Server {
  const { now, issuer = "" } = operator;

  function serverAs(caller: AdminContext): Server {
    const fetch = answerInProcess({
      ...{ store, brand: config.brand, version: readVersion(), sends_mail: config.mail !== undefined },
      server: { issuer, settings: config, now },
      log: { error() {} },
      callerOf: async () => caller,
      sendPasswordReset: (_caller, user_id) => resetLink(user_id),
      onProgress: hearing.onProgress,
    });
    // No credential is checked, because only the operator can open the database.
    const own = { url: "http://localhost", credential: "none", retries: 0, timeout: noTimeout };
    const send = exchange({ ...own, fetch, onNotice: hearing.onNotice });
    return serverOf(send, { keyed: false, inviting }, resources);
  }

  async function resetLink(user_id: string) {
    const { makeResetMail, resetLinkMinutes } = await import(
      "../../people/authenticators/password/password_reset.ts"
    );
    const user = await store.find("users", { id: user_id.toLowerCase() });
    if (user === undefined) throw notFound("users", user_id);
    const origin = { client_ip: null, user_agent: null, request_id: store.newId(now()) };
    const message = await makeResetMail(
      { email: user.email, origin },
      {
        ...{ ...operator, store, sealer: sealerOf(operator), memory: serverMemory() },
        ...{ throttle: false, report() {} },
      },
    );
    if (message?.type !== "link")
      throw new Error(
        "no password reset link: the account is switched off, or has no password and signs in with other methods",
      );
    const of_user = { target_table: "users", target_id: user.id, details: {} } as const;
    await recordEvent(operator, { type: "password_reset_request", ...of_user });
    const link = `${issuer}/reset-password?token=${message.token}`;
    return { user_id: user.id, expires_in: resetLinkMinutes * 60, link };
  }

  async function inviting(inviter: string | undefined, work: Parameters<Server["inviting"]>[1]) {
    if (inviter === undefined)
      throw new WrongUsage("--inviter is required: the email address of the user who invites");
    const user = await store.find("users", { id: await server.idOf("users", inviter) });
    if (user === undefined) throw notFound("users", inviter);
    let link: string | undefined;
    const onInvitation = ({ token }: { readonly token: string }) => {
      link = `${issuer}/invitation?token=${token}`;
    };
    const invitation = await work(serverAs({ ...operator, actor: { kind: "user", user }, onInvitation }));
    return { invitation, ...(link !== undefined && { link }) };
  }

  const server = serverAs(operator);
  return server;
}
