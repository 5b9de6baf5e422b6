/**
 * Reads phpass hashes and two kinds of crypt(3) hashes: MD5-crypt, with Apache's variant apr1, and SHA-crypt.
 */
import { derivedHash, type Fields, type ForeignHash, type Reader } from "./foreign_hash.ts";
import { hashInThread, type ThreadJob } from "./hash_thread.ts";

type Derivation = Omit<Parameters<typeof derivedHash>[0], "output" | "derive" | "scheme"> & {
  readonly written: string;
};
type Job = ThreadJob extends infer T ? (T extends ThreadJob ? Omit<T, "password"> : never) : never;

function hashOf({ scheme }: Fields, job: Job, parts: Derivation): ForeignHash {
  return derivedHash({
    ...parts,
    scheme,
    output: Buffer.from(parts.written),
    derive: async (password) => Buffer.from(await hashInThread({ ...job, password })),
  });
}

const usualRounds = 5000;
const shaRounds = { least: 1000, most: 500_000 };

/**
 * Base-2 logarithms of phpass rounds. The maximum costs about as much as the most expensive SHA-crypt hash
 * that is accepted.
 */
const phpassRounds = { least: 7, most: 19 };

const md5Output = /[./0-9A-Za-z]{21}[./01](?![./0-9A-Za-z])/y;

function shaCrypt(prefix: string, algorithm: "sha256" | "sha512", output: RegExp): Reader {
  return {
    prefix,
    scheme: `${algorithm}-crypt`,
    read(fields) {
      let rounds = usualRounds;
      if (fields.skip("rounds=")) {
        rounds = fields.number("rounds", shaRounds);
        fields.expect("$");
      }
      const salt = fields.take("salt", /[!-#%-9;-~]{0,16}(?=\$)/y);
      fields.expect("$");
      const written = fields.take("hash", output);
      fields.end();
      const said = rounds === usualRounds ? "" : `rounds=${rounds}$`;
      return hashOf(
        fields,
        { scheme: "sha-crypt", algorithm, rounds, salt },
        { spell: (hash) => `${prefix}${said}${salt}$${hash}`, written, digests: rounds, ends_at_nul: true },
      );
    },
  };
}

function md5Crypt(prefix: string, scheme: string): Reader {
  return {
    prefix,
    scheme,
    read(fields) {
      const salt = fields.take("salt", /[!-#%-9;-~]{0,8}(?=\$)/y);
      fields.expect("$");
      const written = fields.take("hash", md5Output);
      fields.end();
      return hashOf(
        fields,
        { scheme: "md5-crypt", magic: prefix, salt },
        { spell: (hash) => `${prefix}${salt}$${hash}`, written, digests: 1000, ends_at_nul: true },
      );
    },
  };
}

/** Reads phpass hashes, whose prefix is `$P$` or, in phpBB, `$H$`. */
function phpass(prefix: string): Reader {
  return {
    prefix,
    scheme: "phpass",
    read(fields) {
      const digits = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
      const rounds = digits.indexOf(fields.take("cost", /[./0-9A-Za-z]/y));
      const { least, most } = phpassRounds;
      if (rounds < least || rounds > most) fields.refuse("cost", `is not between ${least} and ${most}`);
      const salt = fields.take("salt", /[./0-9A-Za-z]{8}/y);
      const written = fields.take("hash", md5Output);
      fields.end();
      const spell = (hash: string) => `$P$${digits.charAt(rounds)}${salt}${hash}`;
      return hashOf(
        fields,
        { scheme: "phpass", rounds: 2 ** rounds, salt },
        { spell, written, digests: 2 ** rounds },
      );
    },
  };
}

export const cryptReaders: readonly Reader[] = [
  shaCrypt("$5$", "sha256", /[./0-9A-Za-z]{42}[./0-9A-D](?![./0-9A-Za-z])/y),
  shaCrypt("$6$", "sha512", /[./0-9A-Za-z]{85}[./01](?![./0-9A-Za-z])/y),
  md5Crypt("$1$", "md5-crypt"),
  md5Crypt("$apr1$", "apr1"),
  phpass("$P$"),
  phpass("$H$"),
];
