import { pemText } from "./parsers.ts";
import type { Setting } from "./setting.ts";
import { Unfit } from "./unfit.ts";
import { addressRanges } from "./web_addresses.ts";

function proxyUrl(text: string): URL {
  const url = URL.parse(text);
  const isPlain = url?.pathname === "/" && url.search === "" && url.hash === "";
  if (url && isPlain && url.hostname !== "" && /^https?:$/.test(url.protocol)) {
    try {
      decodeURIComponent(`${url.username}${url.password}`);
      return url;
    } catch {
      // The error is ignored, because the URL is rejected below.
    }
  }
  throw new Unfit("expected http://host:3128 or https://host:3128, with user:password@ if it requires them");
}

export const outboundSettings = {
  outbound_allow: {
    name: "POSTERN_OUTBOUND_ALLOW",
    meaning:
      "comma-separated private IP addresses and CIDR ranges to which the server may send requests. For webhooks and an organization's providers, a platform administrator must also set internal in the record; for sign-out notices, backchannel_logout_internal in the app",
    parse: addressRanges,
  },
  outbound_proxy: {
    name: "POSTERN_OUTBOUND_PROXY",
    secret: true,
    meaning:
      "forward proxy (CONNECT) for the server's own HTTP requests, except those to signers, telemetry collectors and addresses in POSTERN_OUTBOUND_ALLOW: http://user:password@host:3128 or https://…",
    parse: proxyUrl,
  },
  outbound_ca: {
    name: "POSTERN_OUTBOUND_CA",
    secret: true,
    meaning:
      "additional CA certificates for the same requests as POSTERN_OUTBOUND_PROXY, in PEM, for example if the proxy inspects TLS",
    parse: pemText,
  },
} satisfies Record<string, Setting<unknown>>;
