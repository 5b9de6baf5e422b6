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
      "comma-separated private IP addresses and CIDR ranges to which the server may send requests. For webhooks, sign-out notices and an organization's providers, a platform administrator must also set internal in the webhook endpoint or provider, or backchannel_logout_internal in the app. The server never fetches key sets of an organization's apps from these addresses, and fetches documents and key sets of open clients from them only if POSTERN_BASE_URL is on loopback",
    parse: addressRanges,
  },
  outbound_proxy: {
    name: "POSTERN_OUTBOUND_PROXY",
    secret: true,
    meaning:
      "forward proxy (CONNECT) for outgoing HTTP requests except those to signers and telemetry collectors: http://user:password@host:3128 or https://…; the server connects directly to addresses in POSTERN_OUTBOUND_ALLOW, and ignores HTTPS_PROXY",
    parse: proxyUrl,
  },
  outbound_ca: {
    name: "POSTERN_OUTBOUND_CA",
    secret: true,
    meaning:
      "additional CA certificates for the same requests as POSTERN_OUTBOUND_PROXY, in PEM, such as that of a TLS-inspecting proxy",
    parse: pemText,
  },
} satisfies Record<string, Setting<unknown>>;
