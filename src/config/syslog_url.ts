import { Unfit } from "./unfit.ts";

export interface SyslogAddress {
  readonly transport: "udp" | "tcp" | "tls";
  readonly host: string;
  readonly port: number;
}

/** Default ports (RFC 5426, RFC 3195, RFC 5425). */
const syslogPorts = { udp: 514, tcp: 601, tls: 6514 } as const;

export function syslogUrl(text: string): SyslogAddress {
  const [, transport = "", rest = ""] = /^(udp|tcp|tls):\/\/([^\s/?#@]+)$/.exec(text) ?? [];
  const url = rest === "" ? null : URL.parse(`http://${rest}`);
  if (url === null || url.hostname === "" || url.port === "0") {
    throw new Unfit("expected udp://host:514, tcp://host:601 or tls://host:6514");
  }
  const kind = transport as keyof typeof syslogPorts;
  // The port is read from the text, because `URL` drops port 80 as the default of http.
  const port = /:(\d+)$/.exec(rest)?.[1];
  return {
    transport: kind,
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === undefined ? syslogPorts[kind] : Number(port),
  };
}
