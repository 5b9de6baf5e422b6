/**
 * A redirect URI on this machine (RFC 8252 7.3). This program listens on it until the browser is redirected
 * to it.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { counted } from "../core/terminal.ts";

interface LoopbackRedirect {
  readonly redirect_uri: string;
  /**
   * Resolves to the URL that the browser requested; rejects after the time limit. Never settles after
   * `close`.
   */
  readonly came: Promise<URL>;
  close(): void;
}

/**
 * Listens on 127.0.0.1 for the given number of seconds; port 0 means a free port. A request that `fits`
 * rejects gets 400, and the server keeps listening. Rejects if the port is not available.
 */
export function listenForRedirect(
  { port, path, seconds }: { readonly port: number; readonly path: string; readonly seconds: number },
  fits: (url: URL) => boolean = () => true,
): Promise<LoopbackRedirect> {
  return new Promise((resolve, reject) => {
    const { promise: came, resolve: arrive, reject: fail } = Promise.withResolvers<URL>();
    const baseOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const server = createServer((request, response) => {
      const url = URL.parse(request.url ?? "/", baseOf());
      if (url?.pathname !== path) {
        response.writeHead(404).end();
        return;
      }
      const isAwaited = fits(url);
      response.writeHead(isAwaited ? 200 : 400, {
        "content-type": "text/plain; charset=utf-8",
        "cache-control": "no-store",
        connection: "close",
      });
      response.end(
        isAwaited
          ? "Done. You can close this window and return to the terminal.\n"
          : "This is not the response that the terminal is waiting for. Start again there.\n",
      );
      if (!isAwaited) return;
      close();
      arrive(url);
    });
    let timer: NodeJS.Timeout | undefined;
    const close = () => {
      clearTimeout(timer);
      server.close();
    };
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      const redirect_uri = `${baseOf()}${path}`;
      timer = setTimeout(() => {
        close();
        fail(new Error(`no response was received at ${redirect_uri} within ${counted(seconds, "second")}`));
      }, seconds * 1000);
      resolve({ redirect_uri, came, close });
    });
  });
}
