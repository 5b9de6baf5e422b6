/**
 * The components of `src` and what each may import (docs/architecture.md). `npm run lint` checks it.
 * A component without a line for something may not import it.
 */

const files = ["fs", "fs/promises", "path", "url", "os"];
const sockets = ["net", "http", "https", "stream", "stream/promises"];
const commandLine = ["process", "child_process", "cluster", "module", "tty", "readline", "v8", "vm"];
const waiting = ["events", "timers", "timers/promises", "async_hooks"];

/** Every component may import these: they hold no state, reach no other host and decide nothing. */
const harmless = ["util", "buffer"];

/** And this file of ours: constants that are computed at first use. */
const everyRoom = ["lazily"];

const protocol = ["crypto", "records", "errors"];
const people = ["people", "people_views", "people_routes"];
const running = [...protocol, "config", "storage", "oauth", "people", "admin", "ops", "web"];

/**
 * `imports`: components whose values and types the component may import; `types`: components of which it may import types
 * alone; `packages` and `builtins`: packages from the registry and modules of Node.
 */
const components = {
  lazily: {},
  errors: {},
  client: {},
  config: { imports: ["records"], builtins: [...files, "net"] },
  records: { imports: ["errors"], builtins: ["net", "url"] },
  crypto: {
    imports: ["errors"],
    packages: [
      "jose",
      "@node-rs/argon2",
      "bcryptjs",
      "@zxcvbn-ts/language-common",
      "@simplewebauthn/server",
      "otpauth",
    ],
    builtins: ["crypto", "diagnostics_channel", "module", "os", "worker_threads", "zlib", ...waiting],
  },
  storage: {
    imports: ["records", "errors"],
    packages: ["kysely", "pg", "uuid"],
    builtins: ["node:sqlite", ...files, ...waiting],
  },
  oauth: { imports: protocol, types: ["storage", "outbound"], builtins: waiting },
  admin: { imports: [...protocol, "presets"], types: ["storage", "outbound"], builtins: waiting },
  ops: {
    imports: ["errors"],
    types: ["records"],
    packages: ["pino", "prom-client", "nodemailer", "@opentelemetry/[^/]+"],
    builtins: ["perf_hooks", ...sockets, ...waiting],
  },
  outbound: {
    imports: ["records"],
    builtins: ["worker_threads", "dgram", "dns/promises", "events", "tls", ...files, ...sockets],
  },
  /** What each kind of provider is like, and whether its record can be right: all that management asks. */
  presets: { path: "^src/providers/presets/", imports: ["errors", "records"] },
  providers: {
    path: "^src/providers/[^/]+\\.ts$",
    imports: ["presets", "errors", "records"],
    types: ["outbound"],
    packages: ["jose"],
    builtins: ["crypto"],
  },
  /** People by feature: what a file may do, its suffix says. */
  people: {
    path: "^src/people/[^.]+\\.ts$",
    imports: [...protocol, "providers", "presets"],
    types: ["storage", "outbound"],
    builtins: waiting,
  },
  people_views: {
    path: "^src/people/[^.]+\\.(page|pages|card|mail|view)\\.ts$",
    imports: ["web"],
    types: ["people", "records", "errors"],
    packages: ["qr", "@fortawesome/free-brands-svg-icons"],
  },
  people_routes: {
    path: "^src/people/[^.]+\\.(routes|http)\\.ts$",
    imports: ["people", "people_views", "http", "oauth", "admin", "providers", "web", "records", "errors"],
    types: ["crypto"],
    packages: ["fastify", "@fastify/[^/]+"],
    builtins: ["stream", ...waiting],
  },
  web: {
    types: ["records", "errors"],
    builtins: ["fs", "module", "path", "url", "zlib"],
  },
  api: {
    imports: [...people, "http", "oauth", "admin", "web", "records", "errors"],
    packages: ["fastify"],
    builtins: ["stream", ...waiting],
  },
  console_views: {
    path: "^src/console/[^.]+\\.(page|pages|card|view)\\.ts$",
    imports: ["web", "people_views"],
    types: ["records", "errors"],
    builtins: ["fs"],
  },
  console: {
    path: "^src/console/[^.]+\\.(routes|http)\\.ts$",
    imports: [
      ...["console_views", "http", "people", "people_views", "people_routes"],
      ...["oauth", "admin", "moving_in", "providers", "presets", "web", "records", "errors"],
    ],
    packages: ["fastify"],
    builtins: ["stream", "zlib", ...waiting],
  },
  app: {
    imports: [...people, "api", "console", "console_views", "http", "oauth", "web", "records", "errors"],
    packages: ["fastify", "@fastify/[^/]+"],
    builtins: [...sockets],
  },
  http: {
    imports: ["oauth", "admin", "providers", "web", "records", "errors"],
    types: ["crypto"],
    packages: ["fastify", "@fastify/[^/]+"],
    builtins: ["zlib", "perf_hooks", "querystring", ...sockets, ...waiting],
  },
  server: {
    imports: [...running, "outbound", "providers", "app", "http/serving/(guest_listener|listener)\\.ts"],
    packages: ["yaml"],
    builtins: ["perf_hooks", ...files, ...sockets, ...commandLine, ...waiting],
  },
  kit: {
    imports: [...running, "server", "app", "http/serving/(guest_listener|listener)\\.ts"],
    builtins: ["worker_threads", ...files, ...sockets, ...waiting],
  },
  /** Exports of other systems, read into what the import takes: no file, no database, no request. */
  moving_in: { imports: ["records", "errors"] },
  cli: {
    imports: [
      ...running,
      "moving_in",
      "client",
      "providers",
      "outbound",
      "server",
      "api/(in_process|api_context)\\.ts",
    ],
    packages: ["commander", "yaml", "oauth4webapi", "open"],
    builtins: ["perf_hooks", ...files, ...sockets, ...commandLine, ...waiting],
  },
  main: {
    imports: [...running, "http", "server", "cli"],
    builtins: ["perf_hooks", ...files, ...sockets, ...commandLine, ...waiting],
  },
};

/** The order of the folders inside a component: each may import those before it, and none the files beside them. */
const folders = {
  cli: ["core", "remote", "server", "records", "moving_in", "maintenance", "doctor"],
  moving_in: ["core", "sources"],
  oauth: [
    ...["client_metadata", "refusals", "core", "organizations", "assertions", "dpop", "resources"],
    ...["client_sources", "clients", "presented", "token", "authorize", "registration"],
  ],
  console: ["frame", "fields", "presentations", "forms", "apps", "endings", "lists", "records"],
  people: ["core", "providers", "authenticators", "account", "entry"],
  "people/authenticators": [
    ...["mail_code", "recovery_codes", "totp", "passkeys", "stolen", "password", "recovery"],
  ],
};

const names = Object.keys(components);
const within = (component) => components[component]?.path ?? `^src/${component}(/|\\.ts$)`;
const one = (patterns) => `^(${patterns.join("|")})$`;

/** `src/http` for a component, `src/http/serving/listener.ts` for a file of one. */
const places = (parts) => parts.map((part) => (part.endsWith(".ts") ? `^src/${part}$` : within(part)));

const rulesOf = ([component, { imports = [], types = [], packages = [], builtins = [] }]) => [
  {
    name: `${component}: components`,
    comment: `${component} may import ${[...imports, ...types].join(", ") || "no other component"}`,
    severity: "error",
    from: { path: within(component) },
    to: {
      path: "^(src|test|tools|packages|examples)/",
      pathNot: [within(component), ...places([...everyRoom, ...imports, ...types])],
    },
  },
  ...(types.length === 0
    ? []
    : [
        {
          name: `${component}: types alone`,
          comment: `${component} may import types alone from ${types.join(", ")}`,
          severity: "error",
          from: { path: within(component) },
          to: { path: places(types), dependencyTypesNot: ["type-only"] },
        },
      ]),
  {
    name: `${component}: packages`,
    comment: `${component} may import the packages ${packages.join(", ") || "(none)"}`,
    severity: "error",
    from: { path: within(component) },
    to: {
      dependencyTypes: ["npm", "npm-dev", "npm-optional", "npm-peer", "npm-no-pkg", "npm-unknown"],
      pathNot: packages.length === 0 ? undefined : `node_modules/(@types/)?(${packages.join("|")})/`,
    },
  },
  {
    name: `${component}: modules of Node`,
    severity: "error",
    from: { path: within(component) },
    to: { dependencyTypes: ["core"], pathNot: one([...harmless, ...builtins]) },
  },
];

const orderIn = ([component, order]) =>
  order.map((folder, index) => ({
    name: `${component}/${folder}: folders`,
    comment: `${component}/${folder} may import ${order.slice(0, index).join(", ") || "no other folder"}`,
    severity: "error",
    from: { path: `^src/${component}/${folder}/` },
    to: {
      path: `^src/${component}/`,
      pathNot: order.slice(0, index + 1).map((each) => `^src/${component}/${each}/`),
    },
  }));

export default {
  forbidden: [
    {
      name: "no circle",
      comment: "files import each other in a circle",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    {
      name: "ports",
      comment: "only what opens the database knows the whole store: the others take ports (storage/ports.ts)",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/(storage|server|cli)/" },
      to: { path: "^src/storage/store\\.ts$" },
    },
    {
      name: "every import exists",
      severity: "error",
      from: {},
      // A package for PKCS #11 is the operator's to install.
      to: { couldNotResolve: true, pathNot: "^pkcs11js$" },
    },
    {
      name: "every file is in a component",
      severity: "error",
      from: { path: "^src/", pathNot: names.map(within) },
      to: {},
    },
    ...Object.entries(components).flatMap(rulesOf),
    ...Object.entries(folders).flatMap(orderIn),
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    // Programs that the console shows, as people run them in projects of their own.
    exclude: { path: "^src/console/quickstarts/" },
    parser: "swc",
    tsPreCompilationDeps: true,
    builtInModules: { add: ["node:sqlite"] },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "node"] },
  },
};
