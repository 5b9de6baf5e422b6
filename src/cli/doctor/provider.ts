/** `postern doctor provider`: checks whether users can sign in through external providers (EP-20). */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import type { Config } from "../../config.ts";
import type { Provider } from "../../records/definition/definition.ts";
import type { Rows } from "../../storage/ports.ts";
import { presentKeys } from "../core/present_keys.ts";
import { readSettings } from "../core/setting_options.ts";
import type { Options, Terminal } from "../core/terminal.ts";
import { type Finding, printFindings } from "./findings.ts";

const mostProviders = 50;

export function doctorProviderCommand(doctor: Command, terminal: Terminal): void {
  doctor
    .command("provider")
    .argument("[slug]", "the provider (default: every active one)")
    .description(
      "check the metadata of external providers and print their redirect URIs; exit code 1 if a check fails",
    )
    .action(async (slug: string | undefined, _: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const config = readSettings(options, terminal.env);
      printFindings(terminal, options, await examine(config, terminal.now, slug));
    });
}

/** Read-only: a missing or outdated database is reported and left unchanged. */
async function examine(config: Config, now: () => Date, slug?: string): Promise<Finding[]> {
  const { database } = config;
  const absent = (detail: string): Finding[] => [{ check: "database", ok: false, detail }];
  if (database.kind === "sqlite" && !existsSync(database.path)) {
    return absent(`${database.path} does not exist yet; the first start creates it`);
  }
  const { openStore } = await import("../../storage/store.ts");
  const store = await openStore(database);
  try {
    const missing = (await store.migrationStatus()).some(({ applied }) => !applied);
    if (missing) return absent("migrations are missing; run `postern migrate up`");
    const findings = await examineProviders(store, config, now, slug);
    return findings.length > 0
      ? findings
      : [{ check: "providers", ok: true, detail: "no provider is active" }];
  } finally {
    await store.close();
  }
}

/** Checks the active providers, or the one with this slug. Throws an Error for an unknown slug. */
export async function examineProviders(
  store: Rows,
  config: Config,
  now: () => Date,
  slug?: string,
): Promise<Finding[]> {
  const providers = await providersOf(store, slug);
  if (providers.length === 0) return [];
  const [{ sealer }, { examineProvider }, { providerFindingText }, { english }] = await Promise.all([
    import("../../crypto/sealing.ts"),
    import("../../server/examine_provider.ts"),
    import("../../web/words/error_text.ts"),
    import("../../web/words/english.ts"),
  ]);
  const keys = await presentKeys(config);
  if (keys === undefined) {
    return [
      { check: "providers", ok: false, detail: "the secret key that decrypts their secrets is missing" },
    ];
  }
  const parts = { sealer: sealer(keys), now };
  const findings: Finding[] = [];
  for (const provider of providers) {
    for (const found of await examineProvider(provider, config, parts)) {
      const check = `provider ${provider.slug}: ${found.check.replaceAll("_", " ")}`;
      const text = providerFindingText(found, english);
      const detail = found.advice === undefined ? text : `${text}; ${found.advice}`;
      findings.push({ check, ok: found.ok, detail });
    }
  }
  return findings;
}

async function providersOf(store: Rows, slug: string | undefined): Promise<readonly Provider[]> {
  if (slug === undefined) {
    const newest = { order_by: "updated_at", descending: true, limit: mostProviders } as const;
    return store.list("providers", { active: true }, newest);
  }
  const provider = await store.find("providers", { slug });
  if (provider === undefined) throw new Error(`there is no provider with the slug ${JSON.stringify(slug)}`);
  return [provider];
}
