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
      "comma-separated private addresses and CIDR ranges that the server's own requests may reach; a record of an organization needs `internal` as well, and open clients reach them only if POSTERN_BASE_URL is on loopback",
    parse: addressRanges,
  },
  outbound_proxy: {
    name: "POSTERN_OUTBOUND_PROXY",
    secret: true,
    meaning:
      "forward proxy (CONNECT) for the server's own requests, http://user:password@host:3128 or https://…; addresses in POSTERN_OUTBOUND_ALLOW are reached directly; HTTPS_PROXY is not read",
    parse: proxyUrl,
  },
  outbound_ca: {
    name: "POSTERN_OUTBOUND_CA",
    secret: true,
    meaning:
      "additional CA certificates for the server's own requests, in PEM, such as that of a TLS-inspecting proxy",
    parse: pemText,
  },
} satisfies Record<string, Setting<unknown>>;
