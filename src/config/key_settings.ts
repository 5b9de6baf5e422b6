import { pemText, programWithArguments, visibleText } from "./parsers.ts";
import { secretKeys } from "./secret_keys.ts";
import type { Setting } from "./setting.ts";
import { signerAddress } from "./signer_address.ts";

export const keySettings = {
  secret_keys: {
    name: "POSTERN_SECRET_KEY",
    otherwise: "SQLite: created in the data folder; PostgreSQL: required",
    secret: true,
    meaning:
      "the key that encrypts secrets in the database: 32 random bytes or more in base64, base64url or hex. In a comma-separated list, the first key encrypts, and all decrypt",
    parse: secretKeys,
  },
  secret_key_command: {
    name: "POSTERN_SECRET_KEY_COMMAND",
    meaning:
      "a command, run without a shell, that prints the value of POSTERN_SECRET_KEY, for example from a KMS",
    parse: programWithArguments,
  },
  signer: {
    name: "POSTERN_SIGNER",
    meaning:
      "the external signer that creates the keys for tokens and signs with them: https://…, or pkcs11:token=LABEL?module-path=LIBRARY&pin-source=FILE (RFC 7512)",
    parse: signerAddress,
  },
  signer_token: {
    name: "POSTERN_SIGNER_TOKEN",
    secret: true,
    meaning: "bearer token for an HTTP signer",
    parse: visibleText,
  },
  signer_certificate: {
    name: "POSTERN_SIGNER_CERTIFICATE",
    secret: true,
    meaning: "client certificate and private key for an HTTPS signer, in PEM",
    parse: pemText,
  },
  signer_ca: {
    name: "POSTERN_SIGNER_CA",
    secret: true,
    meaning: "CA certificate of the signer, in PEM; without it, the server trusts the CAs that Node trusts",
    parse: pemText,
  },
} satisfies Record<string, Setting<unknown>>;
