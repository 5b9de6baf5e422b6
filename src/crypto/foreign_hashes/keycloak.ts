/** Reads a credential of a Keycloak export: a JSON object in which two string fields contain JSON. */
import { argon2Hash, argon2Output, argon2Salt } from "./argon2.ts";
import {
  type Fields,
  type ForeignHash,
  fieldsOf,
  outputSize,
  type Reader,
  saltSize,
} from "./foreign_hash.ts";
import { iterationsOf, pbkdf2Hash } from "./pbkdf2.ts";

const digests = { pbkdf2: "sha1", "pbkdf2-sha256": "sha256", "pbkdf2-sha512": "sha512" } as const;

type Members = Readonly<Record<string, unknown>>;

function objectOf(value: unknown): Members | undefined {
  try {
    const found: unknown = typeof value === "string" ? JSON.parse(value) : value;
    return typeof found === "object" && found !== null ? { ...found } : undefined;
  } catch {
    // The parser's error is dropped, because its message quotes the credential.
    return undefined;
  }
}

function readCredential(fields: Fields): ForeignHash {
  const credential = objectOf(fields.take("credential", /.*/sy));
  const secret = objectOf(credential?.secretData);
  const data = objectOf(credential?.credentialData);
  if (secret === undefined || data === undefined)
    return fields.refuse("credential", "has no secretData and credentialData in JSON");
  if ((credential?.type ?? "password") !== "password") fields.refuse("type", "is not a password");

  /** Reads a value that Keycloak writes as a number, as a string, or as an array with one string. */
  function member<T>(part: string, value: unknown, read: (fields: Fields) => T): T {
    const text = Array.isArray(value) ? value[0] : value;
    const own = fieldsOf(fields.scheme, ["string", "number"].includes(typeof text) ? String(text) : "");
    const found = read(own);
    own.end(part);
    return found;
  }

  const algorithm = data.algorithm;
  const output = member("value", secret.value, (own) =>
    own.base64("value", algorithm === "argon2" ? argon2Output : outputSize),
  );
  const salt = member("salt", secret.salt, (own) =>
    own.base64("salt", algorithm === "argon2" ? argon2Salt : saltSize),
  );
  const iterations = member("hashIterations", data.hashIterations, iterationsOf);
  if (algorithm === "argon2") {
    const { type, version, memory, parallelism } = objectOf(data.additionalParameters) ?? {};
    const count = { least: 1, most: 2 ** 32 - 1 };
    const kind = member("type", type, (own) => own.take("type", /(?:id|i|d)$/y)) as "i" | "d" | "id";
    const parts = {
      type: kind,
      version: member("version", version, (own) => own.take("version", /1\.[03]$/y)) === "1.3" ? 19 : 16,
      m: member("memory", memory, (own) => own.number("memory", count)),
      t: iterations,
      p: member("parallelism", parallelism, (own) => own.number("parallelism", { least: 1, most: 255 })),
      salt,
      output,
    } as const;
    return argon2Hash({ ...fields, scheme: `argon2${kind}` }, parts);
  }
  for (const [name, digest] of Object.entries(digests))
    if (algorithm === name) return pbkdf2Hash(fields, digest, { iterations, salt, output });
  return fields.refuse("algorithm", "is not known");
}

export const keycloakReaders: readonly Reader[] = [
  { prefix: '{"', passed: 0, scheme: "keycloak", read: readCredential },
];
