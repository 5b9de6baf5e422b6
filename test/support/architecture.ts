/**
 * The rules of design section 3, checked on source texts with the compiler's own parser: which room may
 * import what, and what no file of any room does.
 */
import { dirname, join, normalize } from "node:path/posix";
import {
  type ExportDeclaration,
  isCallExpression,
  isElementAccessExpression,
  isExportAssignment,
  isExportDeclaration,
  isExportSpecifier,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isNamedExports,
  isNamedImports,
  isNewExpression,
  isObjectBindingPattern,
  isPropertyAccessExpression,
  isStringLiteral,
  isVariableDeclaration,
  type Node,
  type SourceFile,
  SyntaxKind,
} from "typescript/unstable/ast";
import { parse, walk } from "./parsed_sources.ts";

interface Room {
  /** Rooms whose values and types this one may import. */
  readonly imports: readonly string[];
  /** Rooms of which it may import types alone. */
  readonly types?: readonly string[];
  readonly packages?: readonly string[];
  readonly builtins?: readonly string[];
}

const files = ["node:fs", "node:fs/promises", "node:path", "node:url", "node:os"];
const sockets = ["node:net", "node:http", "node:https", "node:stream", "node:stream/promises"];
const commandLine = [
  "node:process",
  "node:child_process",
  "node:cluster",
  "node:module",
  "node:tty",
  "node:readline",
  "node:v8",
  "node:vm",
];
const waiting = ["node:events", "node:timers", "node:timers/promises", "node:async_hooks"];

const core: Room = { imports: ["crypto", "records", "errors"], types: ["storage"], builtins: [...waiting] };

/** Any room may import these: they hold no state, reach nothing outside and decide nothing. */
const harmless = ["node:util", "node:buffer"];

const rooms: Readonly<Record<string, Room>> = {
  errors: { imports: [] },
  client: { imports: [] },
  config: { imports: ["records"], builtins: [...files, "node:net"] },
  records: { imports: ["errors"], builtins: ["node:url"] },
  crypto: {
    imports: ["errors"],
    packages: ["jose", "@node-rs/argon2", "@zxcvbn-ts/language-common", "@simplewebauthn/server", "otpauth"],
    builtins: [
      "node:crypto",
      "node:diagnostics_channel",
      "node:module",
      "node:os",
      "node:worker_threads",
      "node:zlib",
      ...waiting,
    ],
  },
  storage: {
    imports: ["records", "errors"],
    packages: ["kysely", "pg", "uuid"],
    builtins: ["node:sqlite", ...files, ...waiting],
  },
  oauth: { ...core, types: ["storage", "outbound"] },
  identity: { ...core, imports: [...core.imports, "providers"], types: ["storage", "outbound"] },
  admin: { ...core, imports: [...core.imports, "providers"], types: ["storage", "outbound"] },
  ops: {
    imports: ["errors"],
    types: ["records"],
    packages: ["pino", "prom-client", "nodemailer", "@opentelemetry/*"],
    builtins: ["node:perf_hooks", ...sockets, ...waiting],
  },
  outbound: {
    imports: [],
    builtins: [
      "node:dgram",
      "node:dns/promises",
      "node:events",
      "node:http",
      "node:https",
      "node:net",
      "node:tls",
    ],
  },
  providers: {
    imports: ["errors", "records"],
    types: ["outbound"],
    packages: ["jose"],
    builtins: ["node:crypto"],
  },
  web: {
    imports: [],
    types: ["records", "errors"],
    packages: ["qr", "@fortawesome/free-brands-svg-icons"],
    builtins: ["node:fs", "node:module", "node:path", "node:url", "node:zlib"],
  },
  http: {
    imports: ["oauth", "identity", "admin", "providers", "web", "records", "errors"],
    types: ["crypto"],
    packages: ["fastify", "fastify-plugin", "@fastify/*", "ipaddr.js"],
    builtins: ["node:zlib", "node:perf_hooks", "node:querystring", ...sockets, ...waiting],
  },
  server: {
    imports: [
      "config",
      "errors",
      "records",
      "crypto",
      "storage",
      "oauth",
      "identity",
      "admin",
      "outbound",
      "providers",
      "ops",
      "web",
    ],
    packages: ["yaml"],
    builtins: ["node:perf_hooks", ...files, ...sockets, ...commandLine, ...waiting],
  },
  kit: {
    imports: [
      "config",
      "errors",
      "records",
      "crypto",
      "storage",
      "oauth",
      "identity",
      "admin",
      "ops",
      "server",
      "web",
    ],
    builtins: ["node:worker_threads", ...files, ...sockets, ...waiting],
  },
  cli: {
    imports: [
      "client",
      "config",
      "errors",
      "records",
      "crypto",
      "storage",
      "oauth",
      "identity",
      "admin",
      "providers",
      "ops",
      "web",
      "server",
    ],
    packages: ["commander", "yaml", "oauth4webapi", "open"],
    builtins: ["node:perf_hooks", ...files, ...sockets, ...commandLine, ...waiting],
  },
  main: {
    imports: [
      "config",
      "errors",
      "records",
      "crypto",
      "storage",
      "oauth",
      "identity",
      "admin",
      "ops",
      "web",
      "http",
      "server",
      "cli",
    ],
    builtins: ["node:perf_hooks", ...files, ...sockets, ...commandLine, ...waiting],
  },
};

/** What `server` and `kit` may import of `http`. */
const doorsOfHttp: readonly string[] = ["http/app.ts", "http/guest_listener.ts", "http/listener.ts"];

const longestFile = 450;

/** Written from the OpenAPI document, and read by nobody. */
const generated = "client/generated/";

/** Statements that only declare. Everything else at the top of a file is work done on import. */
const declarations: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ImportDeclaration,
  SyntaxKind.ExportDeclaration,
  SyntaxKind.ExportAssignment,
  SyntaxKind.VariableStatement,
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.ClassDeclaration,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.TypeAliasDeclaration,
  SyntaxKind.ModuleDeclaration,
  SyntaxKind.EmptyStatement,
]);

interface Import {
  readonly specifier: string;
  readonly typeOnly: boolean;
}

function roomOf(path: string): string {
  const first = path.split("/")[0] ?? path;
  return first.replace(/\.ts$/, "");
}

function matches(name: string, pattern: string): boolean {
  return pattern.endsWith("/*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

function isTypeOnly(specifier: Node): boolean {
  for (let node = specifier.parent; node; node = node.parent) {
    if (isImportTypeNode(node)) return true;
    if (isImportDeclaration(node)) return node.importClause?.phaseModifier === SyntaxKind.TypeKeyword;
    if (isExportDeclaration(node)) return node.isTypeOnly;
    if (isCallExpression(node)) return false;
  }
  return false;
}

function importFault(
  path: string,
  { specifier, typeOnly }: Import,
  sources: ReadonlyMap<string, string>,
): string | undefined {
  const name = roomOf(path);
  const room = rooms[name];
  if (!room) return undefined;
  if (specifier.startsWith("node:")) {
    const allowed = [...harmless, ...(room.builtins ?? [])];
    return allowed.includes(specifier) ? undefined : `the room ${name} may not import ${specifier}`;
  }
  if (!specifier.startsWith(".")) {
    const wanted = packageOf(specifier);
    const allowed = room.packages?.some((pattern) => matches(wanted, pattern));
    return allowed ? undefined : `the room ${name} may not import the package ${wanted}`;
  }
  const target = normalize(join(dirname(path), specifier));
  if (target.startsWith("..")) return `imports ${specifier}, which is outside src`;
  if (!sources.has(target)) return `imports ${specifier}, which does not exist`;
  const other = roomOf(target);
  if (other === name || room.imports.includes(other)) return undefined;
  if (["server", "kit"].includes(name) && doorsOfHttp.includes(target)) return undefined;
  if (room.types?.includes(other)) {
    return typeOnly ? undefined : `the room ${name} may import types alone from ${target}`;
  }
  return `the room ${name} may not import ${target}`;
}

function isProcess(node: Node): boolean {
  return (
    (isIdentifier(node) && node.text === "process") ||
    (isPropertyAccessExpression(node) && node.name.text === "process")
  );
}

/** What is taken out of `process` here: `process.env`, `process["env"]`, `const { env } = process`. */
function takenFromProcess(node: Node): string[] {
  if (isPropertyAccessExpression(node) && isProcess(node.expression)) return [node.name.text];
  if (isElementAccessExpression(node) && isProcess(node.expression)) {
    return isStringLiteral(node.argumentExpression) ? [node.argumentExpression.text] : ["env"];
  }
  if (isVariableDeclaration(node) && node.initializer && isProcess(node.initializer)) {
    if (!isObjectBindingPattern(node.name)) return ["env"];
    return node.name.elements.map((element) => (element.propertyName ?? element.name)?.getText() ?? "");
  }
  return [];
}

function isDefaultExport(node: Node): boolean {
  if (isExportAssignment(node)) return true;
  if (isExportSpecifier(node)) return node.name.text === "default";
  return node.kind === SyntaxKind.DefaultKeyword && node.parent.kind !== SyntaxKind.DefaultClause;
}

/** Modules of Node through which a process reaches others. */
const network = /^node:(http|https|http2|net|tls|dns|dns\/promises|dgram)$/;

/** What of them only listens, names or tells apart. */
const inbound: ReadonlySet<string> = new Set([
  "createServer",
  "Server",
  "STATUS_CODES",
  "isIP",
  "isIPv4",
  "isIPv6",
  "BlockList",
]);

/** The one place that asks of a connection whether it is one. */
const asksForSockets = "http/closing.ts";

/** Globals that reach others. */
const reaching: ReadonlySet<string> = new Set(["fetch", "WebSocket", "EventSource"]);

/**
 * The one file from which a request leaves to a host that others name; the client of programs, the probes of
 * the server whose address the operator types, and the syslog server and the signer of the settings.
 */
const mayReach: ReadonlySet<string> = new Set([
  "client/exchange.ts",
  "outbound/outbound.ts",
  "outbound/syslog.ts",
  "cli/healthcheck.ts",
  "cli/mcp/probe.ts",
  "server/signers/http_signer.ts",
]);

/** What reaches other hosts past `outbound/`: each import and each global that could. */
function reachFault(path: string, node: Node): string | undefined {
  if (mayReach.has(path)) return undefined;
  if (isImportDeclaration(node) && isStringLiteral(node.moduleSpecifier)) {
    const { importClause, moduleSpecifier } = node;
    if (!network.test(moduleSpecifier.text) || importClause === undefined) return undefined;
    if (importClause.phaseModifier === SyntaxKind.TypeKeyword) return undefined;
    const named = importClause.namedBindings;
    if (named === undefined || !isNamedImports(named)) return `imports all of ${moduleSpecifier.text}`;
    const value = named.elements.find(
      ({ isTypeOnly, propertyName, name }) =>
        !isTypeOnly &&
        !inbound.has((propertyName ?? name).text) &&
        !(path === asksForSockets && name.text === "Socket"),
    );
    return value && `imports ${(value.propertyName ?? value.name).text} of ${moduleSpecifier.text}`;
  }
  const global = isCallExpression(node) || isNewExpression(node) ? node.expression : undefined;
  const name = global && (isPropertyAccessExpression(global) ? global.name : global);
  const ofGlobal =
    global && (!isPropertyAccessExpression(global) || global.expression.getText() === "globalThis");
  return ofGlobal && name && isIdentifier(name) && reaching.has(name.text)
    ? `calls ${name.text} past outbound/`
    : undefined;
}

function fileFaults(path: string, file: SourceFile): string[] {
  const faults: string[] = [];
  const room = roomOf(path);
  if (!rooms[room]) faults.push(`no room is called ${room}`);
  const lines = file.text.trimEnd().split("\n").length;
  if (lines > longestFile && !path.startsWith(generated))
    faults.push(`has ${lines} lines, more than ${longestFile}`);
  const mayTouchProcess = ["main", "cli", "server"].includes(room);

  walk(file, (node) => {
    if (isDefaultExport(node)) faults.push("has a default export");
    const reach = reachFault(path, node);
    if (reach !== undefined) faults.push(reach);
    if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      if (!argument || !isStringLiteral(argument))
        faults.push("imports something whose name is not a literal");
    }
    if (mayTouchProcess) return;
    for (const name of takenFromProcess(node)) {
      if (name === "env") faults.push("reads process.env");
      if (name === "exit") faults.push("calls process.exit");
    }
  });

  const statements = [...file.statements];
  const reexports = statements.filter((statement) => isExportDeclaration(statement));
  const own = statements.some(
    (statement) => !isExportDeclaration(statement) && !isImportDeclaration(statement),
  );
  if (reexports.length > 0 && !own && !reexports.every(givesNewNames)) faults.push("only re-exports");
  if (room !== "main" && statements.some(({ kind }) => !declarations.has(kind)))
    faults.push("does work when it is imported");
  return faults;
}

/** A file that gives each import a name of its own is a table, such as that of the languages; no barrel. */
function givesNewNames({ exportClause }: ExportDeclaration): boolean {
  return (
    exportClause !== undefined &&
    isNamedExports(exportClause) &&
    exportClause.elements.every(({ propertyName }) => propertyName !== undefined)
  );
}

/** Every cycle that a depth-first walk meets, each written once: `a.ts → b.ts → a.ts`. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      found.push([...trail.slice(at), path].join(" → "));
      return;
    }
    if (done.has(path)) return;
    trail.push(path);
    for (const next of graph.get(path) ?? []) visit(next);
    trail.pop();
    done.add(path);
  };
  for (const path of graph.keys()) visit(path);
  return found;
}

/**
 * All breaches of the rules in `sources`, as sentences that begin with the file's path. The keys of `sources`
 * are paths relative to `src`, with slashes.
 */
export async function architectureFaults(sources: ReadonlyMap<string, string>): Promise<string[]> {
  const faults: string[] = [];
  const graph = new Map<string, string[]>();
  for (const [path, file] of await parse(sources)) {
    const found = fileFaults(path, file);
    const targets: string[] = [];
    for (const node of file.imports) {
      if (!isStringLiteral(node)) continue;
      const fault = importFault(path, { specifier: node.text, typeOnly: isTypeOnly(node) }, sources);
      if (fault) found.push(fault);
      if (node.text.startsWith(".")) targets.push(normalize(join(dirname(path), node.text)));
    }
    graph.set(path, targets);
    for (const fault of new Set(found)) faults.push(`${path}: ${fault}`);
  }
  for (const cycle of cycles(graph)) faults.push(`import cycle: ${cycle}`);
  return faults;
}
