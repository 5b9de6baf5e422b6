/** The receivers: apps for logout tokens, a webhook endpoint, and a push stream behind a forward proxy. */
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { decodeJwt } from "jose";
import { certificate, key } from "../../test/outbound/tls_server.ts";
import type { Random } from "../torture/random.ts";

export const appNames = ["one", "other"] as const;
export type AppName = (typeof appNames)[number];

export interface Arrival {
  readonly subject: string;
  /** The ID of a session or an event; undefined for a token about all sessions of the subject. */
  readonly id: string | undefined;
}

/** The deliveries that each receiver acknowledged, in order. A delivery may arrive twice. */
type Arrivals = Readonly<Record<AppName | "webhook" | "stream", Arrival[]>>;

interface SecurityEvent {
  readonly txn: string;
  readonly sub_id?: { readonly user?: { readonly sub: string }; readonly sub?: string };
}

const read: Readonly<Record<keyof Arrivals, (body: string) => Arrival>> = {
  one: logoutToken,
  other: logoutToken,
  webhook(body) {
    const { id, subject_id } = JSON.parse(body) as { readonly id: string; readonly subject_id: string };
    return { subject: subject_id, id };
  },
  stream(body) {
    const { txn, sub_id } = decodeJwt<SecurityEvent>(body);
    return { subject: sub_id?.user?.sub ?? sub_id?.sub ?? "", id: txn };
  },
};

function logoutToken(body: string): Arrival {
  const token = new URLSearchParams(body).get("logout_token") ?? "";
  const { sub = "", sid } = decodeJwt<{ readonly sid?: string }>(token);
  return { subject: sub, id: sid };
}

async function listening<S extends ReturnType<typeof createServer>>(server: S) {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/**
 * Starts the receivers. They respond within a tenth of a second, but return 503 for one in thirty requests.
 */
export async function startReceivers(random: Random) {
  const arrivals: Arrivals = { one: [], other: [], webhook: [], stream: [] };
  const answer: RequestListener = async (request, response) => {
    const name = request.url?.slice(1) as keyof Arrivals;
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const refuses = random.next() < 1 / 30;
    await pause(random.between(0, 100));
    if (!refuses) arrivals[name].push(read[name](body));
    response.writeHead(refuses ? 503 : name === "stream" ? 202 : 200).end();
  };
  const plain = createServer(answer);
  const secure = createHttps({ cert: certificate, key }, answer);
  const proxy = createServer();
  const [plainPort, securePort] = [await listening(plain), await listening(secure)];
  proxy.on("connect", (_request, socket) => {
    const inner = connect(securePort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      inner.pipe(socket).pipe(inner);
    });
    for (const each of [inner, socket]) each.on("error", () => socket.destroy());
  });
  return {
    arrivals,
    addressOf: (name: AppName | "webhook") => `http://127.0.0.1:${plainPort}/${name}`,
    streamAddress: "https://receiver.outbound.test/stream",
    /** The settings that let the server reach the receivers. */
    environment: {
      POSTERN_OUTBOUND_ALLOW: "127.0.0.1",
      POSTERN_OUTBOUND_PROXY: `http://127.0.0.1:${await listening(proxy)}`,
      POSTERN_OUTBOUND_CA: certificate,
    },
    close() {
      for (const server of [plain, secure, proxy]) {
        server.close();
        server.closeAllConnections();
      }
    },
  };
}
