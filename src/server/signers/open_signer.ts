import type { Config } from "../../config.ts";
import type { OutsideSigner } from "../../crypto/outside_signer.ts";

/**
 * Returns the configured external signer with limits; undefined if the signing keys are in the database.
 * Throws if a PKCS #11 token cannot be opened.
 */
export async function openSigner({ signer }: Pick<Config, "signer">): Promise<OutsideSigner | undefined> {
  if (signer === undefined) return undefined;
  const { boundedSigner } = await import("./bounded_signer.ts");
  if (signer.kind === "pkcs11") {
    const { pkcs11Signer } = await import("./pkcs11_signer.ts");
    return boundedSigner(pkcs11Signer(signer));
  }
  const { httpSigner } = await import("./http_signer.ts");
  return boundedSigner(httpSigner(signer));
}
