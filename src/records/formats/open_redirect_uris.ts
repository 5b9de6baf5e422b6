/** The redirect URIs of open clients, which come from a metadata document or a dynamic registration. */
import { type Reason, reason } from "../../errors/field_errors.ts";
import { redirectUriError } from "./redirect_uris.ts";

/**
 * Schemes that run or contain content, belong to another protocol, or open settings, installers and shells of
 * the system.
 */
const foreignSchemes: ReadonlySet<string> = new Set([
  ...["about", "blob", "cid", "content", "data", "file", "filesystem", "jar", "javascript", "livescript"],
  ...["mhtml", "mid", "mocha", "resource", "srcdoc", "urn", "vbscript", "view-source", "wyciwyg"],
  ...["chrome", "chrome-error", "chrome-extension", "chrome-untrusted", "devtools", "edge", "moz-extension"],
  ...["brave", "opera", "safari-extension", "safari-web-extension", "vivaldi"],
  ...["acct", "afp", "coap", "coaps", "dav", "dns", "ftp", "ftps", "gopher", "http", "https", "imap", "ipp"],
  ...["ldap", "ldaps", "mqtt", "news", "nfs", "nntp", "pop", "rdp", "rtmp", "rtsp", "sftp", "shttp", "smb"],
  ...["ssh", "svn", "telnet", "tn3270", "vnc", "ws", "wss", "xmpp"],
  ...["bitcoin", "callto", "facetime", "facetime-audio", "geo", "im", "irc", "ircs", "magnet", "mailto"],
  ...["maps", "market", "mms", "sip", "sips", "sms", "smsto", "tel", "webcal"],
  ...["android-app", "intent", "itms", "itms-apps", "itms-appss", "itms-services", "app-settings", "prefs"],
  ...["help", "hcp", "its", "ms-its", "ms-appinstaller", "ms-cxh", "ms-cxh-full", "ms-excel", "ms-gamebar"],
  ...["ms-help", "ms-msdt", "ms-officecmd", "ms-powerpoint", "ms-search", "ms-settings", "ms-word"],
  ...[
    "search",
    "search-ms",
    "shell",
    "windowsdefender",
    "x-apple-helpviewer",
    "x-man-page",
    "microsoft-edge",
  ],
]);

/** A URI whose scheme is in lower case and followed by a path (RFC 3986 3.1, RFC 8252 7.1). */
const privateUse = /^([a-z][a-z0-9+.-]+):\/[\x21-\x7E]*$/;

/** A URI with user information, which parsers read differently, does not match. */
const loopback = /^http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::([1-9]\d{0,4}))?(?:[/?][\x21-\x7E]*)?$/;

/** Returns why an open client cannot have this redirect URI; undefined if it can. */
export function openRedirectUriError(uri: string): Reason | undefined {
  const error = redirectUriError(uri, "native");
  if (error !== undefined && error.code !== "no_private_scheme") return error;
  if (/^https:/.test(uri)) return undefined;
  if (/^http:/.test(uri)) {
    const [whole, port = "1"] = loopback.exec(uri) ?? [];
    return whole !== undefined && Number(port) <= 65_535 ? undefined : reason("not_loopback");
  }
  const scheme = privateUse.exec(uri)?.[1];
  return scheme === undefined || foreignSchemes.has(scheme) ? reason("foreign_scheme") : undefined;
}
