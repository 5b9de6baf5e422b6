import type { ManagementStore } from "../admin/access/actor.ts";
import type { OverloadedError, UnavailableError } from "../errors.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import type { UpstreamClient } from "../providers/upstream_client.ts";
import type { Brand } from "../records/formats/brand.ts";
import type { Mail } from "../records/names/notices.ts";
import type { ProcessFigures } from "../records/names/process_figures.ts";
import type { Reach } from "../records/rules/outbound_reach.ts";
import type { Language } from "../web/words/language.ts";
import type { RateLimits } from "./rate_limits.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The log redacts secrets (H-7). */
export interface HttpLog {
  debug(fields: Fields, message: string): void;
  info(fields: Fields, message: string): void;
  warn(fields: Fields, message: string): void;
  error(fields: Fields, message: string): void;
}

/** Logs requests that were answered with 503, at most one line per second for each cause. */
export interface UnavailableLog {
  database(error: UnavailableError, facts: Fields): void;
  hashing(error: OverloadedError, facts: Fields): void;
}

export interface HttpMetrics {
  count(name: "postern_token_errors_total", labels: { error: string }): void;
  count(name: "postern_mails_refused_total" | "postern_replays_total", labels: { kind: string }): void;
  /** `value` is in seconds. */
  observe(
    name: "postern_http_request_duration_seconds",
    labels: { route: string; method: string; status: string },
    value: number,
  ): void;
}

interface HttpMail {
  /**
   * `make` composes the email just before it is sent, and returns undefined if there is nothing to send.
   * Emails that anonymous callers can cause have a separate queue, `anybody`.
   */
  post(make: () => Promise<Mail | undefined>, queue?: "account" | "anybody"): void;
  /** `send` returns whether the mail server accepted the email. */
  flushOutbox(pass: (send: (mail: Mail) => Promise<boolean>) => Promise<unknown>): Promise<void>;
}

export interface Readiness {
  readonly ready: boolean;
  readonly components: Readonly<Record<string, string>>;
}

export interface ShellContext {
  readonly store: ManagementStore;
  readonly server: AuthorizationServer;
  readonly log: HttpLog;
  readonly unavailable: UnavailableLog;
  readonly metrics?: HttpMetrics | undefined;
  /** Undefined if email is not configured. */
  readonly mail?: HttpMail | undefined;
  readonly brand?: { readonly [K in keyof Brand]?: Brand[K] | undefined } | undefined;
  readonly languages: readonly Language[];
  /**
   * Hosts, other than the server itself, whose pictures pages may show, such as `cdn.example.com`. The port
   * is included unless it is 443.
   */
  readonly picture_hosts?: readonly string[] | undefined;
  readonly docs_url?: string | undefined;
  readonly version?: string | undefined;
  readonly rate_limits?: RateLimits | undefined;
  readonly secure: boolean;
  readonly ready: () => Promise<Readiness>;
  /**
   * Creates an HTTP client, without cached responses, for checking one identity provider. Undefined if the
   * server makes no outbound requests.
   */
  readonly upstream?: ((reach: Reach) => UpstreamClient) | undefined;
  readonly figures?: (() => ProcessFigures) | undefined;
}
