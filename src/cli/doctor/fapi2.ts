/**
 * `postern doctor fapi2`: checks the server, and each app that has the profile, against the FAPI 2.0 Security
 * Profile (PR-60).
 */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { profileMisfits, signingAlgorithmsOf } from "../../admin/records/profile_misfits.ts";
import type { Config } from "../../config.ts";
import type { OAuthApp } from "../../records/definition/definition.ts";
import { stateOfSigningKey } from "../../records/names/liveness.ts";
import { isBuiltInClient } from "../../records/names/names.ts";
import { demandsOn, isFeatureOn, isMethodOn, profileDemands } from "../../records/names/profiles.ts";
import type { Keys, Rows } from "../../storage/ports.ts";
import { countedSteps } from "../../web/error_sentence.ts";
import { readSettings } from "../core/setting_options.ts";
import type { Options, Terminal } from "../core/terminal.ts";
import { counted } from "../core/terminal.ts";
import { type Finding, printFindings } from "./findings.ts";

export function doctorFapi2Command(doctor: Command, terminal: Terminal): void {
  doctor
    .command("fapi2")
    .description(
      "check the server, and each app that has the profile fapi2, against FAPI 2.0; exit code 1 if a check fails",
    )
    .option("--app <client_id>", "check this app as if it had the profile")
    .action(async ({ app }: { app?: string }, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const config = readSettings(options, terminal.env);
      printFindings(terminal, options, await examine(config, terminal.now(), app));
    });
}

/** Read-only: a missing or outdated database is reported and left unchanged. */
async function examine(config: Config, now: Date, client_id?: string): Promise<Finding[]> {
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
    const apps = await appsOf(store, config, client_id);
    const findings = await examineServer(store, config, now);
    for (const app of apps) findings.push(await examineApp(app, config));
    if (apps.length === 0) findings.push({ check: "apps", ok: true, detail: "no app has the profile" });
    return findings;
  } finally {
    await store.close();
  }
}

async function appsOf(store: Rows & Keys, { profiles }: Config, client_id?: string): Promise<OAuthApp[]> {
  const requested = (app: OAuthApp): OAuthApp => ({ ...app, profile: "fapi2" });
  if (client_id !== undefined) {
    const app = await store.find("oauth_apps", { client_id });
    if (app === undefined) throw new Error(`there is no app with the client_id ${JSON.stringify(client_id)}`);
    return [requested(app)];
  }
  const where = profiles.includes("fapi2") ? {} : ({ profile: "fapi2" } as const);
  const apps = await store.list("oauth_apps", { ...where, active: true }, { order_by: "client_id" });
  return apps.filter((app) => !isBuiltInClient(app.client_id) && app.revoked_at === null);
}

async function examineServer(store: Rows & Keys, config: Config, now: Date): Promise<Finding[]> {
  const { features, authentication_methods, token_algorithms, longest_code_ttl } = profileDemands.fapi2;
  const finding = (check: string, ok: boolean, well: string, wrong: string): Finding => ({
    check,
    ok,
    detail: ok ? well : wrong,
  });
  const address = config.base_url ?? "the base URL";
  const signing = (await store.listSigningKeys())
    .filter((key) => stateOfSigningKey(key, now) === "signing")
    .map(({ algorithm }) => algorithm)
    .filter((algorithm) => token_algorithms?.includes(algorithm));
  const [usual = ""] = token_algorithms ?? [];
  return [
    finding(
      "base URL",
      config.base_url?.startsWith("https:") ?? false,
      `${address} is https`,
      `${address} must be https: set POSTERN_BASE_URL`,
    ),
    ...features.map((feature) =>
      finding(
        feature,
        isFeatureOn(feature, config),
        "is on",
        `is off: add it to POSTERN_EXTRA_FEATURES, or fapi2 to POSTERN_PROFILES`,
      ),
    ),
    ...(authentication_methods ?? []).map((method) =>
      finding(
        method,
        isMethodOn(method, config),
        "is on",
        "is off: add it to POSTERN_EXTRA_CLIENT_AUTH, or fapi2 to POSTERN_PROFILES",
      ),
    ),
    finding(
      "signing key",
      signing.includes(usual as never),
      `tokens are signed with ${[...new Set(signing)].join(", ")}`,
      `there is no ${usual} key: run \`postern keys rotate --algorithm ${usual}\``,
    ),
    finding(
      "codes",
      true,
      `last for ${counted(Math.min(longest_code_ttl ?? 60, config.authorization_code_ttl), "second")}`,
      "",
    ),
    finding(
      "profile",
      true,
      config.profiles.includes("fapi2")
        ? "the server enforces it on every app"
        : "it is enforced on apps with the profile",
      "",
    ),
  ];
}

async function examineApp(app: OAuthApp, config: Config): Promise<Finding> {
  const [{ fieldErrorText }, { english }] = await Promise.all([
    import("../../web/words/error_text.ts"),
    import("../../web/words/english.ts"),
  ]);
  const errors = profileMisfits(app, config).map(
    (misfit) =>
      `${countedSteps(misfit.path.slice(1).split("/")).join(" ")} ${fieldErrorText(misfit, english)}`,
  );
  if (app.jwks_uri !== null) {
    const { keySetError } = await import("../../server/examine_key_set.ts");
    const algorithms = signingAlgorithmsOf(app, demandsOn(app, config).client_algorithms);
    const error = await keySetError(app, algorithms, config);
    if (error !== undefined) errors.push(`jwks_uri ${app.jwks_uri}: ${error}`);
  }
  return {
    check: `app ${app.client_id}`,
    ok: errors.length === 0,
    detail: errors.length === 0 ? "meets the profile" : errors.join("; "),
  };
}
