/** The samples that `npm run examples` starts. Each sample is a folder with its own `postern.yaml`. */

export interface Example {
  /** The name of its folder. */
  readonly name: string;
  readonly description: string;
  /** The runtime: Node for `server.js`, Python for `main.py`, Go for a folder's package. */
  readonly runtime: "node" | "python" | "go";
  /** Settings of Postern that differ from the defaults. */
  readonly settings: Readonly<Record<string, string>>;
  /** The address in its `postern.yaml` and its code. The variable `PORT` replaces the port. */
  readonly address: string;
  /** The path of its redirect URI, if users sign in to the sample. */
  readonly callback?: string;
  /** The scopes that it requests; by default `openid profile email`. */
  readonly scope?: string;
  /** Returns the lines that describe the next steps. */
  readonly toType: (at: { readonly address: string; readonly issuer: string }) => readonly string[];
}

const website = {
  settings: {},
  address: "http://localhost:8080",
  callback: "/callback",
  toType: () => [],
} as const;

export const allExamples: readonly Example[] = [
  {
    ...website,
    name: "express",
    description: "A website on Express that signs users in",
    runtime: "node",
  },
  {
    ...website,
    name: "fastify",
    description: "A website on Fastify that signs users in",
    runtime: "node",
  },
  {
    ...website,
    name: "bff",
    description: "An application in the browser whose tokens stay on its server",
    runtime: "node",
    callback: "/bff/callback",
  },
  {
    ...website,
    name: "browser",
    description: "An application in the browser that signs users in",
    runtime: "node",
    callback: "/",
  },
  {
    ...website,
    name: "fastapi",
    description: "A website on FastAPI that signs users in (Python)",
    runtime: "python",
  },
  {
    ...website,
    name: "go",
    description: "A website in Go that signs users in",
    runtime: "go",
  },
  {
    ...website,
    name: "b2b",
    description: "An application for several organizations, and an API that checks roles",
    runtime: "node",
    scope: "openid profile organization roles orders:read orders:approve",
    toType: () => ["Or sign in as bob@example.com, who belongs to one organization, with the same password."],
  },
  {
    name: "people",
    description: "A program that updates its own table of users from the feed of events",
    runtime: "node",
    settings: { POSTERN_EXTRA_FEATURES: "events" },
    address: "http://localhost:8080",
    toType: ({ issuer }) => [`Create or rename a user at ${issuer}/console/users, and the table changes.`],
  },
  {
    name: "mcp-server",
    description: "An MCP server whose tools need access tokens",
    runtime: "node",
    settings: { POSTERN_PROFILES: "mcp", POSTERN_REGISTRATION: "open" },
    address: "http://127.0.0.1:8080",
    toType: ({ address, issuer }) => [
      "Claude Code:",
      `  claude mcp add --transport http tools ${address}/mcp`,
      "  claude mcp login tools",
      "MCP Inspector:",
      `  npx @modelcontextprotocol/inspector --transport http --server-url ${address}/mcp`,
      "  then turn on the switch next to the server",
      "To check how this server works with known MCP clients:",
      `  npx postern doctor mcp ${issuer}`,
    ],
  },
];

/** A user who can sign in to every sample. */
export const person = {
  email: "ada@example.com",
  name: "Ada Lovelace",
  password: "correct horse battery staple",
} as const;
