/** The settings of the keys: what seals, and where signing keys are. */
import { pemText, programWithArguments, visibleText } from "./parsers.ts";
import { secretKeys } from "./secret_keys.ts";
import type { Setting } from "./setting.ts";
import { signerAddress } from "./signer_address.ts";

export const keySettings = {
  secret_keys: {
    name: "POSTERN_SECRET_KEY",
    otherwise: "SQLite: made in the data folder; PostgreSQL: required",
    secret: true,
    meaning:
      "32 random bytes or more in base64, base64url or hex; seals what is encrypted at rest; in a comma-separated list the first seals and all open",
    parse: secretKeys,
  },
  secret_key_command: {
    name: "POSTERN_SECRET_KEY_COMMAND",
    meaning:
      "a program with its arguments, apart by spaces and run without a shell, that prints what POSTERN_SECRET_KEY would be, such as one that asks a KMS; 10 seconds at most",
    parse: programWithArguments,
  },
  signer: {
    name: "POSTERN_SIGNER",
    meaning:
      "the place outside the database where new signing keys are made and used: https://… of a signer (http on loopback), or pkcs11:token=LABEL?module-path=LIBRARY&pin-source=FILE (RFC 7512)",
    parse: signerAddress,
  },
  signer_token: {
    name: "POSTERN_SIGNER_TOKEN",
    secret: true,
    meaning: "bearer token for the signer over HTTP",
    parse: visibleText,
  },
  signer_certificate: {
    name: "POSTERN_SIGNER_CERTIFICATE",
    secret: true,
    meaning: "client certificate and its private key for the signer over HTTPS, in PEM",
    parse: pemText,
  },
  signer_ca: {
    name: "POSTERN_SIGNER_CA",
    secret: true,
    meaning: "certificate of the CA that the signer's own is from, in PEM; without it, those of the system",
    parse: pemText,
  },
} satisfies Record<string, Setting<unknown>>;
