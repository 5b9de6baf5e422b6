import { resources } from "../../admin/resources/resources.ts";
import { exchange } from "../../client/exchange.ts";
import { WrongUsage } from "../core/terminal.ts";
import type { RemoteAccess } from "../remote/remote_access.ts";
import { type Server, serverOf } from "./server.ts";

/** Returns the server at this URL, which is called over HTTP. Throws `WrongUsage` for an invalid URL. */
export function serverElsewhere(
  { url, credential }: Pick<RemoteAccess, "url" | "credential">,
  onNotice: (notice: string) => void,
): Server {
  try {
    const server: Server = serverOf(
      exchange({ url, credential, onNotice }),
      {
        keyed: true,
        async inviting(inviter, work) {
          if (inviter !== undefined)
            throw new WrongUsage(
              "--inviter works only on the machine of the server: on a remote server you invite as yourself",
            );
          return { invitation: await work(server) };
        },
      },
      resources,
    );
    return server;
  } catch (error) {
    throw error instanceof TypeError ? new WrongUsage(error.message) : error;
  }
}
