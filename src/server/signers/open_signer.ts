/** The signer that the settings name. */
import type { Config } from "../../config.ts";
import type { OutsideSigner } from "../../crypto/outside_signer.ts";

/**
 * Opens it with its bounds, or answers undefined where signing keys are rows. Throws where a token cannot be
 * opened; a signer over HTTP is asked at the first signature.
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
