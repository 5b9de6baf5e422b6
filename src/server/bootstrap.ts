/** Creates the records that a new database needs before a server can start. */
import { generateSigningKey, type KeyPair, type NewKeyOptions } from "../crypto/signing_keys.ts";
import { serverMemory } from "../oauth/core/memory.ts";
import { makeFirstAdministrator } from "../people/entry/setup.ts";
import type { JsonObject } from "../records/definition/field.ts";
import type { SigningAlgorithm } from "../records/names/names.ts";
import { demandsOnAll } from "../records/names/profiles.ts";
import { english } from "../web/words/english.ts";
import { fieldErrorText } from "../web/words/error_text.ts";
import type { Environment } from "./environment.ts";

async function makeFirstKey(
  { store, sealer }: Environment,
  created_at: Date,
  options: NewKeyOptions & { readonly algorithm: SigningAlgorithm },
): Promise<void> {
  const id = store.newId(created_at);
  const { public_jwk, ...key } = await generateSigningKey(sealer, id, options);
  await store.addFirstSigningKey({
    id,
    ...key,
    public_jwk: { ...public_jwk } as JsonObject,
    activates_at: created_at,
    created_at,
  });
}

/** Creates the records that the database lacks. Throws if the settings for the administrator are invalid. */
export async function bootstrap(
  environment: Environment,
  now: () => Date,
  pair?: Promise<KeyPair>,
): Promise<void> {
  const { store, config } = environment;
  if ((await store.count("signing_keys", { algorithm: "RS256" })) === 0)
    await makeFirstKey(environment, now(), { algorithm: "RS256", pair });
  const [demanded] = demandsOnAll(config).token_algorithms ?? [];
  if (demanded !== undefined && (await store.count("signing_keys", { algorithm: demanded })) === 0) {
    await makeFirstKey(environment, now(), { algorithm: demanded });
  }
  if (config.admin !== undefined) {
    const identity = {
      ...environment,
      memory: serverMemory(),
      now,
      report: () => {},
      throttle: false,
      settings: config,
    };
    const outcome = await makeFirstAdministrator({ name: "Administrator", ...config.admin }, identity);
    if (outcome.type === "refused") {
      const errors = outcome.errors.map(
        (each) => `POSTERN_ADMIN_${each.path.slice(1).toUpperCase()} ${fieldErrorText(each, english)}`,
      );
      throw new Error(errors.join("\n"));
    }
  }
}
