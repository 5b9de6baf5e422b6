import { tokenAnswer } from "../checks.ts";
import type { Work } from "../load_plan.ts";
import { runLoad } from "../processes.ts";
import { posted } from "../requests.ts";
import type { Subject } from "../scenario.ts";

/** Repeats token requests with client credentials. */
export function issuing(
  { server, endpoints, connections }: Subject,
  request: Readonly<Record<string, string>>,
): Work {
  return {
    connections,
    steps: [
      {
        ...posted(endpoints.token_endpoint, server.client, request),
        expected: { status: 200, parts: ['"access_token":"', '"token_type":"Bearer"'] },
      },
    ],
  };
}

/** Issues this number of tokens that can be introspected and revoked. Throws unless all are issued. */
export async function issueTokens(subject: Subject, tokens: number): Promise<[string, ...string[]]> {
  const report = await runLoad({
    origin: subject.server.url,
    work: issuing(subject, subject.server.introspectable_request),
    warm_up: { seconds: 0 },
    measured: { answers: tokens },
    kept_answers: tokens,
    watched: {},
  });
  const [first, ...rest] = report.kept.map((answer) => tokenAnswer(answer).access_token);
  if (report.failures > 0 || report.answers < tokens || first === undefined) {
    throw new Error(`the tokens to introspect were not issued: ${JSON.stringify(report.errors)}`);
  }
  return [first, ...rest];
}
