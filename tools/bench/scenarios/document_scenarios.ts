/** Requests for public documents. */
import { discoveryPath } from "../checks.ts";
import type { Step } from "../load_plan.ts";
import type { Scenario, Subject } from "../scenario.ts";
import { issuing } from "./issuing.ts";

export const discovery: Scenario = {
  id: "discovery",
  name: "discovery",
  bound: { limit: "constant", each: 1 },
  prepare: async ({ endpoints, connections }) => ({
    work: { connections, steps: [read(discoveryPath, '"issuer":"')] },
    check: async (answers) => checkDiscovery(endpoints, answers),
  }),
};

export const jwks: Scenario = {
  id: "jwks",
  name: "JWKS",
  bound: { limit: "constant", each: 1 },
  prepare: async ({ endpoints, connections }) => ({
    work: { connections, steps: [read(new URL(endpoints.jwks_uri).pathname, '"keys":[')] },
    async check(answers) {
      for (const answer of answers) {
        const { keys } = JSON.parse(answer) as { keys: { kty: string; kid: string }[] };
        if (!keys.some(({ kty, kid }) => kty === "RSA" && kid !== "")) throw new Error("no key is published");
      }
    },
  }),
};

/** Connections that request the document only occasionally, so they add no load. */
const probes = { connections: 4, pause_ms: 5 };

export const discoveryUnderLoad: Scenario = {
  id: "discovery-under-load",
  name: "discovery under token load",
  remark: "four connections request the document and then pause for 5 ms, while the others request tokens",
  prepare: async (subject) => {
    const { server, endpoints } = subject;
    if (!server.issues_tokens) return undefined;
    return {
      work: { ...probes, steps: [read(discoveryPath, '"issuer":"')] },
      background: issuing(subject, server.jwt_request),
      check: async (answers) => checkDiscovery(endpoints, answers),
    };
  },
};

function read(target: string, part: string): Step {
  return {
    method: "GET",
    target,
    headers: { Accept: "application/json" },
    expected: { status: 200, parts: [part] },
  };
}

function checkDiscovery({ issuer }: Subject["endpoints"], answers: readonly string[]): void {
  for (const answer of answers) {
    if ((JSON.parse(answer) as { issuer: string }).issuer !== issuer)
      throw new Error("another issuer responded");
  }
}
