/** The samples that `npm run examples` starts. A sample is a folder with a package.json of its own. */

export interface Example {
  /** Its folder. */
  readonly name: string;
  /** Of Postern, beside the defaults. */
  readonly settings: Readonly<Record<string, string>>;
  /** The address in its `postern.yaml` and its code; another port stands in for it where `PORT` says so. */
  readonly address: string;
  /** What a person types now: lines. */
  readonly toType: (at: { readonly address: string; readonly issuer: string }) => readonly string[];
}

export const allExamples: readonly Example[] = [
  {
    name: "mcp-server",
    settings: { POSTERN_PROFILES: "mcp", POSTERN_REGISTRATION: "open" },
    address: "http://127.0.0.1:8080",
    toType: ({ address, issuer }) => [
      "Claude Code:",
      `  claude mcp add --transport http tools ${address}/mcp`,
      "  claude mcp login tools",
      "MCP Inspector:",
      `  npx @modelcontextprotocol/inspector --transport http --server-url ${address}/mcp`,
      "  and the switch beside the server",
      "What known clients would meet:",
      `  npx postern doctor mcp ${issuer}`,
    ],
  },
];
