/** What is measured: each scenario says which requests to send and what makes their answers right. */
import { accessToken, basic, checkIntrospections, checkJwts, type Endpoints } from "./checks.ts";
import type { RunningServer } from "./contender.ts";
import type { LoadPlan } from "./load_plan.ts";
import { runLoad } from "./processes.ts";

export interface Scenario {
  readonly name: string;
  /** What is compared, where the servers cannot do the very same. */
  readonly remark?: string;
  /** RSA signatures that one answer needs. */
  readonly signatures: number;
  /** The requests; makes first whatever they are about. */
  readonly requests: (subject: Subject) => Promise<ScenarioRequests>;
  /** Looks at a sample of the answers that counted as right. Throws where one is not. */
  readonly check: (subject: Subject, answers: readonly string[]) => Promise<void>;
}

export type ScenarioRequests = Pick<LoadPlan, "url" | "method" | "headers" | "bodies" | "expected">;

export interface Subject {
  readonly server: RunningServer;
  readonly endpoints: Endpoints;
  readonly connections: number;
  /** Different tokens to ask about. */
  readonly tokens: number;
}

export const scenarios: readonly Scenario[] = [
  {
    name: "client credentials",
    signatures: 1,
    requests: async ({ server, endpoints }) => ({
      ...tokenRequest(server, endpoints, server.jwt_request),
      expected: ['"access_token":"ey', '"token_type":"Bearer"'],
    }),
    check: ({ server, endpoints }, answers) => checkJwts(server, endpoints, answers),
  },
  {
    name: "introspection",
    remark: "JWT access tokens on Postern, opaque ones on oidc-provider, which refuses to introspect JWTs",
    signatures: 0,
    requests: async (subject) => {
      const { server, endpoints } = subject;
      const [first, ...rest] = (await issueTokens(subject)).map((token) => form({ token }));
      if (first === undefined) throw new Error("no tokens to introspect");
      return {
        url: endpoints.introspection_endpoint,
        method: "POST",
        headers: formHeaders(basic(server.introspector)),
        bodies: [first, ...rest],
        expected: ['"active":true', `"client_id":"${server.client.client_id}"`],
      };
    },
    check: async ({ server }, answers) => checkIntrospections(server, answers),
  },
];

/** Has tokens issued that can be introspected. Throws when not all of them come. */
async function issueTokens({ server, endpoints, connections, tokens }: Subject): Promise<string[]> {
  const report = await runLoad({
    ...tokenRequest(server, endpoints, server.introspectable_request),
    expected: ['"access_token":"'],
    connections,
    warm_up_seconds: 0,
    until: { answers: tokens },
    kept_answers: tokens,
    watched_pids: [],
  });
  if (report.failures > 0 || report.answers < tokens) {
    throw new Error(`the tokens to introspect were not issued: ${JSON.stringify(report.faults)}`);
  }
  return report.kept.map(accessToken);
}

function tokenRequest(
  server: RunningServer,
  endpoints: Endpoints,
  request: Readonly<Record<string, string>>,
): Pick<LoadPlan, "url" | "method" | "headers" | "bodies"> {
  return {
    url: endpoints.token_endpoint,
    method: "POST",
    headers: formHeaders(basic(server.client)),
    bodies: [form(request)],
  };
}

function form(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(fields).toString();
}

function formHeaders(authorization: string): Record<string, string> {
  return {
    Authorization: authorization,
    "Content-Type": "application/x-www-form-urlencoded",
    Accept: "application/json",
  };
}
