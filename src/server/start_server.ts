import { availableParallelism } from "node:os";
import type { ManagementStore } from "../admin/access/actor.ts";
import { removeDueUsers, type StuckAccounts } from "../admin/records/due_deletions.ts";
import { type AppOptions, createApp, endpointNotices, followRecoveries, postNotice } from "../app.ts";
import { baseUrlOf, ownAddress } from "../config/base_url.ts";
import type { Config } from "../config.ts";
import { newCredential } from "../crypto/credentials.ts";
import { sha256Base64url } from "../crypto/digest.ts";
import { guessLimits } from "../crypto/guess_limits.ts";
import { SealError } from "../crypto/sealing.ts";
import type { KeyPair } from "../crypto/signing_keys.ts";
import { signingThread } from "../crypto/signing_thread.ts";
import { verifiedSecrets } from "../crypto/verified_secrets.ts";
import type { UnavailableError } from "../errors.ts";
import type { Listener } from "../http/serving/listener.ts";
import { clientDocuments } from "../oauth/client_metadata/client_documents.ts";
import { clientKeySets } from "../oauth/client_metadata/client_key_sets.ts";
import { allMethods } from "../oauth/clients/methods/all_methods.ts";
import { serverMemory } from "../oauth/core/memory.ts";
import { revocationBacklog } from "../oauth/core/revocation_backlog.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import { deliveriesOf } from "../oauth/deliveries/deliver.ts";
import { keyRingSource } from "../oauth/key_ring_source.ts";
import { pumpSignals } from "../oauth/signals/pump.ts";
import { allGrants } from "../oauth/token/grants/all_grants.ts";
import type { Log } from "../ops/log.ts";
import { createMailer, createOutbox } from "../ops/mail.ts";
import type { Mailer } from "../ops/mail_queue.ts";
import { createMetrics, type Metrics, noMetrics } from "../ops/metrics.ts";
import type { Telemetry } from "../ops/telemetry.ts";
import type { Outbound } from "../outbound/outbound.ts";
import { outboundThread } from "../outbound/outbound_thread.ts";
import type { IdentityContext } from "../people/core/context/context.ts";
import { sendOutbox } from "../people/core/outbox.ts";
import { makeSetupLink } from "../people/entry/setup.ts";
import { providerClient } from "../people/providers/provider_client.ts";
import { revokeStoredTokens } from "../people/providers/revoke_stored_tokens.ts";
import { upstreamClient } from "../providers/upstream_client.ts";
import { mailAddress } from "../records/names/email.ts";
import { isFeatureOn } from "../records/names/profiles.ts";
import { addressBlocks, isWithin } from "../records/names/public_addresses.ts";
import type { Reach } from "../records/rules/outbound_reach.ts";
import type { Driver } from "../storage/database/driver.ts";
import { languagesWith } from "../web/words/operator_words.ts";
import { accountLookup, mostLookups } from "./account_lookup.ts";
import { auditSinks, auditStream } from "./audit/audit_stream.ts";
import { type Background, startBackground } from "./background.ts";
import { bootstrap } from "./bootstrap.ts";
import { delivererOf } from "./deliverer_of.ts";
import { type Environment, type EnvironmentOptions, openEnvironment } from "./environment.ts";
import { eachInTurn, lastWrites } from "./last_writes.ts";
import { learnForeignHashes } from "./learn_foreign_hashes.ts";
import { type OutboundLimits, outboundOf, reachOfOpenClients, within } from "./outbound_of.ts";
import { readinessOf } from "./readiness.ts";
import { reporter } from "./report.ts";
import { refuseMissingKeys, sealAnew } from "./sealed_values.ts";
import { standardLines } from "./standard_lines.ts";
import { endOfStart, optimizeAgain } from "./start_memory.ts";
import { stopShares } from "./stop_budget.ts";
import { followIssuer } from "./stored_issuer.ts";
import { lowerPoolPriority } from "./thread_priority.ts";
import {
  tracedDriver,
  tracedGrants,
  tracedMethods,
  tracedOutbound,
  tracedPasswords,
  traceSignatures,
} from "./traced.ts";
import { readVersion } from "./version.ts";
import { hashObserver, watchServer } from "./watch_server.ts";
import { loadWords } from "./words_folder.ts";

const mostForClients = 20;

export type Demo = Pick<NonNullable<AppOptions["dev"]>, "clients" | "users">;

export interface RunningServer {
  readonly url: string;
  readonly metrics: Metrics;
  readonly server: AuthorizationServer;
  readonly store: ManagementStore;
  readonly identity: IdentityContext;
  /** Undefined if an administrator exists or another process creates the link. */
  readonly setup_link: string | undefined;
  close(): Promise<void>;
}

interface ServerOptions {
  readonly config: Config;
  readonly log: Log;
  readonly now: () => Date;
  /** Whether this process creates the link for the first administrator. */
  readonly inviting?: boolean;
  /** The listener answers requests during startup. The started server takes it over. */
  readonly listener: Listener;
  readonly demo?: Demo;
  /** The process runs only this server, which may then configure memory, threads and output. */
  readonly own_process?: boolean;
  readonly hashing?: EnvironmentOptions["hashing"];
  /** The caller closes it. */
  readonly telemetry?: Telemetry | undefined;
  readonly metrics?: Metrics;
  /** Given if the caller has already started to generate the key pair for the first signing key. */
  readonly first_pair?: Promise<KeyPair> | undefined;
}

/** Returns metrics if the settings export them. Call it once in a process, because they cannot be stopped. */
export async function metricsFor(
  { metrics_port }: Pick<Config, "metrics_port">,
  telemetry: Telemetry | undefined,
): Promise<Metrics> {
  const exported = metrics_port !== undefined || telemetry?.has_metrics;
  return exported ? createMetrics({ process_metrics: true }) : noMetrics;
}

/**
 * Starts a server. Throws if a signing key cannot be decrypted, instead of replacing the key (design 6.21).
 */
export async function startServer({
  config,
  log,
  now,
  inviting = true,
  demo,
  listener,
  own_process = false,
  hashing,
  telemetry,
  metrics: own_metrics,
  first_pair,
}: ServerOptions): Promise<RunningServer> {
  const tracing = telemetry?.tracing;
  const languages = languagesWith(await loadWords(config.words_dir, log));
  const onError = (err: Error) => log.warn({ err }, "a database connection broke and will be reopened");
  const onUnavailable = ({ kind, message }: UnavailableError) =>
    log.error({ fault: kind, reason: message }, "the database cannot be used");
  const onReplicaError = ({ message }: Error) =>
    log.warn({ reason: message }, "the replica cannot be read: lists and figures are read from the primary");
  const metrics = own_metrics ?? (await metricsFor(config, telemetry));
  const environment = await openEnvironment(config, {
    ...{ now, onError, onUnavailable, onReplicaError, serving: true },
    ...(metrics !== noMetrics && { onHash: hashObserver(metrics) }),
    ...(hashing !== undefined && { hashing }),
    ...(tracing && { around: (driver: Driver) => tracedDriver(driver, tracing) }),
  });
  const { store, sealer } = environment;
  const passwords = tracing ? tracedPasswords(environment.passwords, tracing) : environment.passwords;
  let background: Background | undefined;
  // If every core already runs a worker's event loop, a signing thread would only compete with them.
  const thread = own_process && availableParallelism() > config.workers ? signingThread() : undefined;
  const receivers = own_process ? outboundThread() : undefined;
  let stopTracing: (() => void) | undefined;
  try {
    await bootstrap(environment, now, first_pair);
    await followIssuer(config, { store, log, now });
    const keys = keyRingSource(store, sealer, thread);
    await openKeys(keys);
    await refuseMissingKeys(environment);
    if (own_process) standardLines(1).onDrop(() => metrics.count("postern_log_lines_dropped_total", {}));
    const report = reporter({ store, log, metrics, now });
    const unfinished = revocationBacklog();
    const shared = addressBlocks(config.shared_networks);
    const isShared = (client_ip: string) => isWithin(shared, client_ip);
    const { address_sign_ins: sign_ins, address_mails: mails } = config;
    const memory = serverMemory();
    const identity: IdentityContext = {
      store,
      memory,
      passwords,
      sealer,
      now,
      report,
      throttle: config.throttle,
      address_limits: { sign_ins, mails, isShared },
      sends_mail: demo !== undefined || config.mail !== undefined,
      settings: config,
    };
    // The demo sends no data to other machines.
    const outbox = demo && createOutbox({ log, metrics, now });
    const mail: Mailer | undefined =
      outbox ?? (config.mail && (await createMailer({ ...config.mail, log, metrics, now, mailAddress })));
    const setup_link = inviting ? await makeSetupLink(identity) : undefined;
    // If the operating system chooses the port, this call starts listening. Requests then wait until an app
    // answers them.
    const port = await listener.port();
    const issuer = baseUrlOf(config, port);
    const traced = (out: Outbound) => (tracing ? tracedOutbound(out, tracing) : out);
    const outbound = (more: OutboundLimits = {}) => traced(outboundOf(config, more));
    const upstream = (reach: Reach) => upstreamClient({ outbound: outbound(within(reach)), now });
    // Requests to hosts of clients have separate limits, because slow hosts must not delay other requests.
    const forClients = (reach: Reach) => outbound({ ...within(reach), most_at_once: mostForClients });
    const openReach = reachOfOpenClients(issuer);
    const lookup = demo ? undefined : config.account_lookup;
    const withProviders: IdentityContext = demo
      ? identity
      : {
          ...identity,
          provider_client: providerClient(
            { public: upstream("public"), internal: upstream("internal") },
            sealer,
          ),
          ...(lookup && {
            account_lookup: accountLookup({
              settings: lookup,
              outbound: outbound({ most_at_once: mostLookups }),
              admin: { store, passwords, sealer, now, issuer, log, switches: config },
              log,
            }),
          }),
        };
    const server: AuthorizationServer = {
      issuer,
      store,
      keys,
      passwords,
      verifiedSecrets: verifiedSecrets({ max: 50_000, ttl_seconds: 3600, now }),
      guesses: config.throttle ? guessLimits({ now }) : undefined,
      sealer,
      now,
      report,
      unfinished,
      settings: config,
      memory,
      grants: tracing ? tracedGrants(allGrants, tracing) : allGrants,
      clientAuthenticationMethods: tracing ? tracedMethods(allMethods, tracing) : allMethods,
      clientKeySets: {
        registered: clientKeySets({ outbound: forClients("internal"), now }),
        organization: clientKeySets({ outbound: forClients("public"), now }),
        open: clientKeySets({ outbound: forClients(openReach), now }),
      },
      clientDocuments: clientDocuments({ outbound: forClients(openReach), now }),
      isSharedAddress: isShared,
    };
    const tell = mail && endpointNotices({ server, identity, languages });
    const toReceivers = (limits: OutboundLimits) => traced(outboundOf(config, limits, receivers?.client));
    const deliverer = demo ? undefined : delivererOf(server, store, toReceivers, metrics, log, tell);
    const retention = {
      audit_events: config.audit_retention,
      events: config.event_retention,
      addresses: config.address_retention,
      notify_on_expiry: deliverer !== undefined && config.notify_on_expiry,
    };
    const started_at = now();
    const version = readVersion();
    const figures = () => ({
      version,
      started_at,
      workers: config.workers,
      hashing: passwords.load(),
      mail: mail?.load(),
      unwritten: {
        uses: store.unwrittenUses(),
        events: store.unwrittenEvents(),
        refusals: store.unwrittenRefusals(),
        counts: store.unwrittenCounts(),
      },
      swept_at: background?.sweptAt(),
      retention: { ...retention, refusals: config.refusal_retention },
    });
    const sinks = auditSinks(config, new URL(issuer).hostname);
    const stream = sinks.length > 0 ? auditStream({ store, sinks, log, now }) : undefined;
    await stream?.claim();
    // No database query follows this one: a start that fails in a query is repeated, and could not undo the
    // later steps. Without the optimizing compilers, a bcrypt hash takes ten times as long, and all sign-ins
    // would wait.
    await learnForeignHashes({ store, passwords }, own_process ? optimizeAgain : undefined);
    stopTracing = tracing && traceSignatures(tracing);
    await telemetry?.exportMetrics(metrics);
    watchServer(metrics, { store, passwords, unfinished, figures, retention, now });
    const app = await createApp({
      store,
      server,
      identity: withProviders,
      upstream: demo ? undefined : upstream,
      mail,
      outbox,
      brand: config.brand,
      languages,
      picture_hosts: config.picture_hosts,
      docs_url: config.docs_url,
      log,
      metrics,
      version,
      figures,
      trust_proxy: config.trust_proxy,
      http_server: listener.server,
      connections: listener.connections,
      tracing,
      secure: issuer.startsWith("https:"),
      ready: readinessOf(store, keys, now),
      ...(demo && {
        dev: { ...demo, random: () => newCredential("", now()), pkceChallenge: sha256Base64url },
      }),
    });
    const stuck: StuckAccounts = new Map();
    background = startBackground(store, log, now, retention, {
      removeDueUsers: (at) =>
        removeDueUsers(
          {
            ...{ store, passwords, now: () => at, issuer, log },
            actor: { kind: "system", label: "deletion by the user" },
            switches: server.settings,
            warn: (message) => log.warn({}, message),
            onAccountNotice: ({ kind, user_id: id, email, language = null }) =>
              postNotice({ mail, server, languages }, { kind, user: { id, email, language } }),
          },
          stuck,
        ),
      followRecoveries: (at) => followRecoveries({ identity, mail, server, languages }, at),
      ...(environment.several_keys && { sealAnew: sealUntilDone(environment, log) }),
      ...(demo === undefined && {
        revokeStoredTokens: (signal: AbortSignal) => revokeStoredTokens(withProviders, signal),
      }),
      ...(stream && { streamAudit: stream.passes }),
      learnForeignHashes: () => learnForeignHashes({ store, passwords }),
      ...(retention.notify_on_expiry && { notifyOfExpired: store.notifyOfExpired }),
      ...((isFeatureOn("events", config) || isFeatureOn("ssf", config)) && {
        numberEvents: () => store.numberEvents(),
      }),
      ...(isFeatureOn("ssf", config) && { pumpSignals: () => pumpSignals(server) }),
      ...(deliverer && { sendDeliveries: deliveriesOf(deliverer) }),
      sendOutbox: async () => mail?.flushOutbox((send) => sendOutbox(identity, send)),
    });
    if (own_process) await lowerPoolPriority();
    await listener.answerWith(app);
    // Nothing may be awaited from here on: a signal would not find the server, and cut off its requests (F-20).
    if (own_process) endOfStart();
    return {
      url: ownAddress(config, port),
      metrics,
      server,
      store,
      identity: withProviders,
      setup_link: setup_link && issuer + setup_link,
      async close() {
        await app.close();
        await lastWrites(async () => {
          // Finishes the emails first, because sending them needs the database.
          await Promise.all([mail?.close(stopShares.mails), unfinished.finish(stopShares.mails)]);
          await eachInTurn([
            // Writes queued rows before the slow steps, because queued rows are lost if the process is
            // killed.
            () => store.flush(),
            () => background?.stop(),
            () => store.flush(),
            () => stream?.close(stopShares.audit_streams),
            () => environment.close(),
            () => thread?.close(),
            () => receivers?.close(),
            stopTracing,
          ]);
        }, log);
      },
    };
  } catch (error) {
    await eachInTurn([
      () => background?.stop(),
      stopTracing,
      () => environment.close(),
      () => thread?.close(),
      () => receivers?.close(),
    ]).catch(() => {});
    throw error;
  }
}

function sealUntilDone(environment: Environment, log: Log) {
  let done = false;
  return async (signal: AbortSignal) => {
    if (done) return;
    const values = await sealAnew(environment, signal);
    if (signal.aborted) return;
    done = values === 0;
    if (done) log.info({}, "every record is encrypted with the first key of POSTERN_SECRET_KEY");
    else log.info({ values }, "values were re-encrypted with the first key of POSTERN_SECRET_KEY");
  };
}

async function openKeys(keys: AuthorizationServer["keys"]): Promise<void> {
  try {
    await keys();
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new Error(
      "the signing keys cannot be decrypted with POSTERN_SECRET_KEY: add the key that encrypted them to the list, or restore its file",
      { cause: error },
    );
  }
}
