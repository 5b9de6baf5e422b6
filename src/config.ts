/** The settings of a process, read from flags, environment and files. */
import { readFileSync } from "node:fs";
import { auditFileError } from "./config/audit_file_error.ts";
import { ConfigError, type SettingError } from "./config/config_error.ts";
import type { DatabaseConfig } from "./config/database_url.ts";
import { hostOf, isLoopback, isLoopbackName } from "./config/loopback.ts";
import { makeKey } from "./config/secret_keys.ts";
import { withoutServiceLinks } from "./config/service_links.ts";
import type { Setting } from "./config/setting.ts";
import { type EnvName, type LogLevel, settings } from "./config/settings.ts";
import type { SignerAddress } from "./config/signer_address.ts";
import type { SyslogAddress } from "./config/syslog_url.ts";
import { readTelemetry, type TelemetryConfig } from "./config/telemetry.ts";
import { Unfit } from "./config/unfit.ts";
import { unknownNames } from "./config/unknown_names.ts";
import type {
  ExtraSignIn,
  Feature,
  noncePolicies,
  Profile,
  RegistrationMode,
  SelfService,
  SignUpPolicy,
} from "./records/names/names.ts";

/**
 * The validated settings of one process. Durations are whole seconds, unless the name or a comment contains
 * another unit.
 */
export interface Config {
  /**
   * The issuer, without a trailing slash; undefined if it contains a port that the system has yet to choose
   * (port 0).
   */
  readonly base_url: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly database: DatabaseConfig;
  /** The standby from which the management API and the console read lists, exports and statistics. */
  readonly database_read: Extract<DatabaseConfig, { kind: "postgres" }> | undefined;
  /** In milliseconds, while the server runs; 0 means no limit. */
  readonly database_limits: {
    readonly statement_timeout: number;
    readonly lock_timeout: number;
    readonly idle_in_transaction_session_timeout: number;
    readonly query_timeout: number;
    readonly connect_timeout: number;
  };
  /**
   * The first key encrypts, and all keys decrypt. If undefined, the keys come from `secret_key_command` or
   * from the folder of the SQLite database.
   */
  readonly secret_keys: readonly Buffer[] | undefined;
  readonly secret_key_command: readonly [string, ...string[]] | undefined;
  /** The external signer; undefined if the database holds new signing keys. */
  readonly signer:
    | Extract<SignerAddress, { kind: "pkcs11" }>
    | (Extract<SignerAddress, { kind: "http" }> & {
        readonly [K in "token" | "certificate" | "ca"]: string | undefined;
      })
    | undefined;
  readonly admin: { readonly email: string; readonly password: string } | undefined;
  readonly workers: number;
  /** IP addresses and CIDR ranges of proxies whose `X-Forwarded-For` header is trusted. */
  readonly trust_proxy: readonly string[];
  readonly metrics_port: number | undefined;
  readonly metrics_host: string;
  readonly telemetry: TelemetryConfig | undefined;
  readonly log_level: LogLevel;
  readonly refresh_reuse_window: number;
  readonly open_reuse_window: number;
  readonly localhost_any_port: boolean;
  readonly refresh_family_max_age: number;
  readonly authorization_code_ttl: number;
  /** Days for which audit events, and events of the feed, are kept; 0 means forever. */
  readonly audit_retention: number;
  readonly event_retention: number;
  readonly audit_file: string | undefined;
  readonly audit_syslog: SyslogAddress | undefined;
  /**
   * Days for which IP addresses and user agents are kept after their sessions or other records have ended; 0
   * means forever.
   */
  readonly address_retention: number;
  /** In days. */
  readonly refusal_retention: number;
  readonly throttle: boolean;
  /**
   * Failed sign-ins, and emails of one kind, that one client network may cause within 15 minutes. A network
   * is an IPv4 address or an IPv6 /64 (`sourceOf`).
   */
  readonly address_sign_ins: number;
  readonly address_mails: number;
  /** IP addresses and CIDR ranges that are exempt from the limits per client network. */
  readonly shared_networks: readonly string[];
  readonly extra_grants: readonly string[];
  readonly extra_client_auth: readonly string[];
  readonly extra_features: readonly Feature[];
  readonly profiles: readonly Profile[];
  readonly registration: RegistrationMode;
  readonly client_hosts: readonly string[];
  readonly client_hosts_denied: readonly string[];
  readonly require_pushed_requests: boolean;
  readonly extra_sign_in: readonly ExtraSignIn[];
  readonly sign_up: SignUpPolicy;
  readonly sign_up_domains: readonly string[];
  readonly self_service: readonly SelfService[];
  /** In characters. */
  readonly password_length: number;
  readonly session_max_age: number;
  readonly session_idle: number;
  readonly notify_on_expiry: boolean;
  readonly session_remember_days: number;
  readonly remember_device_days: number;
  readonly recovery_delay_hours: number;
  readonly foreign_passwords_until: Date | undefined;
  /**
   * The operator's HTTP hook, called for email addresses that have no account, or an imported one without a
   * password (MG-9).
   */
  readonly account_lookup:
    | {
        readonly url: string;
        readonly secret: string;
        readonly until: Date;
        readonly send_password: boolean;
        /** Milliseconds that every failed sign-in takes, whether or not the hook was called. */
        readonly answer_time: number;
        readonly source: string;
      }
    | undefined;
  readonly api_step_up_age: number;
  /** Management API requests per minute and credential; 0 means no limit. */
  readonly api_rate_limit: number;
  readonly api_origins: readonly string[];
  readonly related_origins: readonly string[];
  /** Private IP addresses and CIDR ranges that outbound requests may reach. */
  readonly outbound_allow: readonly string[];
  readonly outbound_proxy: URL | undefined;
  /** Additional CA certificates, in PEM. */
  readonly outbound_ca: string | undefined;
  readonly dpop_nonce: (typeof noncePolicies)[number];
  readonly mail: { readonly smtp_url: string; readonly from: string } | undefined;
  /** The brand of pages that belong to no organization. */
  readonly brand: { readonly [K in "name" | "logo_url" | "accent"]: string | undefined };
  readonly picture_hosts: readonly string[];
  readonly docs_url: string | undefined;
  /** Values that discovery publishes (RFC 8414 2). */
  readonly service_documentation: string | undefined;
  readonly op_policy_uri: string | undefined;
  readonly op_tos_uri: string | undefined;
  /** The folder has one file per language. */
  readonly words_dir: string | undefined;
}

/**
 * Reads the settings: `overrides` (flags) take precedence over `env`, then for secrets the file named by
 * NAME_FILE, then the default. Throws `ConfigError` with all errors (D-2, H-12).
 */
export function readConfig(
  input: Readonly<Record<string, string | undefined>>,
  overrides: Readonly<Partial<Record<EnvName, string>>> = {},
  files: { readFile(path: string): string } = { readFile: (path) => readFileSync(path, "utf8") },
): Config {
  const env = withoutServiceLinks(input);
  const errors: SettingError[] = unknownNames(env);
  const report = (name: string, message: string) => errors.push({ name, message });
  const faulty = (name: EnvName) => errors.some((each) => each.name === name || each.name === `${name}_FILE`);
  const isGiven = ({ name, secret }: Setting<unknown> & { name: EnvName }) =>
    Boolean(overrides[name] || env[name] || (secret && env[`${name}_FILE`]));

  function read<T>(setting: Setting<T> & { name: EnvName; default: string }): T;
  function read<T>(setting: Setting<T> & { name: EnvName }): T | undefined;
  function read<T>(setting: Setting<T> & { name: EnvName }): T | undefined {
    const { name, parse } = setting;
    let source: string = name;
    let text = overrides[name] || env[name];
    const path = setting.secret && env[`${name}_FILE`];
    if (!text && path) {
      source = `${name}_FILE`;
      try {
        text = files.readFile(path).replace(/\r?\n$/, "");
        if (text === "") report(source, `the file is empty`);
      } catch (error) {
        const reason = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
        report(source, `the file cannot be read${reason}`);
      }
    }
    try {
      if (text) return parse(text);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      report(source, error.message);
    }
    return setting.default === undefined ? undefined : parse(setting.default);
  }

  const base_url = read(settings.base_url);
  const host = read(settings.host);
  const port = read(settings.port);
  const database_profile = read(settings.database_profile);
  const given_database = read(settings.database);
  const database =
    given_database.kind === "postgres" && database_profile !== "native"
      ? { ...given_database, profile: database_profile }
      : given_database;
  const database_read = read(settings.database_read);
  const secret_keys = read(settings.secret_keys);
  const metrics_port = read(settings.metrics_port);
  const throttle = read(settings.throttle);
  const extra_features = read(settings.extra_features) ?? [];
  const profiles = read(settings.profiles) ?? [];
  const registration = read(settings.registration);
  const require_pushed = read(settings.require_pushed_requests);
  const sign_up = read(settings.sign_up);
  const sign_up_domains = read(settings.sign_up_domains) ?? [];
  const database_limits = {
    statement_timeout: read(settings.database_statement_timeout),
    lock_timeout: read(settings.database_lock_timeout),
    idle_in_transaction_session_timeout: read(settings.database_idle_transaction_timeout),
    query_timeout: read(settings.database_query_timeout),
    connect_timeout: read(settings.database_connect_timeout),
  };

  function pair<A, B>(
    first: Setting<A> & { name: EnvName },
    second: Setting<B> & { name: EnvName },
  ): readonly [A, B] | undefined {
    const a = read(first);
    const b = read(second);
    if (isGiven(first) && !isGiven(second)) report(second.name, `is required if ${first.name} is set`);
    if (isGiven(second) && !isGiven(first)) report(first.name, `is required if ${second.name} is set`);
    return a !== undefined && b !== undefined ? [a, b] : undefined;
  }
  const admin = pair(settings.admin_email, settings.admin_password);
  const mail = pair(settings.smtp_url, settings.mail_from);

  const lookup = pair(settings.account_lookup_url, settings.account_lookup_secret);
  const lookup_until = read(settings.account_lookup_until);
  const send_password = read(settings.account_lookup_send_password) === "on";
  if (lookup !== undefined && !isGiven(settings.account_lookup_until))
    report(settings.account_lookup_until.name, `is required if ${settings.account_lookup_url.name} is set`);
  if (lookup !== undefined && send_password && !lookup[0].startsWith("https:"))
    report(
      settings.account_lookup_send_password.name,
      "requires an https address in POSTERN_ACCOUNT_LOOKUP_URL",
    );

  const signer = read(settings.signer);
  const signer_parts = {
    token: read(settings.signer_token),
    certificate: read(settings.signer_certificate),
    ca: read(settings.signer_ca),
  };
  for (const part of [settings.signer_token, settings.signer_certificate, settings.signer_ca]) {
    if (isGiven(part) && signer?.kind !== "http" && !faulty("POSTERN_SIGNER"))
      report(part.name, "requires an HTTP signer in POSTERN_SIGNER");
  }
  if (isGiven(settings.secret_keys) && isGiven(settings.secret_key_command)) {
    report(
      settings.secret_key_command.name,
      "cannot be combined with POSTERN_SECRET_KEY: set only one of them",
    );
  }
  const has_keys = isGiven(settings.secret_keys) || isGiven(settings.secret_key_command);
  if (database.kind === "postgres" && !has_keys) {
    report(
      settings.secret_keys.name,
      `is required with PostgreSQL, because all processes of a database need the same key; ${makeKey}`,
    );
  }
  if (database_read !== undefined && !faulty("POSTERN_DATABASE_URL") && database.kind !== "postgres") {
    report(settings.database_read.name, "needs PostgreSQL in POSTERN_DATABASE_URL");
  }
  if (database_profile !== "native" && !faulty("POSTERN_DATABASE_URL") && database.kind !== "postgres") {
    report(settings.database_profile.name, "needs PostgreSQL in POSTERN_DATABASE_URL");
  }
  if (database_profile !== "native" && database_read !== undefined) {
    report(
      settings.database_read.name,
      "needs native in POSTERN_DATABASE_PROFILE, because only PostgreSQL reports the lag of a standby",
    );
  }
  const audit_file = read(settings.audit_file);
  const audit_file_error = audit_file && auditFileError(audit_file, database, env);
  if (audit_file_error) report(settings.audit_file.name, audit_file_error);
  const { statement_timeout, query_timeout } = database_limits;
  if (query_timeout > 0 && (statement_timeout === 0 || statement_timeout >= query_timeout)) {
    report(
      settings.database_query_timeout.name,
      "must exceed POSTERN_DATABASE_STATEMENT_TIMEOUT, so PostgreSQL cancels a statement before its connection counts as dead",
    );
  }
  if (throttle === "off" && !faulty("POSTERN_HOST") && !isLoopback(host)) {
    report(settings.throttle.name, "may be off only if POSTERN_HOST is a loopback address");
  } else if (throttle === "off" && base_url !== undefined && !isLoopbackName(hostOf(base_url))) {
    report(settings.throttle.name, "may be off only if the host of POSTERN_BASE_URL is a loopback address");
  }
  if (require_pushed === "on" && !faulty("POSTERN_EXTRA_FEATURES") && !extra_features.includes("par")) {
    report(settings.require_pushed_requests.name, "needs par in POSTERN_EXTRA_FEATURES");
  }
  if (registration !== "off" && !faulty("POSTERN_PROFILES") && !profiles.includes("mcp")) {
    report(settings.registration.name, "needs mcp in POSTERN_PROFILES");
  }
  if (sign_up !== "closed" && !faulty("POSTERN_SMTP_URL") && mail === undefined) {
    report(settings.sign_up.name, "needs POSTERN_SMTP_URL: an address is verified by email");
  }
  if (sign_up === "domains" && !faulty("POSTERN_SIGN_UP_DOMAINS") && sign_up_domains.length === 0) {
    report(settings.sign_up.name, "needs POSTERN_SIGN_UP_DOMAINS");
  }
  if (metrics_port !== undefined && metrics_port !== 0 && metrics_port === port) {
    report(settings.metrics_port.name, "must differ from POSTERN_PORT");
  }

  const config: Config = {
    base_url: base_url ?? (port === 0 ? undefined : new URL(`http://localhost:${port}`).origin),
    host,
    port,
    database,
    database_read,
    database_limits,
    secret_keys,
    secret_key_command: read(settings.secret_key_command),
    signer: signer?.kind === "http" ? { ...signer, ...signer_parts } : signer,
    admin: admin && { email: admin[0], password: admin[1] },
    workers: read(settings.workers),
    trust_proxy: read(settings.trust_proxy) ?? [],
    metrics_port,
    metrics_host: read(settings.metrics_host),
    telemetry: readTelemetry(env, report, files.readFile),
    log_level: read(settings.log_level),
    refresh_reuse_window: read(settings.refresh_reuse_window),
    open_reuse_window: read(settings.open_reuse_window),
    localhost_any_port: read(settings.localhost_any_port) === "on",
    refresh_family_max_age: read(settings.refresh_family_max_age),
    authorization_code_ttl: read(settings.authorization_code_ttl),
    audit_retention: read(settings.audit_retention),
    event_retention: read(settings.event_retention),
    audit_file,
    audit_syslog: read(settings.audit_syslog),
    address_retention: read(settings.address_retention),
    refusal_retention: read(settings.refusal_retention),
    throttle: throttle === "on",
    address_sign_ins: read(settings.address_sign_ins),
    address_mails: read(settings.address_mails),
    shared_networks: read(settings.shared_networks) ?? [],
    extra_grants: read(settings.extra_grants) ?? [],
    extra_client_auth: read(settings.extra_client_auth) ?? [],
    extra_features,
    profiles,
    client_hosts: read(settings.client_hosts),
    client_hosts_denied: read(settings.client_hosts_denied) ?? [],
    registration,
    require_pushed_requests: require_pushed === "on",
    extra_sign_in: read(settings.extra_sign_in) ?? [],
    sign_up,
    sign_up_domains,
    self_service: read(settings.self_service) ?? [],
    password_length: read(settings.password_length),
    session_max_age: read(settings.session_max_age),
    session_idle: read(settings.session_idle),
    notify_on_expiry: read(settings.notify_on_expiry) === "on",
    session_remember_days: read(settings.session_remember_days),
    remember_device_days: read(settings.remember_device_days),
    recovery_delay_hours: read(settings.recovery_delay_hours),
    foreign_passwords_until: read(settings.foreign_passwords_until),
    account_lookup: lookup &&
      lookup_until && {
        url: lookup[0],
        secret: lookup[1],
        until: lookup_until,
        send_password,
        answer_time: read(settings.account_lookup_time),
        source: read(settings.account_lookup_source),
      },
    api_step_up_age: read(settings.api_step_up_age),
    api_rate_limit: read(settings.api_rate_limit),
    api_origins: read(settings.api_origins) ?? [],
    related_origins: read(settings.related_origins) ?? [],
    outbound_allow: read(settings.outbound_allow) ?? [],
    outbound_proxy: read(settings.outbound_proxy),
    outbound_ca: read(settings.outbound_ca),
    dpop_nonce: read(settings.dpop_nonce),
    mail: mail && { smtp_url: mail[0], from: mail[1] },
    brand: {
      name: read(settings.brand_name),
      logo_url: read(settings.brand_logo_url),
      accent: read(settings.brand_accent),
    },
    picture_hosts: read(settings.picture_hosts) ?? [],
    docs_url: read(settings.docs_url),
    service_documentation: read(settings.service_documentation),
    op_policy_uri: read(settings.op_policy_uri),
    op_tos_uri: read(settings.op_tos_uri),
    words_dir: read(settings.words_dir),
  };
  if (errors.length > 0) throw new ConfigError(errors);
  return config;
}
