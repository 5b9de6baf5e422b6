/** Wraps components of a server so that their calls create spans. */
import { signatures } from "../crypto/jwt.ts";
import type { PasswordHasher } from "../crypto/passwords.ts";
import type { ClientAuthenticationMethod, Grant } from "../oauth/core/server.ts";
import { inSpan, type OpenSpan, type SpanFacts, type SpanStart, type Tracing } from "../ops/tracing.ts";
import { type Outbound, OutboundError } from "../outbound/outbound.ts";
import type { Connection, Driver } from "../storage/database/driver.ts";

const tablePatterns: Readonly<Record<string, RegExp>> = {
  SELECT: /\bFROM\s+"?([a-z_]+)/i,
  DELETE: /\bFROM\s+"?([a-z_]+)/i,
  INSERT: /\bINTO\s+"?([a-z_]+)/i,
  UPDATE: /\bUPDATE\s+"?([a-z_]+)/i,
};

function statementSpans(system: "sqlite" | "postgresql"): (sql: string) => SpanStart {
  const known = new Map<string, SpanStart>();
  return (sql) => {
    const found = known.get(sql);
    if (found !== undefined) return found;
    const operation = /\b(?:SELECT|INSERT|UPDATE|DELETE)\b/i.exec(sql)?.[0].toUpperCase() ?? "STATEMENT";
    const table = tablePatterns[operation]?.exec(sql)?.[1];
    const facts: SpanFacts = {
      "db.system.name": system,
      "db.operation.name": operation,
      ...(table !== undefined && { "db.collection.name": table }),
    };
    const made: SpanStart = { name: [operation, table].filter(Boolean).join(" "), kind: "client", facts };
    // Searches generate many different SQL statements.
    if (known.size < 2000) known.set(sql, made);
    return made;
  };
}

/** Returns the driver with a span for each statement and transaction. */
export function tracedDriver(driver: Driver, tracing: Tracing): Driver {
  const system = driver.dialect.name === "sqlite" ? "sqlite" : "postgresql";
  const start = statementSpans(system);
  const named = (name: string, more: SpanFacts = {}): SpanStart => ({
    name,
    kind: "client",
    facts: { "db.system.name": system, "db.operation.name": name, ...more },
  });
  const connected = <C extends Connection>({ all, queryUnprepared, first, run }: C): Connection => ({
    all: (sql, parameters) => inSpan(tracing, start(sql), () => all(sql, parameters)),
    queryUnprepared: (sql, parameters) => inSpan(tracing, start(sql), () => queryUnprepared(sql, parameters)),
    first: (sql, parameters) => inSpan(tracing, start(sql), () => first(sql, parameters)),
    run: (sql, parameters) => inSpan(tracing, start(sql), () => run(sql, parameters)),
  });
  return {
    ...driver,
    ...connected(driver),
    async transaction(work, options) {
      const span = tracing.open(named("TRANSACTION"));
      if (span === undefined) return driver.transaction(work, options);
      // A transaction may share another caller's commit and run in that caller's asynchronous context, so the
      // span is set explicitly.
      const inside = (connection: Connection) => span.within(() => work(connected(connection)));
      try {
        return await driver.transaction(inside, options);
      } finally {
        span.end();
      }
    },
    runBatch: (statements) =>
      inSpan(tracing, named("BATCH", { "db.operation.batch.size": statements.length }), () =>
        driver.runBatch(statements),
      ),
  };
}

/** Returns the hasher with a span for each hash, which includes the wait in the queue. */
export function tracedPasswords(passwords: PasswordHasher, tracing: Tracing): PasswordHasher {
  const start = (name: string, lane = "sign_in"): SpanStart => ({
    name: `hash ${name}`,
    facts: { "postern.hash.lane": lane },
  });
  return {
    ...passwords,
    hash: (password, lane, caller) =>
      inSpan(tracing, start("make", lane), () => passwords.hash(password, lane, caller)),
    verify: (phc, password, lane, caller) =>
      inSpan(tracing, start("verify", lane), () => passwords.verify(phc, password, lane, caller)),
    // Has the same name as the span of `verify`, because traces must not reveal whether an account exists
    // (L-9).
    verifyAgainstNothing: (password, lane, caller) =>
      inSpan(tracing, start("verify", lane), () => passwords.verifyAgainstNothing(password, lane, caller)),
  };
}

export function tracedMethods(
  methods: readonly ClientAuthenticationMethod[],
  tracing: Tracing,
): ClientAuthenticationMethod[] {
  return methods.map((method) => ({
    ...method,
    verify: (...input) =>
      inSpan(
        tracing,
        { name: "client authentication", facts: { "postern.client_authentication": method.name } },
        () => method.verify(...input),
      ),
  }));
}

export function tracedGrants(grants: readonly Grant[], tracing: Tracing): Grant[] {
  return grants.map((grant) => ({
    ...grant,
    validate: (...input) =>
      inSpan(tracing, { name: "grant", facts: { "postern.grant_type": grant.grant_type } }, () =>
        grant.validate(...input),
      ),
  }));
}

/** Adds a span to each token signature until the returned function is called. */
export function traceSignatures(tracing: Tracing): () => void {
  const spans = new WeakMap<object, OpenSpan>();
  const end = (message: object) => {
    spans.get(message)?.end();
    spans.delete(message);
  };
  const heard = {
    start(message: object) {
      const { algorithm } = message as { readonly algorithm: string };
      const facts = { "postern.signature.algorithm": algorithm };
      const span = tracing.open({ name: "signature", facts });
      if (span !== undefined) spans.set(message, span);
    },
    end() {},
    asyncStart() {},
    asyncEnd: end,
    error: end,
  };
  signatures.subscribe(heard);
  return () => void signatures.unsubscribe(heard);
}

/**
 * Adds a span to each outbound request, and the trace context to its headers. Spans contain only the host of
 * the URL.
 */
export function tracedOutbound({ send }: Outbound, tracing: Tracing): Outbound {
  return {
    async send(request) {
      const { method, url } = request;
      const host = URL.parse(url)?.hostname;
      const span = tracing.open({
        name: method,
        kind: "client",
        facts: { "http.request.method": method, ...(host !== undefined && { "server.address": host }) },
      });
      const carried = () => {
        const traceparent = tracing.traceparent();
        return send(traceparent === undefined ? request : { ...request, traceparent });
      };
      if (span === undefined) return carried();
      try {
        const answer = await span.within(carried);
        span.end({ "http.response.status_code": answer.status });
        return answer;
      } catch (error) {
        span.end({ "error.type": error instanceof OutboundError ? error.kind : "error" });
        throw error;
      }
    },
  };
}
