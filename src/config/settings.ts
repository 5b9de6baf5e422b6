/** Parsing, `--help` and docs/operations/settings.md are derived from this table. */
import {
  databaseProfiles,
  extraClientAuthentication,
  extraGrants,
  type Feature,
  features,
  noncePolicies,
  type Profile,
  profiles,
  registrationModes,
} from "../records/names/names.ts";
import { apiSettings } from "./api_settings.ts";
import { databaseUrl, replicaUrl } from "./database_url.ts";
import { keySettings } from "./key_settings.ts";
import { lookupSettings } from "./lookup_settings.ts";
import { emailAddress, mailFrom, smtpUrl } from "./mail_addresses.ts";
import { outboundSettings } from "./outbound_settings.ts";
import { adminPassword, brandName, colour, namesFrom, oneOf, wholeNumber } from "./parsers.ts";
import type { Setting } from "./setting.ts";
import { signInSettings } from "./sign_in_settings.ts";
import { syslogUrl } from "./syslog_url.ts";
import {
  baseUrl,
  docsUrl,
  hostPatterns,
  listenHost,
  logoUrl,
  pictureHosts,
  proxyRanges,
  relatedOrigins,
} from "./web_addresses.ts";

export type LogLevel = (typeof logLevels)[number];

const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

const featureMeanings: Readonly<Record<Feature, string>> = {
  cli: "`postern login` through the browser, RFC 8252",
  dpop: "tokens bound to a client's key, RFC 9449",
  events: "feed of events for consumers",
  form_post: "responses posted as a form, OAuth 2.0 Form Post Response Mode",
  logout_notices: "sign-out notices to apps, OpenID Connect Back-Channel Logout",
  par: "pushed authorization requests, RFC 9126",
  resource_metadata: "metadata of userinfo and the management API, RFC 9728",
  ssf: "shared signals for receivers, OpenID Shared Signals Framework",
};

const profileMeanings: Readonly<Record<Profile, string>> = {
  mcp: "open clients, Model Context Protocol",
  fapi2: "FAPI 2.0 Security Profile",
  oauth21: "OAuth 2.1",
};

export const settings = {
  base_url: {
    name: "POSTERN_BASE_URL",
    otherwise: "http://localhost:<port>",
    meaning:
      "the issuer, and the URL under which browsers and clients reach the server, without a path or trailing slash. It must be https unless the host is loopback, such as localhost",
    parse: baseUrl,
  },
  host: {
    name: "POSTERN_HOST",
    default: "127.0.0.1",
    meaning: "the IP address or host name on which the server listens",
    parse: listenHost,
  },
  port: {
    name: "POSTERN_PORT",
    default: "3000",
    meaning: "the port on which the server listens; 0 picks a free port, which the log names",
    parse: wholeNumber(0, 65535),
  },
  database: {
    name: "POSTERN_DATABASE_URL",
    default: "sqlite:data/postern.db",
    secret: true,
    meaning:
      "the database: sqlite:path, or postgres://user:password@host:5432/database. The server tries several comma-separated hosts in order",
    parse: databaseUrl,
  },
  database_read: {
    name: "POSTERN_DATABASE_READ_URL",
    secret: true,
    meaning:
      "PostgreSQL standbys, written like POSTERN_DATABASE_URL, from which the management API and the console read lists, exports and statistics",
    parse: replicaUrl,
  },
  database_profile: {
    name: "POSTERN_DATABASE_PROFILE",
    default: "native",
    meaning:
      "native for PostgreSQL, or serializable for databases that have PostgreSQL's protocol but no advisory locks or notifications. All processes that share a database need the same value",
    parse: oneOf(databaseProfiles),
  },
  database_statement_timeout: {
    name: "POSTERN_DATABASE_STATEMENT_TIMEOUT",
    default: "5000",
    meaning: "milliseconds until PostgreSQL cancels a statement; 0 means never",
    parse: wholeNumber(0, 3_600_000),
  },
  database_lock_timeout: {
    name: "POSTERN_DATABASE_LOCK_TIMEOUT",
    default: "4000",
    meaning: "milliseconds until PostgreSQL stops waiting for a lock; 0 means never",
    parse: wholeNumber(0, 3_600_000),
  },
  database_idle_transaction_timeout: {
    name: "POSTERN_DATABASE_IDLE_TRANSACTION_TIMEOUT",
    default: "10000",
    meaning: "milliseconds until PostgreSQL closes a connection that is idle in a transaction; 0 means never",
    parse: wholeNumber(0, 3_600_000),
  },
  database_query_timeout: {
    name: "POSTERN_DATABASE_QUERY_TIMEOUT",
    default: "7000",
    meaning:
      "milliseconds without a response from PostgreSQL after which the server closes the connection; 0 means never. Keep it above POSTERN_DATABASE_STATEMENT_TIMEOUT",
    parse: wholeNumber(0, 3_600_000),
  },
  database_connect_timeout: {
    name: "POSTERN_DATABASE_CONNECT_TIMEOUT",
    default: "5000",
    meaning: "milliseconds that a request waits for a free PostgreSQL connection",
    parse: wholeNumber(100, 60_000),
  },
  ...keySettings,
  admin_email: {
    name: "POSTERN_ADMIN_EMAIL",
    meaning: "email address of the platform administrator whom the server creates at startup if none exists",
    parse: emailAddress,
  },
  admin_password: {
    name: "POSTERN_ADMIN_PASSWORD",
    secret: true,
    meaning: "the password of the administrator in POSTERN_ADMIN_EMAIL, at least 8 characters",
    parse: adminPassword,
  },
  workers: {
    name: "POSTERN_WORKERS",
    default: "1",
    meaning: "the number of server processes, 1 to 64, that share the port",
    parse: wholeNumber(1, 64),
  },
  trust_proxy: {
    name: "POSTERN_TRUST_PROXY",
    meaning:
      "comma-separated IP addresses and CIDR ranges of your reverse proxies, whose X-Forwarded-For header the server trusts",
    parse: proxyRanges,
  },
  metrics_port: {
    name: "POSTERN_METRICS_PORT",
    meaning: "the port of /metrics for Prometheus. Without this setting, the server offers no metrics",
    parse: wholeNumber(0, 65535),
  },
  metrics_host: {
    name: "POSTERN_METRICS_HOST",
    default: "127.0.0.1",
    meaning:
      "the IP address or host name on which /metrics listens. It requires no credential, so let only your Prometheus server reach it",
    parse: listenHost,
  },
  log_level: {
    name: "POSTERN_LOG_LEVEL",
    default: "info",
    meaning: `the lowest level that is logged: ${logLevels.join(", ")}`,
    parse: oneOf(logLevels),
  },
  refresh_reuse_window: {
    name: "POSTERN_REFRESH_REUSE_WINDOW",
    default: "0",
    meaning:
      "seconds, 0 to 60, in which a client that repeats a refresh gets the same response again. After that, the server revokes the token's family. An app's metadata.refresh_reuse_window overrides it",
    parse: wholeNumber(0, 60),
  },
  open_reuse_window: {
    name: "POSTERN_OPEN_REUSE_WINDOW",
    default: "60",
    meaning: "the value of POSTERN_REFRESH_REUSE_WINDOW for open clients",
    parse: wholeNumber(0, 60),
  },
  localhost_any_port: {
    name: "POSTERN_LOCALHOST_ANY_PORT",
    default: "on",
    meaning:
      "on lets open clients, and native apps with localhost_any_port, use any port in redirect URIs on localhost; off allows only the registered port",
    parse: oneOf(["on", "off"]),
  },
  refresh_family_max_age: {
    name: "POSTERN_REFRESH_FAMILY_MAX_AGE",
    default: "7776000",
    meaning: "lifetime of a family in seconds, after which the user must sign in again",
    parse: wholeNumber(1, 315_360_000),
  },
  authorization_code_ttl: {
    name: "POSTERN_AUTHORIZATION_CODE_TTL",
    default: "60",
    meaning: "lifetime of an authorization code in seconds, 1 to 600",
    parse: wholeNumber(1, 600),
  },
  audit_retention: {
    name: "POSTERN_AUDIT_RETENTION",
    default: "365",
    meaning: "days until audit events are deleted; 0 means never",
    parse: wholeNumber(0, 36_500),
  },
  event_retention: {
    name: "POSTERN_EVENT_RETENTION",
    default: "30",
    meaning: "days until events of the feed are deleted; 0 means never",
    parse: wholeNumber(0, 36_500),
  },
  audit_file: {
    name: "POSTERN_AUDIT_FILE",
    meaning: "a file to which the server appends each audit event as JSON Lines",
    parse: (text: string) => text,
  },
  audit_syslog: {
    name: "POSTERN_AUDIT_SYSLOG_URL",
    meaning:
      "a syslog server (RFC 5424) that receives each audit event: udp://host:514, tcp://host:601 or tls://host:6514",
    parse: syslogUrl,
  },
  address_retention: {
    name: "POSTERN_ADDRESS_RETENTION",
    default: "90",
    meaning:
      "days until the server erases IP addresses and user agents from audit events and other past records; 0 means never",
    parse: wholeNumber(0, 36_500),
  },
  refusal_retention: {
    name: "POSTERN_REFUSAL_RETENTION",
    default: "7",
    meaning: "days, 1 to 90, for which `postern explain` can explain a failed request",
    parse: wholeNumber(1, 90),
  },
  throttle: {
    name: "POSTERN_THROTTLE",
    default: "on",
    meaning:
      "off removes the limits on password guesses and on other requests without a credential; use it only for load tests on loopback",
    parse: oneOf(["on", "off"]),
  },
  picture_hosts: {
    name: "POSTERN_PICTURE_HOSTS",
    meaning: "comma-separated hosts, such as cdn.example.com, from which pages may load logos and pictures",
    parse: pictureHosts,
  },
  extra_grants: {
    name: "POSTERN_EXTRA_GRANTS",
    meaning: `comma-separated grant types to switch on: ${extraGrants.join(", ")} (service account assertions, RFC 7523)`,
    parse: namesFrom(extraGrants, "extra grant"),
  },
  extra_client_auth: {
    name: "POSTERN_EXTRA_CLIENT_AUTH",
    meaning: `comma-separated client authentication methods to switch on: ${extraClientAuthentication.join(", ")} (client assertions, RFC 7523)`,
    parse: namesFrom(extraClientAuthentication, "extra client authentication method"),
  },
  extra_features: {
    name: "POSTERN_EXTRA_FEATURES",
    meaning: `comma-separated protocol features to switch on: ${features.map((name) => `${name} (${featureMeanings[name]})`).join(", ")}`,
    parse: namesFrom(features, "extra feature"),
  },
  ...signInSettings,
  api_step_up_age: {
    name: "POSTERN_API_STEP_UP_AGE",
    default: "0",
    meaning:
      "seconds since the user's sign-in after which the management API refuses sensitive requests with a user's token (RFC 9470); 0 means no limit",
    parse: wholeNumber(0, 86_400),
  },
  ...apiSettings,
  related_origins: {
    name: "POSTERN_RELATED_ORIGINS",
    meaning:
      "up to 5 comma-separated https origins that may use this server's passkeys (WebAuthn related origins)",
    parse: relatedOrigins,
  },
  profiles: {
    name: "POSTERN_PROFILES",
    meaning: `comma-separated profiles (sets of features and rules) that apply to all apps: ${profiles.map((name) => `${name} (${profileMeanings[name]})`).join(", ")}`,
    parse: namesFrom(profiles, "profile"),
  },
  client_hosts: {
    name: "POSTERN_CLIENT_HOSTS",
    default: "*",
    meaning:
      "comma-separated hosts on which clients may publish metadata documents: client.example, *.client.example for its subdomains, * for all",
    parse: hostPatterns,
  },
  client_hosts_denied: {
    name: "POSTERN_CLIENT_HOSTS_DENIED",
    meaning:
      "comma-separated hosts whose clients the server refuses, even if POSTERN_CLIENT_HOSTS allows them",
    parse: hostPatterns,
  },
  registration: {
    name: "POSTERN_REGISTRATION",
    default: "off",
    meaning:
      "who may register clients at /oauth/register (RFC 7591): off (no caller), token (callers with an API key or access token with the scope postern:register) or open (all callers). Needs mcp in POSTERN_PROFILES",
    parse: oneOf(registrationModes),
  },
  require_pushed_requests: {
    name: "POSTERN_REQUIRE_PUSHED_REQUESTS",
    default: "off",
    meaning:
      "on refuses authorization requests that were not pushed (RFC 9126). Needs par in POSTERN_EXTRA_FEATURES",
    parse: oneOf(["on", "off"]),
  },
  ...lookupSettings,
  ...outboundSettings,
  dpop_nonce: {
    name: "POSTERN_DPOP_NONCE",
    default: "clock",
    meaning:
      "when a DPoP proof (RFC 9449) needs a server nonce: off (never), clock (if the client's clock is more than 60 seconds wrong), or always",
    parse: oneOf(noncePolicies),
  },
  smtp_url: {
    name: "POSTERN_SMTP_URL",
    secret: true,
    meaning:
      "the mail server: smtps://user:password@host:465, or smtp://…:587, which requires STARTTLS unless the URL ends in ?requireTLS=false. Without this setting, the server sends no email, and features that need email are off",
    parse: smtpUrl,
  },
  mail_from: {
    name: "POSTERN_MAIL_FROM",
    meaning: "the sender of emails: an address, or Name <address>",
    parse: mailFrom,
  },
  brand_name: {
    name: "POSTERN_BRAND_NAME",
    otherwise: "Postern",
    meaning: "the server's name on pages, at most 100 characters",
    parse: brandName,
  },
  brand_logo_url: {
    name: "POSTERN_BRAND_LOGO_URL",
    meaning: "the logo: an https URL, a path on this server's host, or a small data:image/… URL",
    parse: logoUrl,
  },
  brand_accent: {
    name: "POSTERN_BRAND_ACCENT",
    meaning: "the color of buttons and links, such as #0e6655",
    parse: colour,
  },
  docs_url: {
    name: "POSTERN_DOCS_URL",
    meaning: "URL of your own documentation, to which the menu of signed-in users links",
    parse: docsUrl,
  },
  service_documentation: {
    name: "POSTERN_SERVICE_DOCUMENTATION",
    meaning:
      "URL of your documentation for developers of clients; service_documentation in the discovery document",
    parse: docsUrl,
  },
  op_policy_uri: {
    name: "POSTERN_POLICY_URI",
    meaning: "URL of your rules for how clients may use data; op_policy_uri in the discovery document",
    parse: docsUrl,
  },
  op_tos_uri: {
    name: "POSTERN_TOS_URI",
    meaning: "URL of your terms of service for clients; op_tos_uri in the discovery document",
    parse: docsUrl,
  },
  words_dir: {
    name: "POSTERN_WORDS_DIR",
    meaning: "a folder with your own texts, one file per language, such as de.yaml",
    parse: (text: string) => text,
  },
} satisfies Record<string, Setting<unknown>>;

export type EnvName = (typeof settings)[keyof typeof settings]["name"];
