import { hostOf, isLoopback } from "./loopback.ts";
import { Unfit } from "./unfit.ts";

export type SignerAddress =
  | { readonly kind: "http"; readonly url: string }
  | {
      readonly kind: "pkcs11";
      readonly token: string;
      readonly module_path: string;
      readonly pin_file: string;
    };

/** Parses the URL of an HTTP signer, or the PKCS #11 URI of a token (RFC 7512). */
export function signerAddress(text: string): SignerAddress {
  if (text.startsWith("pkcs11:")) return tokenAddress(text);
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(hostOf(text)));
  if (url !== null && isSafe && url.username === "" && url.search === "" && url.hash === "")
    return { kind: "http", url: text.replace(/\/+$/, "") };
  throw new Unfit(
    "expected https://…, http://… on loopback, or pkcs11:token=LABEL?module-path=LIBRARY&pin-source=FILE",
  );
}

function tokenAddress(text: string): SignerAddress {
  const [path = "", query = ""] = text.slice("pkcs11:".length).split("?");
  const attributes = new Map(
    [...path.split(";"), ...query.split("&")].map((pair) => {
      const equals = pair.indexOf("=");
      return [pair.slice(0, equals), decoded(pair.slice(equals + 1))] as const;
    }),
  );
  const token = attributes.get("token");
  const module_path = attributes.get("module-path");
  const pin_file = attributes.get("pin-source")?.replace(/^file:(?:\/\/(?=\/))?/, "");
  if (attributes.has("pin-value"))
    throw new Unfit("the PIN must be in a file: use pin-source instead of pin-value");
  if (token && module_path && pin_file) return { kind: "pkcs11", token, module_path, pin_file };
  throw new Unfit("expected token, module-path and pin-source in the PKCS #11 URI");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Unfit("expected percent-encoded text in the PKCS #11 URI");
  }
}
